// One reading of shell text while it is made: the units and targets found so far, the directory in force, and the reading of one
// command line by its program. The walk over the syntax tree is shell-walk.ts.

import { diffPaths, patchPaths } from './patch';
import { BUILTIN_READERS } from './shell-builtins';
import { hasBunCode, INTERPRETER_READERS } from './shell-interpreters';
import { isHarmlessDevice, type OperandSink, readOperand, readProgramPath, TooMuchToRead } from './shell-operands';
import { type Directories, START, type Step, stepInto } from './shell-places';
import { AS_WRITTEN, type Inner, opaque, PLAIN, type ProgramContext, type ProgramReader, type ProgramReading } from './shell-program';
import type { ReadUnit, ShellTarget } from './shell-reading';
import { isSshConcern, TOOL_READERS } from './shell-tools';
import { variableConcern } from './shell-variables';
import { type Arg, spellingsOf, UNKNOWN } from './shell-words';
import { readWrapper } from './shell-wrapped';
import { WRAPPERS } from './shell-wrappers';

type Mutable<T> = { -readonly [key in keyof T]: T[key] };
export type UnitDraft = Omit<Mutable<ReadUnit>, 'names'> & { names?: string[] };
type TargetDraft = Mutable<ShellTarget>;

export interface Reader extends OperandSink {
  readonly units: UnitDraft[];
  readonly errors: string[];
  /** Nothing in the text sets HOME or PWD, so that `~` is the home folder. */
  readonly homeIsKnown: boolean;
  /** `cd x` may go elsewhere than to `x` here. */
  readonly hasCdPath: boolean;
  /** Text that positions of the syntax tree refer to. */
  source: string;
  /** The text is for a shell that may know less than bash, such as dash. */
  mayBePlainSh: boolean;
  directories: Directories;
  /** Outcome of a command that does not move, kept because most do not. */
  stay: Outcome;
  /** Some command may have left the directory of the call. */
  moved: boolean;
  /** Only `cd` stands before this command in its list. */
  leading: boolean;
  /** Unit that runs what is being read; undefined at the top. */
  wrappedBy: number | undefined;
  context: ProgramContext;
  depth: number;
  /** Read so far. */
  words: number;
  /** Bodies of functions: first and last unit, first and last target. */
  readonly functions: (readonly [number, number, number, number])[];
  /** Reads text that a program hands to a shell. Set by the walk. */
  readText: (reader: Reader, text: string) => Outcome;
}

/** Where the shell stands after a command that succeeded, and after one that failed. */
export interface Outcome {
  readonly ok: Directories;
  readonly fail: Directories;
}

/** What a command gets on its standard input, as far as the text shows it. */
export interface Input {
  readonly text: string;
  readonly literal: boolean;
}

/** Beyond these the whole text is one opaque unit: nobody looks at so much, and an answer would take too long. */
const MAX_UNITS = 1000;
const MAX_WORDS = 10_000;
const MAX_TARGETS = 4000;
const MAX_DEPTH = 8;

