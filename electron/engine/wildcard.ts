// The wildcard of spec 5.1: `*` is any run of characters, also empty, also `/`; everything else is literal; anchored at
// both ends. Knows nothing of tools, paths or commands, and never uses regular expressions.

/** A pattern taken apart once. Without a star `pieces` has one element; otherwise head, middle pieces, tail. */
export interface Wildcard {
  readonly pattern: string;
  readonly pieces: readonly string[];
  /** The same pattern without its final ` *`, which it also matches (`git *` matches `git`); null for other patterns. */
  readonly withoutTail: readonly string[] | null;
}

const TAIL = ' *';

/** Runs of stars mean one star, so they are joined first. */
export function compileWildcard(pattern: string): Wildcard {
  return {
    pattern,
    pieces: piecesOf(pattern),
    withoutTail: pattern.endsWith(TAIL) ? piecesOf(pattern.slice(0, -TAIL.length)) : null,
  };
}

export function wildcardMatches(wildcard: Wildcard, text: string): boolean {
  return piecesMatch(wildcard.pieces, text) || (wildcard.withoutTail !== null && piecesMatch(wildcard.withoutTail, text));
}

/** Literal text before the first star; the whole pattern when it has none. */
export const literalHead = (wildcard: Wildcard): string => wildcard.pieces[0] ?? '';

/** One star, at the end, behind some text: everything that begins so matches. */
export const isPrefix = (wildcard: Wildcard): boolean => wildcard.pieces.length === 2 && wildcard.pieces[1] === '' && literalHead(wildcard) !== '';

/** One star, in front of some text: everything that ends so matches. */
export const isSuffix = (wildcard: Wildcard): boolean => wildcard.pieces.length === 2 && wildcard.pieces[0] === '' && wildcard.pieces[1] !== '';

/** Every match begins so. `git *` also matches `git`, which `git ` is not a beginning of. */
export const headOfEveryMatch = (wildcard: Wildcard): string =>
  wildcard.withoutTail === null ? literalHead(wildcard) : literalHead(wildcard).trimEnd();

function piecesOf(pattern: string): readonly string[] {
  return pattern.includes('**') ? pattern.replace(/\*+/g, '*').split('*') : pattern.split('*');
}

/**
 * INVARIANT (issue: hostile patterns): time is linear in pattern and text. Each middle piece takes its first place after the
 * one before, which is enough because a star can always stretch; nothing is tried twice.
 */
function piecesMatch(pieces: readonly string[], text: string): boolean {
  const head = pieces[0] ?? '';
  const last = pieces.length - 1;
  if (last === 0) return text === head;
  const tail = pieces[last] ?? '';
  const end = text.length - tail.length;
  if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let from = head.length;
  for (let index = 1; index < last; index++) {
    const piece = pieces[index] ?? '';
    const at = find(text, piece, from);
    if (at < 0 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}

/** Up to this length the engine's own search is linear with a small factor; beyond it can be quadratic on hostile text. */
const NATIVE_SEARCH_MAX = 32;

function find(text: string, piece: string, from: number): number {
  return piece.length <= NATIVE_SEARCH_MAX ? text.indexOf(piece, from) : findLong(text, piece, from);
}

/** Knuth, Morris and Pratt, 1977: never moves backwards in the text. */
function findLong(text: string, piece: string, from: number): number {
  const fallback = new Int32Array(piece.length);
  for (let index = 1, matched = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index);
    while (matched > 0 && code !== piece.charCodeAt(matched)) matched = fallback[matched - 1] ?? 0;
    if (code === piece.charCodeAt(matched)) matched++;
    fallback[index] = matched;
  }
  for (let index = from, matched = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (matched > 0 && code !== piece.charCodeAt(matched)) matched = fallback[matched - 1] ?? 0;
    if (code === piece.charCodeAt(matched)) matched++;
    if (matched === piece.length) return index - piece.length + 1;
  }
  return -1;
}
