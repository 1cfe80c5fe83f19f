// Reads the command line of a wrapper by its row in shell-wrappers.ts and cuts out the inner command. A layout that is not
// understood makes the wrapper opaque; the best guess at the inner command is still given, so that a deny reaches it.

import { optionValue, type ReadOptions, readOptions } from './shell-options';
import { found, type Inner, indexesFrom, opaque, PLAIN, type ProgramContext, type ProgramReading, shellText } from './shell-program';
import type { Arg } from './shell-words';
import type { Wrapper } from './shell-wrappers';

export function readWrapper(args: readonly Arg[], wrapper: Wrapper, context: ProgramContext): ProgramReading {
  return readFrom(args, 1, wrapper, context);
}

function readFrom(args: readonly Arg[], start: number, wrapper: Wrapper, context: ProgramContext): ProgramReading {
  const read = readOptions(args, start, wrapper.options, wrapper.restOptions);
  if (wrapper.subcommands !== null) return readSubcommand(args, read, wrapper.subcommands, context);
  if (wrapper.afterDashes) return readAfterDashes(args, start, wrapper, context);

  let concern = concernAbout(read);
  let { next } = read;
  const options = [...read.found];
  if (read.stopped === null) {
    if (args[next]?.text === '-') next++;
    for (let count = 0; count < wrapper.operands && next < args.length; count++, next++) {
      const operand = args[next];
      if (operand?.splits === true) concern ??= splitsBefore(operand);
      if (!wrapper.optionsAfterOperands) continue;
      const again = readOptions(args, next + 1, wrapper.options);
      concern ??= concernAbout(again);
      options.push(...again.found);
      next = again.next - 1;
    }
  }
  const given = { ...read, found: options };
  const inner: Inner[] = [];
  const notPaths: number[] = [];
  for (const option of options) {
    if (option.value === null || !wrapper.textOptions.includes(option.name)) continue;
    notPaths.push(option.index);
    inner.push(...textInner(wrapper, args, option.value, next, context));
  }
  if (options.some((option) => wrapper.withoutCommand.includes(option.name)) && read.stopped === null)
    return found({ opaque: concern, inner, notPaths });

  const assignments: Arg[] = [];
  while (wrapper.assignments && next < args.length) {
    const arg = args[next];
    if (arg === undefined || !/^[^=\s/-][^=]*=/.test(arg.text)) break;
    assignments.push(arg);
    next++;
  }
  if (inner.length > 0)
    return found({ opaque: concern, inner, notPaths: notPaths.length === 0 ? indexesFrom(next, args) : [...notPaths, ...indexesFrom(next, args)] });
  const command = args.slice(next);
  // `parallel ::: a b` runs each of the words.
  if (wrapper.form === 'text' && /^:::/.test(command[0]?.text ?? '')) return opaque('it runs its arguments as commands');
  if (command.length === 0) return withoutCommand(args, wrapper, context, given, concern);
  inner.push(commandInner(command, assignments, wrapper, given, context));
  return found({ opaque: concern, inner, notPaths: notPaths.length === 0 ? indexesFrom(next, args) : [...notPaths, ...indexesFrom(next, args)] });
}

function concernAbout(read: ReadOptions): string | null {
  if (read.unknown.length > 0) return `the option \`${read.unknown[0]}\` is not known here, so the command inside is not certain`;
  return read.splits ? 'an option is not literal, so the command inside is not certain' : null;
}
const splitsBefore = (arg: Arg): string => `\`${arg.text}\` may become several words, so the command inside is not certain`;

/** `env -S 'a b' c` and `flock file -c 'a'`: text, and the words that follow it. */
function textInner(wrapper: Wrapper, args: readonly Arg[], value: Arg, next: number, context: ProgramContext): readonly Inner[] {
  const place = wrapper.place;
  if (args[0]?.text.endsWith('env') !== true) return [shellText(value, context, place)];
  const rest = args.slice(next);
  return [
    {
      form: 'text',
      text: [value, ...rest].map((arg) => arg.text).join(' '),
      literal: value.literal && rest.every((arg) => arg.literal) && !value.text.includes('$'),
      context,
      place,
    },
  ];
}

function withoutCommand(args: readonly Arg[], wrapper: Wrapper, context: ProgramContext, read: ReadOptions, concern: string | null): ProgramReading {
  const name = args[0]?.text ?? '';
  if (context.addsArguments && !wrapper.addsArguments) return opaque(`\`${name}\` gets its command from somewhere else`);
  const startsShell = name.endsWith('sudo') && read.found.some((option) => ['-s', '-i', '--shell', '--login'].includes(option.name));
  if (wrapper.aloneRuns || startsShell) return found({ opaque: concern, runsInput: 'shell' });
  return concern === null ? PLAIN : opaque(concern);
}

function commandInner(command: readonly Arg[], assignments: readonly Arg[], wrapper: Wrapper, read: ReadOptions, context: ProgramContext): Inner {
  const entered = optionValue(read, ...wrapper.directoryOptions);
  const place = entered === null ? wrapper.place : entered.literal ? { to: entered.text, physical: true } : 'elsewhere';
  const replaced = wrapper.addsArguments ? (optionValue(read, '-I', '-J', '-i', '--replace')?.text ?? '{}') : context.replaced;
  const inside: ProgramContext = { addsArguments: wrapper.addsArguments || context.addsArguments, replaced };
  const isArgv = wrapper.form === 'argv' || read.found.some((option) => wrapper.argvOptions.includes(option.name));
  if (isArgv) return { form: 'argv', args: command, assignments, context: inside, place };
  const end = command.findIndex((arg) => /^:::[:+]*$/.test(arg.text));
  const words = end < 0 ? command : command.slice(0, end);
  return { form: 'text', text: words.map((arg) => arg.text).join(' '), literal: words.every((arg) => arg.literal), context: inside, place };
}

function readSubcommand(args: readonly Arg[], read: ReadOptions, subcommands: ReadonlyMap<string, Wrapper>, context: ProgramContext): ProgramReading {
  const word = args[read.next];
  if (word === undefined) return context.addsArguments ? opaque('its subcommand comes from somewhere else') : PLAIN;
  if (word.splits) return opaque(splitsBefore(word));
  const below = word.literal ? subcommands.get(word.text) : undefined;
  const concern = concernAbout(read);
  if (below === undefined) {
    // An option that is not known may have taken the word that was read as the subcommand.
    const mayFollow = concern !== null && args.slice(read.next).some((arg) => !arg.literal || subcommands.has(arg.text));
    return mayFollow ? opaque(concern) : PLAIN;
  }
  const reading = readFrom(args, read.next + 1, below, context);
  return concern === null ? reading : { ...reading, opaque: reading.opaque ?? concern };
}

function readAfterDashes(args: readonly Arg[], start: number, wrapper: Wrapper, context: ProgramContext): ProgramReading {
  const dashes = args.findIndex((arg, index) => index >= start && arg.text === '--');
  const command = dashes < 0 ? [] : args.slice(dashes + 1);
  if (command.length > 0) {
    return found({
      inner: [{ form: 'argv', args: command, assignments: [], context, place: wrapper.place }],
      notPaths: indexesFrom(dashes + 1, args),
    });
  }
  const hasOperands = args.slice(start).some((arg) => !arg.text.startsWith('-'));
  return hasOperands || wrapper.aloneRuns ? opaque('where the command inside begins is not certain') : PLAIN;
}
