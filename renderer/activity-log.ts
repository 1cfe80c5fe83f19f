// Pages of the activity log put together, the newest first. Pure. Entries are never edited here either.

import type { Activity } from '../shared/model';

/** What a fresh first page adds on top; the page alone when there is a gap between the two. */
export function withNewest(known: readonly Activity[], page: readonly Activity[]): readonly Activity[] {
  const [newest] = known;
  if (newest === undefined) return page;
  const fresh = page.filter((entry) => entry.seq > newest.seq);
  // None of the page is known: something may be missing between them.
  return fresh.length === page.length && fresh.length > 0 ? page : fresh.length === 0 ? known : [...fresh, ...known];
}

export interface Outcome {
  readonly word: 'allowed' | 'denied' | 'blocked' | 'staged';
  readonly cause: string;
}

/** What an entry is about, and how it came out where it settled something: the log says it at the end of its sentence. */
export function entryParts(entry: Pick<Activity, 'summary' | 'cause'>): { readonly text: string; readonly outcome: Outcome | null } {
  const found = /^(.*): (allowed|denied|blocked|staged) \(([a-z_]+)\)\.$/s.exec(entry.summary);
  const word = found?.[2];
  if (found === null || (word !== 'allowed' && word !== 'denied' && word !== 'blocked' && word !== 'staged'))
    return { text: entry.summary, outcome: null };
  return { text: found[1] ?? '', outcome: { word, cause: found[3] ?? '' } };
}
