// Where a command of shell text may stand: the `cd` arguments in force, as far as the text tells. Knows no disk: whether a
// directory exists, and so whether its `cd` succeeds, is for the broker's edge to find out.

/** A `cd` as written. */
export interface Step {
  /** Quotes resolved, `~` for a bare `cd`. */
  readonly to: string;
  /** `cd -P`: `..` climbs from where a link leads, not from the link. */
  readonly physical: boolean;
}

/** One way from the directory of the call to where a command may stand. */
export interface Place {
  /** Null: the directory of the call. */
  readonly from: Place | null;
  readonly step: Step;
  /** The step succeeded, failed (so it is still `from`), or did either. A directory that exists is one that can be entered. */
  readonly outcome: 'done' | 'failed' | 'either';
  readonly steps: number;
}

/** Every place that a command may run in; null: nobody can tell. */
export type Directories = readonly (Place | null)[] | null;

export const START: Directories = [null];

/** Beyond these a person could not follow either. */
const MAX_ALTERNATIVES = 8;
const MAX_STEPS = 64;

export function stepInto(directories: Directories, step: Step, outcome: 'done' | 'failed'): Directories {
  if (directories === null || directories.some((place) => place !== null && place.steps >= MAX_STEPS)) return null;
  return directories.map((from) => ({ from, step, outcome, steps: (from?.steps ?? 0) + 1 }));
}

/** After one of two ways. A step that succeeded on one and failed on the other is one step that did either. */
export function join(one: Directories, other: Directories): Directories {
  if (one === null || other === null) return null;
  if (same(one, other)) return one;
  const joined: (Place | null)[] = [...one];
  for (const place of other) {
    if (joined.some((known) => samePlace(known, place))) continue;
    const twin = joined.findIndex((known) => known !== null && place !== null && known.step === place.step && known.from === place.from);
    const known = joined[twin];
    if (twin >= 0 && known !== undefined && known !== null) joined[twin] = { ...known, outcome: 'either' };
    else joined.push(place);
  }
  return joined.length > MAX_ALTERNATIVES ? null : joined;
}

const samePlace = (one: Place | null, other: Place | null): boolean =>
  one === other || (one !== null && other !== null && one.step === other.step && one.from === other.from && one.outcome === other.outcome);

export function same(one: Directories, other: Directories): boolean {
  if (one === other) return true;
  if (one === null || other === null || one.length !== other.length) return false;
  return one.every((place, index) => samePlace(place, other[index] ?? null));
}
