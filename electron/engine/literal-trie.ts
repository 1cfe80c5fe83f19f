// Finds, for a text, the first rule whose literal is the text or a beginning of it. The cost depends on the text's length and
// not on how many rules there are. Radix tree (Morrison, 1968) whose nodes know the smallest position below them.

import { addHit, type Condition, type Hits, NONE, pickHit } from './hits';
import { SLASH } from './path-text';

interface Node {
  label: string;
  /** Smallest position in this subtree. */
  min: number;
  /** Rules whose literal ends here and that match whatever follows, and those that need the text to end here too. */
  prefix: number[] | null;
  exact: number[] | null;
  /** One child is kept flat; more are looked up by character code from `low` on, wide characters in a map. */
  onlyCode: number;
  only: Node | null;
  low: number;
  byCode: (Node | undefined)[] | null;
  byWideCode: Map<number, Node> | null;
}

const WIDE = 128;

function node(label: string, min: number): Node {
  return { label, min, prefix: null, exact: null, onlyCode: -1, only: null, low: 0, byCode: null, byWideCode: null };
}

function child(parent: Node, code: number): Node | undefined {
  if (parent.onlyCode === code) return parent.only ?? undefined;
  if (parent.byCode !== null && code < WIDE) return code < parent.low ? undefined : parent.byCode[code - parent.low];
  return parent.byWideCode?.get(code);
}

function setChild(parent: Node, code: number, kid: Node): void {
  if (parent.onlyCode === code || (parent.onlyCode < 0 && parent.byCode === null && parent.byWideCode === null)) {
    parent.onlyCode = code;
    parent.only = kid;
    return;
  }
  const { onlyCode, only } = parent;
  parent.onlyCode = -1;
  parent.only = null;
  if (only !== null) setMany(parent, onlyCode, only);
  setMany(parent, code, kid);
}

function setMany(parent: Node, code: number, kid: Node): void {
  if (code >= WIDE) {
    parent.byWideCode ??= new Map();
    parent.byWideCode.set(code, kid);
    return;
  }
  const { byCode, low } = parent;
  if (byCode === null) {
    parent.low = code;
    parent.byCode = [kid];
    return;
  }
  if (code < low) {
    byCode.unshift(...new Array<Node | undefined>(low - code).fill(undefined));
    parent.low = code;
    byCode[0] = kid;
    return;
  }
  while (byCode.length <= code - low) byCode.push(undefined);
  byCode[code - low] = kid;
}

/** By UTF-16 unit, as texts are compared. */
function reversed(text: string): string {
  let turned = '';
  for (let index = text.length - 1; index >= 0; index--) turned += text[index];
  return turned;
}

export interface LiteralTrie<Q> {
  /** Positions ascending. `whole`: the text has to end where the literal does. */
  add(literal: string, position: number, whole: boolean): void;
  /** Smallest accepted position below `best`, for the text from `start` on; `slash` reads one more `/` behind its end. */
  search(text: string, start: number, slash: boolean, best: number, query: Q): number;
}

/** `backwards`: literals and texts are read from their ends, so that it finds endings. */
export function createLiteralTrie<Q>(condition: Condition<Q>, backwards = false): LiteralTrie<Q> {
  const root = node('', NONE);

  function nodeOf(literal: string, position: number): Node {
    let current = root;
    let at = 0;
    for (;;) {
      if (position < current.min) current.min = position;
      if (at === literal.length) return current;
      const code = literal.charCodeAt(at);
      const kid = child(current, code);
      if (kid === undefined) {
        const leaf = node(literal.slice(at), position);
        setChild(current, code, leaf);
        return leaf;
      }
      const label = kid.label;
      let shared = 1;
      while (shared < label.length && at + shared < literal.length && label.charCodeAt(shared) === literal.charCodeAt(at + shared)) shared++;
      if (shared < label.length) {
        const middle = node(label.slice(0, shared), kid.min);
        setChild(middle, label.charCodeAt(shared), kid);
        kid.label = label.slice(shared);
        setChild(current, code, middle);
        current = middle;
      } else {
        current = kid;
      }
      at += shared;
    }
  }

  const pick = (hits: Hits | null, best: number, query: Q): number =>
    hits === null || (hits[0] ?? NONE) >= best ? best : pickHit(hits, best, query, condition);

  function searchBackwards(text: string, best: number, query: Q): number {
    let current = root;
    let at = text.length - 1;
    let found = best;
    for (;;) {
      if (current.prefix !== null) found = pick(current.prefix, found, query);
      if (at < 0 || current.min >= found) return found;
      const kid = child(current, text.charCodeAt(at));
      if (kid === undefined || kid.min >= found) return found;
      const label = kid.label;
      if (label.length > at + 1) return found;
      for (let index = 1; index < label.length; index++) if (label.charCodeAt(index) !== text.charCodeAt(at - index)) return found;
      at -= label.length;
      current = kid;
    }
  }

  return {
    add(literal, position, whole) {
      const target = nodeOf(backwards ? reversed(literal) : literal, position);
      const hits = (whole ? target.exact : target.prefix) ?? [];
      addHit(hits, position, condition);
      if (whole) target.exact = hits;
      else target.prefix = hits;
    },

    search(text, start, slash, best, query) {
      if (backwards) return searchBackwards(text, best, query);
      const length = text.length;
      const end = slash ? length + 1 : length;
      let current = root;
      let at = start;
      let found = best;
      for (;;) {
        if (current.prefix !== null) found = pick(current.prefix, found, query);
        if (at >= end) return pick(current.exact, found, query);
        if (current.min >= found) return found;
        const kid = child(current, at < length ? text.charCodeAt(at) : SLASH);
        if (kid === undefined || kid.min >= found) return found;
        const label = kid.label;
        const size = label.length;
        const inText = Math.min(size, length - at);
        for (let index = 1; index < inText; index++) if (label.charCodeAt(index) !== text.charCodeAt(at + index)) return found;
        // Only the one slash behind the text can be left to compare.
        if (inText < size && (at + size > end || (inText > 0 && label.charCodeAt(inText) !== SLASH))) return found;
        at += size;
        current = kid;
      }
    },
  };
}
