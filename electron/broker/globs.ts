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

/**
 * `pattern`: wildcards as a shell has them, a backslash makes the next character literal. Beyond the bounds `isOfInterest` says
 * which names are still kept: those that are links, or that a rule names.
 */
export function expandGlob(pattern: string, base: string | null, paths: Paths, isOfInterest: (name: string) => boolean): GlobMatches {
  const segments = pattern.split('/');
  const first = segments.findIndex(isWild);
  const directory = segments.slice(0, first).map(unescaped).join('/') + (first > 0 ? '/' : '');
  const start = paths.canonical(directory === '' ? '.' : directory, base);
  if (start.path === null || first < 0) return { found: [], directory };
  const budget = { names: MAX_NAMES, directories: MAX_DIRECTORIES };
  let reached: readonly string[] = [start.path];
  for (const segment of segments.slice(first)) {
    if (segment === '') continue;
    reached = isWild(segment)
      ? reached.flatMap((parent) => namesIn(parent, segment, budget, isOfInterest))
      : reached.map((parent) => below(parent, unescaped(segment)));
    if (reached.length > MAX_FOUND)
      reached = reached.filter((path, index) => index < MAX_FOUND || isOfInterest(path.slice(path.lastIndexOf('/') + 1)));
  }
  return { found: reached, directory };
}

const below = (parent: string, name: string): string => (parent.endsWith('/') ? parent + name : `${parent}/${name}`);
const isWild = (segment: string): boolean => /(?:^|[^\\])(?:\\\\)*[*?[]/.test(segment);
const unescaped = (segment: string): string => segment.replace(/\\(.)/gs, '$1');

function namesIn(parent: string, segment: string, budget: { names: number; directories: number }, isOfInterest: (name: string) => boolean): string[] {
  if (budget.directories-- <= 0 || budget.names <= 0) return [];
  const matches = nameMatcher(segment);
  const found: string[] = [];
  try {
    for (const entry of readdirSync(parent, { withFileTypes: true })) {
      if (budget.names-- <= 0) break;
      if (!matches(entry.name)) continue;
      if (found.length < MAX_FOUND || entry.isSymbolicLink() || isOfInterest(entry.name)) found.push(below(parent, entry.name));
    }
  } catch {
    // No directory, or none that may be listed: a shell finds nothing there either.
  }
  // `**` also stands for no directory at all.
  if (/^\*\*+$/.test(segment)) found.push(parent);
  return found;
}

/** A name that begins with a dot is matched only by a pattern that begins with one. */
function nameMatcher(segment: string): (name: string) => boolean {
  const expression = expressionOf(segment);
  const seesHidden = unescaped(segment).startsWith('.');
  return (name) => (seesHidden || !name.startsWith('.')) && expression.test(name);
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

function expressionOf(segment: string): RegExp {
  let source = '';
  for (let at = 0; at < segment.length; at++) {
    const char = segment[at] ?? '';
    if (char === '\\') source += literal(segment[++at] ?? '\\');
    else if (char === '*') {
      // Runs of `*` are one: a name is short, but the text of an agent need not be kind.
      while (segment[at + 1] === '*') at++;
      source += '.*';
    } else if (char === '?') source += '.';
    else if (char === '[') {
      const bracket = bracketAt(segment, at);
      source += bracket === null ? '\\[' : bracket.source;
      if (bracket !== null) at = bracket.end;
    } else source += literal(char);
  }
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    // A set that makes no sense to us may match anything.
    return /^/;
  }
}

const literal = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function bracketAt(segment: string, open: number): { readonly source: string; readonly end: number } | null {
  const isNegated = segment[open + 1] === '!' || segment[open + 1] === '^';
  let source = isNegated ? '[^' : '[';
  for (let at = open + (isNegated ? 2 : 1), isFirst = true; at < segment.length; at++, isFirst = false) {
    const char = segment[at] ?? '';
    if (char === ']' && !isFirst) return { source: `${source}]`, end: at };
    const named = /^\[:(\w+):\]/.exec(segment.slice(at, at + 16));
    if (named !== null) {
      source += CLASSES[named[1] ?? ''] ?? '\\s\\S';
      at += named[0].length - 1;
    } else if (char === '\\') source += literal(segment[++at] ?? '\\');
    else source += char === '-' ? '-' : literal(char);
  }
  return null;
}
