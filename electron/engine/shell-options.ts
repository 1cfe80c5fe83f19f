// Options of a command line, read the way getopt reads them: up to the first operand. Knows the shape of options, not their
// meaning; an option that a table does not name makes the reading unsure, and an unsure reading is never taken for a safe one.

import { type Arg, literalArg } from './shell-words';

/** `flag` stands alone, `value` takes the rest of its word or the next word, `optional` takes only what is glued to it. */
type OptionKind = 'flag' | 'value' | 'optional';
export type OptionTable = ReadonlyMap<string, OptionKind>;

/**
 * A table from a line such as `u: g: A n --user: --login --replace?`: `:` takes a value, `?` may take a glued one, nothing is a
 * flag. `#` stands for any digit, `--*` for any long option that is not named, taken for a flag.
 */
export function options(line: string): OptionTable {
  const table = new Map<string, OptionKind>();
  for (const item of line.split(' ')) {
    if (item === '') continue;
    const kind = item.endsWith(':') ? 'value' : item.endsWith('?') ? 'optional' : 'flag';
    const name = kind === 'flag' ? item : item.slice(0, -1);
    table.set(name.startsWith('-') ? name : `-${name}`, kind);
  }
  return table;
}

export interface ReadOption {
  /** `-u` or `--user`, without its value. */
  readonly name: string;
  readonly value: Arg | null;
  /** Index of the word that holds the value, or the option itself when it has none. */
  readonly index: number;
}
export interface ReadOptions {
  readonly found: readonly ReadOption[];
  /** Index of the first argument that is no option. */
  readonly next: number;
  /** Options that are in no table: whether the next word belongs to them is open. */
  readonly unknown: readonly string[];
  /** A word before the end may become no word or several. */
  readonly splits: boolean;
  /** The options ended with `--`. */
  readonly ended: boolean;
  /** Option after which everything is something else (`restOptions`); `next` is then the word after it. */
  readonly stopped: string | null;
}

export function readOptions(args: readonly Arg[], start: number, table: OptionTable, restOptions: readonly string[] = []): ReadOptions {
  const first = args[start];
  // Mostly there is no option at all.
  if (first === undefined || first.text.charCodeAt(0) !== DASH)
    return { found: NONE, next: Math.min(start, args.length), unknown: NONE, splits: false, ended: false, stopped: null };
  const found: ReadOption[] = [];
  const unknown: string[] = [];
  let splits = false;
  let at = start;
  for (; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    if (arg.splits && arg.text.startsWith('-')) splits = true;
    const { text } = arg;
    if (text === '--') return { found, next: at + 1, unknown, splits, ended: true, stopped: null };
    if (text.length < 2 || text[0] !== '-') break;
    const word = text[1] === '-' ? longOption(arg, table) : shortOptions(arg, table);
    for (const option of word.found) found.push({ ...option, index: at });
    if (word.unknown !== null) unknown.push(word.unknown);
    if (word.waiting === null) continue;
    if (restOptions.includes(word.waiting)) return { found, next: at + 1, unknown, splits, ended: false, stopped: word.waiting };
    const value = args[at + 1] ?? null;
    if (value?.splits === true) splits = true;
    at++;
    found.push({ name: word.waiting, value, index: at });
  }
  return { found, next: Math.min(at, args.length), unknown, splits, ended: false, stopped: null };
}

const DASH = 45;
const NONE: readonly never[] = [];

interface OneWord {
  readonly found: readonly Omit<ReadOption, 'index'>[];
  readonly unknown: string | null;
  /** Option that takes the next word. */
  readonly waiting: string | null;
}

function longOption(arg: Arg, table: OptionTable): OneWord {
  const equals = arg.text.indexOf('=');
  const written = equals < 0 ? arg.text : arg.text.slice(0, equals);
  const name = table.has(written) ? written : completed(written, table);
  const kind = table.get(name) ?? table.get('--*');
  const unknown = kind === undefined ? name : null;
  if (equals >= 0) return { found: [{ name, value: partOf(arg, equals + 1) }], unknown, waiting: null };
  if (kind === 'value') return { found: [], unknown: null, waiting: name };
  return { found: [{ name, value: null }], unknown, waiting: null };
}

/** GNU programs take any beginning of a long option that only one option has. */
function completed(written: string, table: OptionTable): string {
  if (written.length < 4 || table.has('--*')) return written;
  const names = [...table.keys()].filter((name) => name.startsWith(written));
  return names.length === 1 ? (names[0] ?? written) : written;
}

function shortOptions(arg: Arg, table: OptionTable): OneWord {
  const found: Omit<ReadOption, 'index'>[] = [];
  for (let at = 1; at < arg.text.length; at++) {
    const letter = arg.text[at] ?? '';
    const name = `-${letter}`;
    const kind = table.get(name) ?? (letter >= '0' && letter <= '9' ? table.get('-#') : undefined);
    if (kind === undefined) return { found: [...found, { name, value: null }], unknown: name, waiting: null };
    if (kind === 'flag') {
      found.push({ name, value: null });
      continue;
    }
    const rest = at + 1 < arg.text.length ? partOf(arg, at + 1) : null;
    if (rest === null && kind === 'value') return { found, unknown: null, waiting: name };
    return { found: [...found, { name, value: rest }], unknown: null, waiting: null };
  }
  return { found, unknown: null, waiting: null };
}

/** The end of an argument as an argument of its own. */
export function partOf(arg: Arg, start: number): Arg {
  const text = arg.text.slice(start);
  return arg.literal ? literalArg(text) : { text, literal: false, splits: arg.splits, word: null };
}

export const optionValue = (read: ReadOptions, ...names: readonly string[]): Arg | null =>
  read.found.findLast((option) => names.includes(option.name))?.value ?? null;
export const hasOption = (read: ReadOptions, ...names: readonly string[]): boolean => read.found.some((option) => names.includes(option.name));
