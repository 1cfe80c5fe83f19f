// Builtins of the shell that change the directory, run text, or evaluate what looks like data.

import { found, isStream, opaque, PLAIN, type ProgramContext, type ProgramReader, type ProgramReading, shellText } from './shell-program';
import type { Arg } from './shell-words';

/** `cd`, `pushd`, `chdir`: known when there is one operand. Whether that is literal is for the reading to see. */
function readCd(args: readonly Arg[], context: ProgramContext): ProgramReading {
  let at = 1;
  let physical = false;
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    if (text === '--') {
      at++;
      break;
    }
    if (!/^-[LPe@n]+$/.test(text)) break;
    if (text.includes('P')) physical = true;
    else if (text.includes('L')) physical = false;
  }
  const operands = args.slice(at);
  const [to] = operands;
  if (context.addsArguments || operands.length > 1) return found({ change: 'unknown' });
  if (to === undefined) return found({ change: args[0]?.text === 'pushd' ? 'unknown' : { operand: null, physical } });
  return found({ change: to.text === '' || to.text === '-' || /^[-+]\d+$/.test(to.text) ? 'unknown' : { operand: at, physical } });
}

const readEval: ProgramReader = (args) => (args.length > 1 ? opaque('`eval` runs text that is put together first') : PLAIN);

function readSource(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const file = args.slice(1).find((arg) => arg.text !== '--');
  if (file === undefined) return context.addsArguments ? opaque('the file it runs comes from somewhere else') : PLAIN;
  if (isStream(file)) return found({ opaque: 'it runs what a command prints', runsInput: file.literal ? 'shell' : null });
  return file.literal ? PLAIN : opaque('which file it runs is not literal');
}

function readTrap(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const operands = args.slice(1).filter((arg, index) => !(index === 0 && /^-[lpP]+$|^--$/.test(arg.text)));
  const [action] = operands;
  if (action === undefined || operands.length < 2 || action.text === '-' || action.text === '') return PLAIN;
  const at = args.indexOf(action);
  return found({ opaque: action.literal ? null : 'its command is not literal', inner: [shellText(action, context)], notPaths: [at] });
}

function readAlias(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const definitions = args.slice(1).filter((arg) => arg.text.includes('='));
  if (definitions.length === 0) return args.slice(1).some((arg) => arg.splits) ? opaque('what it defines is not literal') : PLAIN;
  return found({
    opaque: definitions.every((arg) => arg.literal) ? null : 'its command is not literal',
    inner: definitions.map((arg) => ({
      ...shellText(arg, context),
      form: 'text',
      text: arg.text.slice(arg.text.indexOf('=') + 1),
      literal: arg.literal,
      context,
      place: 'here',
    })),
  });
}

/** `-C command`: called for every so many lines, or for completions. */
function readCallback(args: readonly Arg[], context: ProgramContext): ProgramReading {
  const at = args.findIndex((arg) => arg.text === '-C');
  const glued = args.find((arg) => /^-C./.test(arg.text));
  if (glued !== undefined) return opaque('it calls a command');
  if (args.some((arg, index) => index > 0 && arg.text.startsWith('-') && arg.text.includes('W') && /[$`]/.test(args[index + 1]?.text ?? '')))
    return opaque('its words are expanded again');
  const callback = at < 0 ? undefined : args[at + 1];
  if (callback === undefined) return evaluates(args) ?? PLAIN;
  return found({
    opaque: callback.literal ? null : 'the command it calls is not literal',
    inner: [shellText(callback, context)],
    notPaths: [at + 1],
  });
}

/** Text that an arithmetic evaluation would run: `let 'a[$(rm x)]'`. */
function evaluates(args: readonly Arg[]): ProgramReading | null {
  return args.some((arg, index) => index > 0 && arg.literal && holdsSubstitution(arg.text))
    ? opaque('text in its arguments is evaluated as shell code')
    : null;
}
export const holdsSubstitution = (text: string): boolean => text.includes('$(') || text.includes('`');

const readEvaluator: ProgramReader = (args) => evaluates(args) ?? PLAIN;
const DECLARATION = found({ declares: true });
const readDeclaration: ProgramReader = (args) => {
  const concern = evaluates(args);
  return concern === null ? DECLARATION : { ...concern, declares: true };
};
const readPrintf: ProgramReader = (args) => (args[1]?.text.startsWith('-v') === true ? (evaluates(args) ?? PLAIN) : PLAIN);
const readTest: ProgramReader = (args) => (args.some((arg) => /^-(?:v|eq|ne|lt|le|gt|ge|R)$/.test(arg.text)) ? (evaluates(args) ?? PLAIN) : PLAIN);

const opaqueWith =
  (option: RegExp, reason: string): ProgramReader =>
  (args) =>
    args.some((arg, index) => index > 0 && (option.test(arg.text) || arg.splits)) ? opaque(reason) : PLAIN;

export const BUILTIN_READERS: ReadonlyMap<string, ProgramReader> = new Map<string, ProgramReader>([
  ['cd', readCd],
  ['chdir', readCd],
  ['pushd', readCd],
  ['popd', () => found({ change: 'unknown' })],
  ['eval', readEval],
  ['source', readSource],
  ['.', readSource],
  ['trap', readTrap],
  ['alias', readAlias],
  ['mapfile', readCallback],
  ['readarray', readCallback],
  ['complete', readCallback],
  ['compgen', readCallback],
  ['bind', opaqueWith(/^-x|^[^-]/, 'it binds keys to commands')],
  ['enable', opaqueWith(/^-\w*f/, 'it loads code into the shell')],
  ['hash', opaqueWith(/^-\w*p/, 'it changes which program a name stands for')],
  ['fc', (args) => (args.some((arg) => /^-\w*l/.test(arg.text)) ? PLAIN : opaque('it runs commands of the history again'))],
  ['zmodload', opaqueWith(/./, 'it loads code into the shell')],
  ['autoload', opaqueWith(/./, 'it loads code into the shell')],
  ['emulate', opaqueWith(/^-\w*c/, 'it runs text that is put together first')],
  ['let', readEvaluator],
  ['declare', readDeclaration],
  ['typeset', readDeclaration],
  ['local', readDeclaration],
  ['readonly', readDeclaration],
  ['export', readDeclaration],
  ['setenv', readDeclaration],
  ['unset', readEvaluator],
  ['read', readEvaluator],
  ['getopts', readEvaluator],
  ['wait', readEvaluator],
  ['printf', readPrintf],
  ['test', readTest],
  ['[', readTest],
]);
