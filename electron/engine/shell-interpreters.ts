// Shells and interpreters (spec 6): which of their arguments is a script for a shell, which is code in another language, and when
// they run what stands on their standard input.

import { hasOption, type OptionTable, options, readOptions } from './shell-options';
import { found, isReplaced, isStream, opaque, PLAIN, type ProgramContext, type ProgramReader, type ProgramReading, shellText } from './shell-program';
import type { Arg } from './shell-words';

/** Shells whose scripts are read as shell text, and shells with another language. */
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ksh', 'ksh93', 'mksh', 'ash', 'rbash', 'rzsh', 'rksh', 'yash', 'posh', 'bosh'];
const OTHER_SHELLS = ['fish', 'csh', 'tcsh', 'nu', 'elvish', 'xonsh', 'osh', 'ysh', 'rc', 'es'];
const WINDOWS_SHELLS = ['cmd', 'powershell', 'pwsh', 'wscript', 'cscript', 'mshta', 'rundll32', 'regsvr32'];
const LONG_WITH_VALUE: ReadonlySet<string> = new Set(['--rcfile', '--init-file', '--emulate', '--init-command', '--features', '--debug-output']);

function readShell(args: readonly Arg[], context: ProgramContext, isForeign: boolean): ProgramReading {
  let at = 1;
  let takesScript = false;
  let readsInput = false;
  for (; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    if (arg.splits) return opaque(`\`${arg.text}\` may become several words, so what \`${args[0]?.text}\` runs is not certain`);
    const { text } = arg;
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (text === '--version' || text === '--help') return PLAIN;
    if (text.startsWith('--')) {
      if (text === '--command' || text.startsWith('--command=')) return opaque('its script is in another language than sh');
      if (LONG_WITH_VALUE.has(text)) at++;
      continue;
    }
    if (!/^[-+]./.test(text)) break;
    for (const letter of text.slice(1)) {
      if (letter === 'c' && text[0] === '-') takesScript = true;
      else if (letter === 's' && text[0] === '-') readsInput = true;
      else if (letter === 'o' || letter === 'O') at++;
    }
  }
  const script = args[at];
  if (takesScript) {
    if (script === undefined) return context.addsArguments ? opaque('its script comes from somewhere else') : PLAIN;
    if (isForeign) return opaque('its script is in another language than sh', { notPaths: [at] });
    const isLiteral = script.literal && !isReplaced(script, context);
    return found({ opaque: isLiteral ? null : 'its script is not literal', inner: [shellText(script, context)], notPaths: [at] });
  }
  if (script !== undefined && !readsInput) {
    if (isStream(script)) return found({ opaque: 'it runs what a command prints', runsInput: script.literal ? 'shell' : null });
    return PLAIN;
  }
  if (context.addsArguments) return opaque('its script comes from somewhere else');
  return isForeign ? opaque('it runs what it reads') : found({ runsInput: 'shell' });
}

interface Interpreter {
  readonly options: OptionTable;
  /** Options whose value, or whose presence, is code. */
  readonly code: readonly string[];
  /** Options after which everything belongs to a program in a file. */
  readonly program: readonly string[];
  /** Options with which nothing is run. */
  readonly silent: readonly string[];
  /** Options that load modules, whose value may be code in disguise. */
  readonly modules: readonly string[];
  /** Without a file it runs its input. */
  readonly runsInput: boolean;
}
const interpreter = (line: string, code: string, more: Partial<Interpreter> = {}): Interpreter => ({
  program: [],
  silent: ['--version', '--help'],
  modules: [],
  runsInput: true,
  ...more,
  options: options(line),
  code: code.split(' '),
});

