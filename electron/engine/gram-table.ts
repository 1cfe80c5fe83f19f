// Finds, for a text, the first rule whose pattern begins with a star. Such a pattern is filed under a few characters that
// any match must contain, the rarest of its longest literal piece; one pass over the text then names the few candidates.
// Candidates are always looked at before they count.

import { type Condition, NONE, pickHit } from './hits';
import { SLASH } from './path-text';

/** Longest key in characters. Shorter literal pieces are filed under all they have. */
const GRAM = 4;
/** Odd, near 2^32 divided by the golden ratio: spreads keys over the table (Knuth, The Art of Computer Programming, 6.4). */
const SPREAD = 0x9e3779b1;

export interface GramTable<Q> {
  /** Positions ascending. `pieces`: the literal parts of the pattern. False when none has a character: file it elsewhere. */
  add(pieces: readonly string[], position: number): boolean;
  /** Chooses keys; nothing may be added afterwards. */
  seal(): void;
  /** Smallest accepted position below `best`; `slash` reads one more `/` behind the end of the text. */
  search(text: string, slash: boolean, best: number, query: Q): number;
}

interface Shelf {
  readonly mask: number;
  readonly shift: number;
  readonly keys: Int32Array;
  /** Index into `buckets` plus one; 0 is an empty place. */
  readonly places: Int32Array;
  readonly buckets: readonly (readonly number[])[];
  readonly min: number;
  /**
   * INVARIANT: a candidate is looked at once per text, however often its key occurs there; otherwise hostile text would cost
   * its square. Holds, per bucket, the number of the search that looked last.
   */
  readonly lookedIn: Int32Array;
  searches: number;
}

export function createGramTable<Q>(condition: Condition<Q>): GramTable<Q> {
  const waiting: { readonly piece: string; readonly position: number }[] = [];
  let shelves: readonly (Shelf | null)[] = [];

  return {
    add(pieces, position) {
      const piece = pieces.reduce((longest, next) => (next.length > longest.length ? next : longest), '');
      if (piece === '') return false;
      waiting.push({ piece, position });
      return true;
    },

    seal() {
      const bySize = Array.from({ length: GRAM + 1 }, (): { piece: string; position: number }[] => []);
      for (const one of waiting) bySize[Math.min(GRAM, one.piece.length)]?.push(one);
      shelves = bySize.map((ones, size) => (ones.length === 0 ? null : shelf(ones, size)));
      waiting.length = 0;
    },

    search(text, slash, best, query) {
      let found = best;
      for (let size = 1; size < shelves.length; size++) {
        const one = shelves[size];
        if (one !== null && one !== undefined && one.min < found) found = searchShelf(one, size, text, slash, found, query, condition);
      }
      return found;
    },
  };
}

/** The low `8 * size` bits hold the last `size` characters; wider characters mix, which costs a second look and no match. */
const maskOf = (size: number): number => (size === GRAM ? -1 : (1 << (8 * size)) - 1);

function shelf(ones: readonly { readonly piece: string; readonly position: number }[], size: number): Shelf {
  const counts = new Map<number, number>();
  for (const { piece } of ones) for (const key of keysOf(piece, size)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const byKey = new Map<number, number[]>();
  for (const { piece, position } of ones) {
    let rarest = 0;
    let fewest = NONE;
    for (const key of keysOf(piece, size)) {
      const count = counts.get(key) ?? 0;
      if (count < fewest) {
        fewest = count;
        rarest = key;
      }
    }
    const positions = byKey.get(rarest);
    if (positions === undefined) byKey.set(rarest, [position]);
    else positions.push(position);
  }
  let bits = 4;
  while (1 << bits < byKey.size * 4) bits++;
  const mask = (1 << bits) - 1;
  const shift = 32 - bits;
  const keys = new Int32Array(mask + 1);
  const places = new Int32Array(mask + 1);
  const buckets: (readonly number[])[] = [];
  let min = NONE;
  for (const [key, positions] of byKey) {
    let slot = Math.imul(key, SPREAD) >>> shift;
    while (places[slot] !== 0) slot = (slot + 1) & mask;
    keys[slot] = key;
    places[slot] = buckets.push(positions);
    min = Math.min(min, positions[0] ?? NONE);
  }
  return { mask, shift, keys, places, buckets, min, lookedIn: new Int32Array(buckets.length), searches: 0 };
}

function nextSearch(one: Shelf): number {
  if (one.searches === NONE) {
    one.lookedIn.fill(0);
    one.searches = 0;
  }
  one.searches += 1;
  return one.searches;
}

function* keysOf(piece: string, size: number): Iterable<number> {
  const mask = maskOf(size);
  let key = 0;
  for (let index = 0; index < piece.length; index++) {
    key = (key << 8) ^ piece.charCodeAt(index);
    if (index >= size - 1) yield key & mask;
  }
}

function searchShelf<Q>(shelfOfSize: Shelf, size: number, text: string, slash: boolean, best: number, query: Q, condition: Condition<Q>): number {
  const { mask, shift, keys, places, buckets, lookedIn } = shelfOfSize;
  const search = nextSearch(shelfOfSize);
  const keyMask = maskOf(size);
  const length = text.length;
  const end = slash ? length + 1 : length;
  let found = best;
  let rolling = 0;
  for (let index = 0; index < end; index++) {
    rolling = (rolling << 8) ^ (index < length ? text.charCodeAt(index) : SLASH);
    if (index < size - 1) continue;
    const key = rolling & keyMask;
    let slot = Math.imul(key, SPREAD) >>> shift;
    for (let place = places[slot] ?? 0; place !== 0; place = places[slot] ?? 0) {
      if (keys[slot] === key) {
        if (lookedIn[place - 1] === search) break;
        lookedIn[place - 1] = search;
        found = pickHit(buckets[place - 1] ?? [], found, query, condition);
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return found;
}
