// The small lists of rule positions that every index keeps at its leaves. Lower position wins; a position may be conditional,
// which means that the rule behind it has to be looked at before it counts. Knows nothing of what rules are.

/** No rule found yet: every position is below it. */
export const NONE = 0x7fffffff;

/** Decides about conditional positions. `Q` is whatever the owner asks with. */
export interface Condition<Q> {
  /** Whether the rule has to be looked at for this query; otherwise the position counts. */
  isConditional(position: number, query: Q): boolean;
  accepts(position: number, query: Q): boolean;
  /** No query that could take `later` passes over `earlier`. */
  shadows(earlier: number, later: number): boolean;
}

/** Ascending, without those that another in front of them always wins over. */
export type Hits = readonly number[];

/** Positions have to be added in ascending order. */
export function addHit(hits: number[], position: number, condition: Condition<never>): void {
  const last = hits.at(-1);
  if (last === position || (last !== undefined && condition.shadows(last, position))) return;
  hits.push(position);
}

/** The smallest position below `best` that counts for this query; `best` when none does. */
export function pickHit<Q>(hits: Hits, best: number, query: Q, condition: Condition<Q>): number {
  for (let index = 0; index < hits.length; index++) {
    const position = hits[index] ?? NONE;
    if (position >= best) return best;
    if (!condition.isConditional(position, query) || condition.accepts(position, query)) return position;
  }
  return best;
}
