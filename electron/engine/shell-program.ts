// What reading a command line by its program can find: commands inside it, code, a change of directory. Shapes and small parts
// that the readers share; the readers themselves are shell-wrapped.ts, shell-interpreters.ts, shell-builtins.ts, shell-tools.ts.

import type { Step } from './shell-places';
import type { Arg } from './shell-words';

/** A command inside a command line. */
export type Inner =
  | {
      readonly form: 'argv';
      readonly args: readonly Arg[];
      readonly assignments: readonly Arg[];
      readonly context: ProgramContext;
      readonly place: InnerPlace;
    }
  | { readonly form: 'text'; readonly text: string; readonly literal: boolean; readonly context: ProgramContext; readonly place: InnerPlace };

/** `shell`: its effects stay in this shell. `elsewhere`: another machine, root or namespace. A step: it enters that directory first. */
export type InnerPlace = 'here' | 'shell' | 'elsewhere' | Step;

export interface ProgramContext {
  /** `xargs` and the like add words at the end that nobody has seen. */
  readonly addsArguments: boolean;
  /** Text that is replaced by words that nobody has seen, such as `{}`. */
  readonly replaced: string | null;
}
export const AS_WRITTEN: ProgramContext = { addsArguments: false, replaced: null };

export interface ProgramReading {
  /** Why the command is opaque (spec 6); null when it is not. */
  readonly opaque: string | null;
  readonly inner: readonly Inner[];
  /** Arguments that are no paths of this program: its code, its patterns, the words of an inner command. */
  readonly notPaths: readonly number[];
  /** It runs what it finds on its standard input. */
  readonly runsInput: 'shell' | 'code' | null;
  /** A `cd`: index of its operand, null for home; `unknown` when nobody can tell where to. */
  readonly change: { readonly operand: number | null; readonly physical: boolean } | 'unknown' | null;
  /** It applies the patch that stands in its argument or on its input. */
  readonly isPatch: boolean;
  /** Its arguments are assignments. */
  readonly declares: boolean;
}

export type ProgramReader = (args: readonly Arg[], context: ProgramContext) => ProgramReading;

export const PLAIN: ProgramReading = { opaque: null, inner: [], notPaths: [], runsInput: null, change: null, isPatch: false, declares: false };

/** Put together by hand: a spread costs more than everything else here. */
export function found(reading: Partial<ProgramReading>): ProgramReading {
  return {
    opaque: reading.opaque ?? null,
    inner: reading.inner ?? PLAIN.inner,
    notPaths: reading.notPaths ?? PLAIN.notPaths,
    runsInput: reading.runsInput ?? null,
    change: reading.change ?? null,
    isPatch: reading.isPatch ?? false,
    declares: reading.declares ?? false,
  };
}
export const opaque = (reason: string, more: Partial<ProgramReading> = {}): ProgramReading => found({ ...more, opaque: reason });

/** Indexes from `start` to the last argument. */
export function indexesFrom(start: number, args: readonly Arg[]): readonly number[] {
  const indexes: number[] = [];
  for (let at = start; at < args.length; at++) indexes.push(at);
  return indexes;
}

export const shellText = (arg: Arg, context: ProgramContext, place: InnerPlace = 'here'): Inner => ({
  form: 'text',
  text: arg.text,
  literal: arg.literal && !isReplaced(arg, context),
  context,
  place,
});

export const isReplaced = (arg: Arg, context: ProgramContext): boolean =>
  context.replaced !== null && context.replaced !== '' && arg.text.includes(context.replaced);

/** A file that is not a file: what a command prints, or what stands on the input. */
export const isStream = (arg: Arg): boolean =>
  /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/.test(arg.text) ||
  arg.word?.parts?.some((part) => part.type === 'ProcessSubstitution') === true;