const PYTHON = interpreter('b B d E h i I O P q s S u v x? V c: m: W: X: --help --version --check-hash-based-pycs:', '-c', {
  program: ['-m'],
  silent: ['-V', '-h', '--version', '--help'],
});
const NODE = interpreter(
  'c h i v e: p: r: C: --check --help --interactive --version --eval: --print? --require: --import: --loader: --experimental-loader: --conditions: --env-file: --input-type: --title: --run: --test-reporter: --watch-path: --*',
  '-e -p -i --eval --print --interactive',
  { modules: ['-r', '--require', '--import', '--loader', '--experimental-loader'], silent: ['-v', '-h', '--version', '--help', '--run', '--test'] },
);
const PERL = interpreter('a c h l n p s S t T u U v w W X # d? D? f g i? I: m: M: C? F: V? x? e: E:', '-e -E', {
  modules: ['-M', '-m'],
  silent: ['-v', '-V', '-h'],
});
const RUBY = interpreter('a c h l n p s S v w y # W? d i? I: r: C: E: F: K? x? T? X: e: --*', '-e', {
  modules: ['-r'],
  silent: ['-v', '-h', '--version', '--help'],
});
const PHP = interpreter('a C h i l m n q s v w z: c: d: f: t: S: r: B: R: E: F: --ini --rf: --rc: --re: --*', '-r -B -R -E -a --run', {
  silent: ['-v', '-h', '-i', '-m', '-l', '-S', '--version', '--help', '--ini', '--rf', '--rc', '--re'],
});
const LUA = interpreter('e: l: i v E W b? j? O?', '-e -i', { silent: ['-v'] });
const EVALUATOR = interpreter('e: E: p: --eval: --execute: --print: --*', '-e -E -p --eval --execute --print --rpc-eval');
const WITH_E = interpreter('e: --*', '-e --expression', { runsInput: true });
const NO_OPTIONS = interpreter('--*', '-');

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pythonw: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  jython: PYTHON,
  micropython: PYTHON,
  py: PYTHON,
  node: NODE,
  nodejs: NODE,
  'ts-node': NODE,
  tsx: NODE,
  perl: PERL,
  ruby: RUBY,
  jruby: RUBY,
  php: PHP,
  lua: LUA,
  luajit: LUA,
  R: EVALUATOR,
  Rscript: EVALUATOR,
  julia: EVALUATOR,
  elixir: EVALUATOR,
  iex: EVALUATOR,
  groovy: WITH_E,
  scala: WITH_E,
  swift: interpreter('e: --*', '-e', { runsInput: false }),
  osascript: interpreter('e: l: s: i', '-e -i'),
  racket: interpreter('e: f: t: l: p: r: u: k: m: i --eval: --*', '-e --eval'),
  guile: interpreter('c: e: l: L: s: x: q --*', '-c -e'),
  sbcl: interpreter('--eval: --load: --script: --*', '--eval'),
  clojure: WITH_E,
  clj: WITH_E,
  ghci: interpreter('e: --*', '-e'),
  erl: interpreter('eval: --*', '-'),
  tclsh: NO_OPTIONS,
  wish: NO_OPTIONS,
  expect: interpreter('c: d D: f: i b n N v --*', '-c'),
  jshell: NO_OPTIONS,
  octave: interpreter('q f W H --eval: --*', '--eval'),
  gnuplot: interpreter('e: p c: d --*', '-e'),
};

/** Modules of Python that run code given as text. */
const PYTHON_RUNS_TEXT: ReadonlySet<string> = new Set(['timeit', 'pdb', 'code', 'asyncio', 'idlelib', 'IPython']);

function readInterpreter(args: readonly Arg[], row: Interpreter, context: ProgramContext): ProgramReading {
  const read = readOptions(args, 1, row.options, row.program);
  const program = args[read.next];
  for (const option of read.found) {
    if (row.code.includes(option.name)) return opaque('it runs code from its arguments', { notPaths: [option.index] });
    if (row.modules.includes(option.name) && option.value !== null && !isModuleName(option.value)) return opaque('a module it loads may be code');
  }
  if (read.splits || read.unknown.some((name) => !name.startsWith('--')))
    return opaque('an option is not known here, so what it runs is not certain');
  if (read.stopped !== null) {
    const runsText = program === undefined || !program.literal || PYTHON_RUNS_TEXT.has(program.text.split('.')[0] ?? '');
    return runsText ? opaque('the module runs code from its arguments or input') : found({ notPaths: [read.next] });
  }
  if (hasOption(read, ...row.silent)) return PLAIN;
  if (program === undefined) {
    if (context.addsArguments) return opaque('its program comes from somewhere else');
    return row.runsInput ? found({ runsInput: 'code' }) : PLAIN;
  }
  if (program.splits) return opaque(`\`${program.text}\` may become several words, so what it runs is not certain`);
  if (program.text === '-' || isStream(program))
    return found({ runsInput: 'code', opaque: program.text === '-' || program.literal ? null : 'it runs what a command prints' });
  return PLAIN;
}

const isModuleName = (value: Arg): boolean =>
  value.literal && /^-?(?:[\w./@:-]+)(?:=[\w,:.]*)?$/.test(value.text) && !/^(?:data|https?):/.test(value.text);

/** `deno eval`, `deno repl`, `bun -e`: their subcommands tell. */
function readDeno(args: readonly Arg[]): ProgramReading {
  const word = args[1];
  if (word === undefined || word.text === 'eval' || word.text === 'repl') return opaque('it runs code from its arguments or input');
  if (word.splits) return opaque('its subcommand is not literal');
  return args.some((arg) => arg.text === '-' || arg.text.startsWith('data:')) ? found({ runsInput: 'code' }) : PLAIN;
}

const windowsShell: ProgramReader = () => opaque('it runs text in another language than sh');

export const INTERPRETER_READERS: ReadonlyMap<string, ProgramReader> = new Map<string, ProgramReader>([
  ...SHELLS.map((name): [string, ProgramReader] => [name, (args, context) => readShell(args, context, false)]),
  ...OTHER_SHELLS.map((name): [string, ProgramReader] => [name, (args, context) => readShell(args, context, true)]),
  ...WINDOWS_SHELLS.map((name): [string, ProgramReader] => [name, windowsShell]),
  ...Object.entries(INTERPRETERS).map(([name, row]): [string, ProgramReader] => [name, (args, context) => readInterpreter(args, row, context)]),
  ['deno', readDeno],
]);

/** Code of `bun` in its own arguments; `bun x` and `bun exec` are in the table of wrappers. */
export const hasBunCode = (args: readonly Arg[]): boolean =>
  args.slice(1).some((arg) => /^(?:-e|-p|--eval|--print)(?:=|$)/.test(arg.text) || arg.text === '-');
