// Finds, for a text, the first rule whose pattern begins with a star. Such a pattern is filed under a few characters in a row
// that every match must contain, the rarest of its longest literal piece. A search jumps over most of the text (Wu and Manber,
// 1994) and looks at the few candidates that are left; a candidate only counts when it was looked at.

import { type Condition, NONE, pickHit } from './hits';
import { SLASH } from './path-text';

/** Lengths of the runs of characters that pieces are filed under; a piece goes to the longest that fits. */
const WINDOWS = [8, 4, 3, 2, 1] as const;
const SIEVE_BITS = 12;
const SIEVE_MASK = (1 << SIEVE_BITS) - 1;
/** Odd, near 2^32 divided by the golden ratio: spreads keys (Knuth, The Art of Computer Programming, 6.4). */
const SPREAD = 0x9e3779b1;

export interface PieceTable<Q> {
  /** Positions ascending. `pieces`: the literal parts of the pattern. False when none has a character: file it elsewhere. */
  add(pieces: readonly string[], position: number): boolean;
  /** Chooses what to file under; nothing may be added afterwards. */
  seal(): void;
  /** Smallest accepted position below `best`; `slash` reads one more `/` behind the end of the text. */
  search(text: string, slash: boolean, best: number, query: Q): number;
}

interface Shelf {
  readonly window: number;
  /** Characters at the end of a window by which it is sieved. */
  readonly block: number;
  /** How far the end of the window may move on when it ends in this block; 0: look closer. */
  readonly shifts: Uint8Array;
  readonly buckets: ReadonlyMap<number, Bucket>;
  readonly min: number;
  searches: number;
}
interface Bucket {
  readonly positions: number[];
  /**
   * INVARIANT: number of the search that looked here last. A candidate is looked at once per text, however often its characters
   * occur there; otherwise hostile text would cost its square.
   */
  lookedAt: number;
}
interface Filed {
  readonly piece: string;
  readonly position: number;
}

export function createPieceTable<Q>(condition: Condition<Q>): PieceTable<Q> {
  const waiting: Filed[] = [];
  let shelves: readonly Shelf[] = [];

  return {
    add(pieces, position) {
      const piece = pieces.reduce((longest, next) => (next.length > longest.length ? next : longest), '');
      if (piece === '') return false;
      waiting.push({ piece, position });
      return true;
    },

    seal() {
      shelves = WINDOWS.flatMap((window, index) => {
        const longer = index === 0 ? NONE : (WINDOWS[index - 1] ?? NONE);
        const filed = waiting.filter(({ piece }) => piece.length >= window && piece.length < longer);
        return filed.length === 0 ? [] : [createShelf(filed, window)];
      });
      waiting.length = 0;
    },

    search(text, slash, best, query) {
      let found = best;
      for (let index = 0; index < shelves.length; index++) {
        const shelf = shelves[index];
        if (shelf !== undefined && shelf.min < found) found = searchShelf(shelf, text, slash, found, query, condition);
      }
      return found;
    },
  };
}

function createShelf(filed: readonly Filed[], window: number): Shelf {
  const counts = new Map<number, number>();
  for (const { piece } of filed) {
    for (let at = 0; at + window <= piece.length; at++) {
      const key = keyAt(piece, at, window, false);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const block = Math.min(3, window);
  const shifts = new Uint8Array(SIEVE_MASK + 1).fill(window - block + 1);
  const buckets = new Map<number, Bucket>();
  let min = NONE;
  for (const { piece, position } of filed) {
    let chosen = 0;
    let fewest = NONE;
    for (let at = 0; at + window <= piece.length; at++) {
      const count = counts.get(keyAt(piece, at, window, false)) ?? 0;
      if (count < fewest) {
        fewest = count;
        chosen = at;
      }
    }
    for (let end = block - 1; end < window; end++) {
      const sieved = blockEndingAt(piece, chosen + end, block, piece.length);
      shifts[sieved] = Math.min(shifts[sieved] ?? 0, window - 1 - end);
    }
    const key = keyAt(piece, chosen, window, false);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, { positions: [position], lookedAt: 0 });
    else bucket.positions.push(position);
    if (position < min) min = position;
  }
  return { window, block, shifts, buckets, min, searches: 0 };
}

function searchShelf<Q>(shelf: Shelf, text: string, slash: boolean, best: number, query: Q, condition: Condition<Q>): number {
  const { window, block, shifts, buckets } = shelf;
  const length = slash ? text.length + 1 : text.length;
  const search = nextSearch(shelf);
  let found = best;
  let end = window - 1;
  while (end < length) {
    const shift = shifts[blockEndingAt(text, end, block, text.length)] ?? 1;
    if (shift > 0) {
      end += shift;
      continue;
    }
    const bucket = buckets.get(keyAt(text, end - window + 1, window, slash));
    if (bucket !== undefined && bucket.lookedAt !== search) {
      bucket.lookedAt = search;
      found = pickHit(bucket.positions, found, query, condition);
    }
    end += 1;
  }
  return found;
}

function nextSearch(shelf: Shelf): number {
  if (shelf.searches === NONE) {
    for (const bucket of shelf.buckets.values()) bucket.lookedAt = 0;
    shelf.searches = 0;
  }
  shelf.searches += 1;
  return shelf.searches;
}

/** The last `block` characters up to `end`; behind the text stands a slash. Different blocks may meet: they are only sieved. */
function blockEndingAt(text: string, end: number, block: number, length: number): number {
  let sieved = end < length ? text.charCodeAt(end) : SLASH;
  if (block > 1) sieved ^= text.charCodeAt(end - 1) << 4;
  if (block > 2) sieved ^= text.charCodeAt(end - 2) << 8;
  return sieved & SIEVE_MASK;
}

function keyAt(text: string, start: number, window: number, slash: boolean): number {
  let key = 0;
  for (let index = start; index < start + window; index++) {
    key = Math.imul(key ^ (slash && index === text.length ? SLASH : text.charCodeAt(index)), SPREAD);
  }
  return key;
}