const NAMES_HOME = /(?:^|[^$\w{])(?:HOME|PWD)\b|\{(?:HOME|PWD):?=/;
const MAY_SET = /=|\b(?:read|unset|for|select|getopts|mapfile|readarray|printf)\b/;

export function createReader(text: string, readText: Reader['readText']): Reader {
  return {
    units: [],
    targets: [],
    addresses: [],
    errors: [],
    homeIsKnown: !((text.includes('HOME') || text.includes('PWD')) && NAMES_HOME.test(text) && MAY_SET.test(text)),
    hasCdPath: text.includes('CDPATH'),
    source: text,
    mayBePlainSh: false,
    directories: START,
    stay: AT_START,
    moved: false,
    leading: true,
    wrappedBy: undefined,
    context: AS_WRITTEN,
    depth: 0,
    words: 0,
    current: null,
    unit: -1,
    offered: 0,
    functions: [],
    readText,
  };
}

export function staying(reader: Reader): Outcome {
  const { directories, stay } = reader;
  if (stay.ok === directories) return stay;
  reader.stay = { ok: directories, fail: directories };
  return reader.stay;
}
const AT_START: Outcome = { ok: START, fail: START };

// ------------------------------------------------------------------ units and targets

export function addUnit(reader: Reader, args: readonly Arg[], assignments: readonly string[]): UnitDraft {
  reader.words += args.length + assignments.length;
  if (reader.units.length >= MAX_UNITS || reader.words > MAX_WORDS) throw new TooMuchToRead();
  const words: string[] = [];
  let computed: number[] | null = null;
  for (const arg of args) {
    if (!arg.literal) {
      computed ??= [];
      computed.push(words.length);
    }
    words.push(arg.text);
  }
  const unit: UnitDraft = { text: words.join(' '), words, assignments, opaque: false, directories: reader.directories };
  if (computed !== null) unit.computed = computed;
  if (reader.wrappedBy !== undefined) unit.wrapped_by = reader.wrappedBy;
  reader.units.push(unit);
  return unit;
}

/** A unit for code that is no command line: it can only be allowed word for word (spec 6). */
export function addOpaqueUnit(reader: Reader, text: string, reason: string): void {
  if (reader.units.length >= MAX_UNITS) throw new TooMuchToRead();
  const unit: UnitDraft = {
    text,
    words: [text],
    assignments: [],
    opaque: true,
    opaque_reason: reason,
    directories: reader.directories,
  };
  if (reader.wrappedBy !== undefined) unit.wrapped_by = reader.wrappedBy;
  reader.units.push(unit);
}

export function makeOpaque(unit: UnitDraft, reason: string): void {
  if (unit.opaque) return;
  unit.opaque = true;
  unit.opaque_reason = reason;
}

function addTarget(reader: Reader, target: TargetDraft): void {
  if (reader.targets.length >= MAX_TARGETS) throw new TooMuchToRead();
  reader.targets.push(target);
}

/** A file that a redirect opens. `unknown`: which one, only the shell knows. */
export function addRedirect(reader: Reader, arg: Arg, access: 'read' | 'write', unit: number): void {
  for (const { text, isGlob } of spellingsOf(arg, reader)) {
    if (isHarmlessDevice(text)) continue;
    const network = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(text)?.[1];
    if (network !== undefined) reader.addresses.push(network);
    const isUnknown = isGlob || text.includes(UNKNOWN) || (text.startsWith('~') && !reader.homeIsKnown);
    addTarget(reader, {
      raw: isUnknown ? arg.text : text,
      access,
      origin: 'redirect',
      unit,
      directories: reader.directories,
      standing: isUnknown ? 'unknown' : 'certain',
      isGlob: false,
    });
  }
}

// ------------------------------------------------------------------ one command line

/** Programs by their base name. */
const READERS: ReadonlyMap<string, ProgramReader> = new Map<string, ProgramReader>([
  ...[...WRAPPERS].map(([name, wrapper]): [string, ProgramReader] => [name, (args, context) => readWrapper(args, wrapper, context)]),
  ...INTERPRETER_READERS,
  ...BUILTIN_READERS,
  ...TOOL_READERS,
  ['bun', (args, context) => (hasBunCode(args) ? opaque('it runs code from its arguments or input') : wrapped('bun', args, context))],
  ['ssh', (args, context) => withSshConcern(wrapped('ssh', args, context), args)],
  ['autossh', (args, context) => withSshConcern(wrapped('autossh', args, context), args)],
]);

function wrapped(name: string, args: readonly Arg[], context: ProgramContext): ProgramReading {
  const wrapper = WRAPPERS.get(name);
  return wrapper === undefined ? PLAIN : readWrapper(args, wrapper, context);
}
const withSshConcern = (reading: ProgramReading, args: readonly Arg[]): ProgramReading =>
  isSshConcern(args) ? { ...reading, opaque: reading.opaque ?? 'an option names a program to run' } : reading;

function readProgram(args: readonly Arg[], base: string, context: ProgramContext): ProgramReading {
  const known = READERS.get(base) ?? readerOfVersion(base);
  if (known !== undefined) return known(args, context);
  // The loader of the system runs the program that it is given.
  return base.startsWith('ld') && /^ld(?:-[\w-]+)?\.so/.test(base) ? wrapped('nohup', args, context) : PLAIN;
}

/** `python3.12` is `python`, `SUDO.EXE` is `sudo`. */
function readerOfVersion(base: string): ProgramReader | undefined {
  const last = base.charCodeAt(base.length - 1);
  if (last >= 48 && last <= 57) return INTERPRETER_READERS.get(base.replace(/-?\d[\d.]*$/, ''));
  if (base.length < 5 || base[base.length - 4] !== '.' || !/\.(?:exe|cmd|bat|com)$/i.test(base)) return undefined;
  const bare = base.slice(0, -4).toLowerCase();
  return READERS.get(bare) ?? readerOfVersion(bare);
}

function baseName(program: string): string {
  const slash = program.lastIndexOf('/');
  if (slash < 0 && !program.includes('\\')) return program;
  return program.slice(Math.max(slash, program.lastIndexOf('\\')) + 1);
}

const EQUALS = 61;
const TILDE = 126;

/** Why a command word does not tell what runs (spec 6). */
function commandConcern(program: Arg, context: ProgramContext): string | null {
  if (!program.literal) return 'the command is not literal';
  if (program.text === '') return 'the command is empty';
  const first = program.text.charCodeAt(0);
  if ((first === EQUALS || first === TILDE) && /^=|^~[+-]/.test(program.text)) return 'the shell replaces the command by another word';
  return context.replaced !== null && context.replaced !== '' && program.text.includes(context.replaced)
    ? 'the command comes from somewhere else'
    : null;
}

export interface CommandLine {
  readonly args: readonly Arg[];
  readonly assignments: readonly Arg[];
  readonly input: Input | null;
}

export function readCommandLine(reader: Reader, line: CommandLine): Outcome {
  const { args } = line;
  const [program] = args;
  if (program === undefined) return staying(reader);
  const index = reader.units.length;
  const leading = reader.leading;
  reader.leading = false;
  const unit = addUnit(reader, args, line.assignments.length === 0 ? NO_ASSIGNMENTS : line.assignments.map((assignment) => assignment.text));
  const concern = commandConcern(program, reader.context);
  const base = baseName(program.text);
  const reading = concern === null ? readProgram(args, base, reader.context) : opaque(concern);
  if (reading.opaque !== null) makeOpaque(unit, reading.opaque);
  readOperands(reader, args, base, reading.notPaths, index);
  const before = reader.wrappedBy;
  reader.wrappedBy = index;
  for (const assignment of line.assignments) readAssignment(reader, assignment);
  if (reading.declares) for (const arg of args.slice(1)) readAssignment(reader, arg);
  if (reading.isPatch) readPatch(reader, args, line.input, unit, index);
  if (reading.runsInput !== null) readInput(reader, reading.runsInput, line.input, unit, base);
  let outcome = staying(reader);
  for (const inner of reading.inner) {
    const inside = readInner(reader, inner, unit, inner.context.addsArguments ? null : line.input);
    if (inner.place === 'shell') outcome = inside;
  }
  reader.wrappedBy = before;
  return reading.change === null ? outcome : changeDirectory(reader, line, reading.change, unit, leading);
}
const NO_ASSIGNMENTS: readonly string[] = [];

function readOperands(reader: Reader, args: readonly Arg[], base: string, notPaths: readonly number[], unit: number): void {
  const [program] = args;
  reader.unit = unit;
  reader.current = reader.units[unit] ?? null;
  const skipped = notPaths.length > 8 ? new Set(notPaths) : null;
  if (program !== undefined) readProgramPath(program, reader);
  for (let at = 1; at < args.length; at++) {
    const arg = args[at];
    if (arg !== undefined && (notPaths.length === 0 || !(skipped === null ? notPaths.includes(at) : skipped.has(at))))
      readOperand(arg, base, reader, reader);
  }
}

/** Words that are handed on by a variable or a loop: what they name is looked at like operands. `unit` as in `ShellTarget`. */
export function readValue(reader: Reader, arg: Arg, unit: number): void {
  reader.unit = unit;
  reader.current = null;
  readOperand(arg, '', reader, reader);
}

/** An assignment that decides which code runs is a unit of its own. */
export function readAssignment(reader: Reader, assignment: Arg): void {
  const equals = assignment.text.indexOf('=');
  if (equals <= 0) return;
  const name = assignment.text.slice(0, equals).replace(/\+$|\[.*$/s, '');
  const concern = variableConcern(name, assignment.text.slice(equals + 1), assignment.literal);
  if (concern !== null) addOpaqueUnit(reader, assignment.text, concern);
}

function changeDirectory(
  reader: Reader,
  line: CommandLine,
  change: Exclude<ProgramReading['change'], null>,
  unit: UnitDraft,
  leading: boolean,
): Outcome {
  reader.moved = true;
  const step = change === 'unknown' ? null : stepOf(reader, line, change);
  if (step === null) return { ok: null, fail: reader.directories };
  if (leading && line.assignments.length === 0 && !unit.opaque && unit.words[0] === 'cd') {
    unit.changesTo = step;
    reader.leading = true;
  }
  return { ok: stepInto(reader.directories, step, 'done'), fail: stepInto(reader.directories, step, 'failed') };
}

function stepOf(reader: Reader, line: CommandLine, change: { readonly operand: number | null; readonly physical: boolean }): Step | null {
  const arg = change.operand === null ? null : line.args[change.operand];
  const spellings = arg === null || arg === undefined ? [{ text: '~', isGlob: false }] : spellingsOf(arg, reader);
  const [spelling] = spellings;
  if (spelling === undefined || spellings.length > 1 || spelling.isGlob || spelling.text.includes(UNKNOWN)) return null;
  if (!reader.homeIsKnown && spelling.text.startsWith('~')) return null;
  if (reader.hasCdPath && !/^[./~]/.test(spelling.text)) return null;
  return { to: spelling.text, physical: change.physical };
}

// ------------------------------------------------------------------ what runs inside

function readInner(reader: Reader, inner: Inner, unit: UnitDraft, input: Input | null): Outcome {
  const saved = { directories: reader.directories, context: reader.context, leading: reader.leading, mayBePlainSh: reader.mayBePlainSh };
  if (reader.depth >= MAX_DEPTH) {
    addOpaqueUnit(reader, inner.form === 'text' ? inner.text : inner.args.map((arg) => arg.text).join(' '), 'it is wrapped too often to be followed');
    return staying(reader);
  }
  reader.depth++;
  if (inner.place === 'elsewhere') reader.directories = null;
  else if (typeof inner.place === 'object') reader.directories = stepInto(reader.directories, inner.place, 'done');
  reader.context = inner.context;
  if (inner.form === 'text') reader.mayBePlainSh = !KNOWN_AS_BASH.test(unit.words[0] ?? '');
  const outcome =
    inner.form === 'argv'
      ? readCommandLine(reader, { args: inner.args, assignments: inner.assignments, input })
      : readGivenText(reader, inner.text, inner.literal, unit);
  reader.depth--;
  reader.directories = saved.directories;
  reader.context = saved.context;
  reader.leading = saved.leading;
  reader.mayBePlainSh = saved.mayBePlainSh;
  return outcome;
}
/** Everything else hands text to `sh`, whatever that is. */
const KNOWN_AS_BASH = /(?:^|\/)(?:bash|rbash|zsh|rzsh|ksh|ksh93|mksh|trap|alias|eval|mapfile|readarray|compgen|complete)(?:\.exe)?$/;

/**
 * Text that does not parse is one opaque unit. Text that is not literal still shows commands that a deny may name, and makes
 * the wrapper opaque.
 */
function readGivenText(reader: Reader, text: string, literal: boolean, unit: UnitDraft): Outcome {
  const [units, errors, functions] = [reader.units.length, reader.errors.length, reader.functions.length];
  reader.leading = true;
  const outcome = reader.readText(reader, text);
  const isBroken = reader.errors.length > errors;
  if (!literal) makeOpaque(unit, 'the text it runs is not literal');
  // Units refer to each other by index, so either all stay or none.
  if (isBroken || (!literal && reader.units.slice(units).some((inner) => inner.opaque))) {
    reader.units.length = units;
    reader.errors.length = errors;
    reader.functions.length = functions;
    dropTargets(reader, units);
    if (literal) addOpaqueUnit(reader, text, 'the text does not parse');
  }
  return outcome;
}

function dropTargets(reader: Reader, start: number): void {
  const kept = reader.targets.filter((target) => target.unit < start);
  reader.targets.length = 0;
  reader.targets.push(...kept);
}

function readInput(reader: Reader, runs: 'shell' | 'code', input: Input | null, unit: UnitDraft, base: string): void {
  if (input === null) {
    makeOpaque(unit, 'it runs what it reads');
    addOpaqueUnit(reader, `standard input of ${base}`, 'nobody has seen what it reads');
  } else if (runs === 'code') {
    makeOpaque(unit, 'it runs code from its input');
    addOpaqueUnit(reader, input.text, 'code in another language');
  } else {
    readInner(reader, { form: 'text', text: input.text, literal: input.literal, context: AS_WRITTEN, place: 'here' }, unit, null);
  }
}

function readPatch(reader: Reader, args: readonly Arg[], input: Input | null, unit: UnitDraft, index: number): void {
  const patch = args[1] === undefined ? input : { text: args[1].text, literal: args[1].literal };
  if (patch === null || !patch.literal) {
    makeOpaque(unit, 'nobody has seen the patch');
    return;
  }
  const named = patchPaths(patch.text);
  const paths = named.length > 0 ? named : diffPaths(patch.text);
  const shared = { access: 'write', origin: 'redirect', unit: index, directories: reader.directories, isGlob: false } as const;
  for (const { path, deletes } of paths) addTarget(reader, { ...shared, raw: path, standing: 'certain', ...(deletes ? { deletes } : {}) });
  if (paths.length === 0) addTarget(reader, { ...shared, raw: 'patch', standing: 'unknown' });
}
