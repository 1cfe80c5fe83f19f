// Wildcards of shell operands on the disk: which existing paths `*`, `?` and `[…]` stand for. Bounded, since a shell would go on
// for as long as there are names. Matches names only; what a path means is asked elsewhere.

import { readdirSync } from 'node:fs';
import type { Paths } from './paths';

export interface GlobMatches {
  /** Absolute, below the canonical directory where the wildcards begin. */
  readonly found: readonly string[];
  /** The literal directory before the first wildcard, as written; empty when there is none. */
  readonly directory: string;
}

const MAX_NAMES = 20_000;
const MAX_FOUND = 200;
const MAX_DIRECTORIES = 200;
/** No path is longer. */
const MAX_PATTERN_CHARS = 4096;

/**
 * `pattern`: wildcards as a shell has them, a backslash makes the next character literal. Beyond the bounds `isOfInterest` says
 * which names are still kept: those that are links, or that a rule names.
 */
export function expandGlob(pattern: string, base: string | null, paths: Paths, isOfInterest: (name: string) => boolean): GlobMatches {
  const segments = pattern.split('/');
  const first = segments.findIndex(isWild);
  const directory = segments.slice(0, first).map(unescaped).join('/') + (first > 0 ? '/' : '');
  const start = paths.canonical(directory === '' ? '.' : directory, base);
  if (start.path === null || first < 0 || pattern.length > MAX_PATTERN_CHARS) return { found: [], directory };
  const budget: Budget = { names: MAX_NAMES, directories: MAX_DIRECTORIES, found: MAX_FOUND };
  let reached: readonly string[] = [start.path];
  for (const segment of segments.slice(first)) {
    if (segment === '') continue;
    budget.found = MAX_FOUND;
    const name = unescaped(segment);
    reached = isWild(segment)
      ? reached.flatMap((parent) => namesIn(parent, segment, budget, isOfInterest))
      : reached.filter((parent) => name === '..' || paths.mayExist(name, parent)).map((parent) => below(parent, name));
  }
  return { found: reached, directory };
}

interface Budget {
  names: number;
  directories: number;
  found: number;
}

const below = (parent: string, name: string): string => (parent.endsWith('/') ? parent + name : `${parent}/${name}`);
const isWild = (segment: string): boolean => /(?:^|[^\\])(?:\\\\)*[*?[]/.test(segment);
const unescaped = (segment: string): string => segment.replace(/\\(.)/gs, '$1');

function namesIn(parent: string, segment: string, budget: Budget, isOfInterest: (name: string) => boolean): string[] {
  if (budget.directories-- <= 0 || budget.names <= 0) return [];
  const matches = nameMatcher(segment);
  const found: string[] = [];
  try {
    for (const entry of readdirSync(parent, { withFileTypes: true })) {
      if (budget.names-- <= 0) break;
      if (!matches(entry.name)) continue;
      if (budget.found-- > 0 || entry.isSymbolicLink() || isOfInterest(entry.name)) found.push(below(parent, entry.name));
    }
  } catch {
    // No directory, or none that may be listed: a shell finds nothing there either.
  }
  // `**` also stands for no directory at all.
  if (/^\*\*+$/.test(segment)) found.push(parent);
  return found;
}

// ------------------------------------------------------------------ one name

const ANY = Symbol('any character');
const RUN = Symbol('any run of characters');
/** A character, a set of them, any one, or any run. */
type Piece = string | RegExp | typeof ANY | typeof RUN;

/** A name that begins with a dot is matched only by a pattern that begins with one. */
function nameMatcher(segment: string): (name: string) => boolean {
  const pieces = piecesOf(segment);
  const seesHidden = unescaped(segment).startsWith('.');
  return (name) => (seesHidden || !name.startsWith('.')) && matches(pieces, [...name]);
}

/** Only the last run is ever tried again, so that the time is linear in pattern and name. */
function matches(pieces: readonly Piece[], name: readonly string[]): boolean {
  let [at, piece, runAt, afterRun] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = pieces[piece];
    if (wanted === RUN) {
      runAt = piece++;
      afterRun = at;
    } else if (wanted !== undefined && fits(wanted, name[at] ?? '')) {
      at++;
      piece++;
    } else if (runAt >= 0) {
      piece = runAt + 1;
      at = ++afterRun;
    } else return false;
  }
  while (pieces[piece] === RUN) piece++;
  return piece === pieces.length;
}

const fits = (piece: Piece, char: string): boolean => piece === ANY || (piece instanceof RegExp ? piece.test(char) : piece === char);

function piecesOf(segment: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < segment.length; at++) {
    const char = String.fromCodePoint(segment.codePointAt(at) ?? 0);
    const bracket = char === '[' ? bracketAt(segment, at) : null;
    if (bracket !== null) {
      pieces.push(bracket.set);
      at = bracket.end;
    } else if (char === '\\' && at + 1 < segment.length) pieces.push(segment[++at] ?? '');
    else {
      pieces.push(char === '*' ? RUN : char === '?' ? ANY : char);
      at += char.length - 1;
    }
  }
  return pieces;
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{N}',
  alpha: '\\p{L}',
  blank: ' \\t',
  digit: '0-9',
  lower: '\\p{Ll}',
  punct: '\\p{P}\\p{S}',
  space: '\\s',
  upper: '\\p{Lu}',
  xdigit: '0-9A-Fa-f',
};
const MAX_SET_CHARS = 200;

/** The set that begins at `open`; null when none ends. */
function bracketAt(segment: string, open: number): { readonly set: Piece; readonly end: number } | null {
  const close = segment.indexOf(']', open + 2);
  if (close < 0 || close > open + MAX_SET_CHARS) return null;
  const isNegated = segment[open + 1] === '!' || segment[open + 1] === '^';
  let source = isNegated ? '[^' : '[';
  for (let at = open + (isNegated ? 2 : 1), isFirst = true; at < Math.min(segment.length, open + MAX_SET_CHARS); at++, isFirst = false) {
    const char = segment[at] ?? '';
    if (char === ']' && !isFirst) return { set: setOf(`${source}]`), end: at };
    const named = char === '[' && segment[at + 1] === ':' ? /^\[:(\w+):\]/.exec(segment.slice(at, at + 16)) : null;
    if (named !== null) {
      source += CLASSES[named[1] ?? ''] ?? '\\s\\S';
      at += named[0].length - 1;
    } else if (char === '\\') source += literal(segment[++at] ?? '\\');
    else source += char === '-' ? '-' : literal(char);
  }
  return null;
}

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A set that makes no sense to us may hold any character. */
function setOf(source: string): Piece {
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    return ANY;
  }
}
