// Which notification stands when (ux section 15), as a pure function: from what waits and what was said before, to what to
// show, change and take back. One per session unless the person wants each; four seconds of patience, none for high risk;
// silence while the window is focused or questions are held. Owns the rules, not the words and not the delivery.

import type { Request, Settings } from '../../shared/model';

/** Rules or the agent may settle a request in this time. */
export const PATIENCE_MS = 4_000;

/** A notification on screen, by its key: the session's id, or the request's when each has its own. */
export type Notices = ReadonlyMap<string, readonly string[]>;

export interface NoticeMemory {
  /** Ids of the requests that each standing notification names. */
  readonly standing: Notices;
  /** When each waiting request was first seen here, in epoch milliseconds. */
  readonly firstSeen: ReadonlyMap<string, number>;
  /** Requests the person was told of: by a notification, or because the window was focused while they waited. */
  readonly told: ReadonlySet<string>;
}

export const NO_NOTICES: NoticeMemory = { standing: new Map(), firstSeen: new Map(), told: new Set() };

export interface NoticeFacts {
  readonly nowMs: number;
  readonly isFocused: boolean;
  readonly isHeld: boolean;
  readonly wish: Settings['notifications'];
  /** Oldest first. */
  readonly pending: Iterable<Pick<Request, 'id' | 'session_id' | 'risk'>>;
}

export type NoticeStep =
  /** Shows a notification, or changes the one that stands under this key. */
  { readonly show: string; readonly requests: readonly string[]; readonly isUpdate: boolean } | { readonly close: string };

export interface NoticePlan {
  readonly memory: NoticeMemory;
  readonly steps: readonly NoticeStep[];
  /** When to look again though nothing happens, in epoch milliseconds. */
  readonly wakeAtMs: number | null;
}

export function planNotices(memory: NoticeMemory, facts: NoticeFacts): NoticePlan {
  const pending = [...facts.pending];
  const firstSeen = new Map(pending.map(({ id }) => [id, memory.firstSeen.get(id) ?? facts.nowMs]));
  const waiting = new Set(firstSeen.keys());
  const told = new Set([...memory.told].filter((id) => waiting.has(id)));

  if (facts.isFocused || facts.wish === 'none' || facts.isHeld) {
    // What waits before the person's eyes needs no word later; what is only held or unwanted does.
    if (facts.isFocused) for (const id of waiting) told.add(id);
    return { memory: { standing: new Map(), firstSeen, told }, steps: [...memory.standing.keys()].map((close) => ({ close })), wakeAtMs: null };
  }

  const dueAt = (request: (typeof pending)[number]): number =>
    request.risk.level === 'high' ? facts.nowMs : (firstSeen.get(request.id) ?? facts.nowMs) + PATIENCE_MS;
  const groups = new Map<string, (typeof pending)[number][]>();
  for (const request of pending) {
    const key = facts.wish === 'each' ? request.id : request.session_id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [request]);
    else group.push(request);
  }

  const standing = new Map<string, readonly string[]>();
  const steps: NoticeStep[] = [];
  let wakeAtMs: number | null = null;
  for (const [key, group] of groups) {
    const before = memory.standing.get(key);
    const isNew = group.some((request) => !told.has(request.id) && dueAt(request) <= facts.nowMs);
    for (const request of group) {
      const at = dueAt(request);
      if (!told.has(request.id) && at > facts.nowMs) wakeAtMs = Math.min(wakeAtMs ?? at, at);
    }
    // A notification names all that is due in its session; what a person put aside comes back only with something new.
    const due = group.filter((request) => dueAt(request) <= facts.nowMs).map(({ id }) => id);
    if (isNew || (before !== undefined && due.length > 0)) {
      standing.set(key, due);
      for (const id of due) told.add(id);
      if (isNew || !isSame(before ?? [], due)) steps.push({ show: key, requests: due, isUpdate: before !== undefined });
    }
  }
  for (const key of memory.standing.keys()) if (!standing.has(key)) steps.push({ close: key });
  return { memory: { standing, firstSeen, told }, steps, wakeAtMs };
}

/** The person or the system took a notification away: it is not shown again for the same requests. */
export function forgetNotice(memory: NoticeMemory, key: string): NoticeMemory {
  const standing = new Map(memory.standing);
  standing.delete(key);
  return { ...memory, standing };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id, index) => id === b[index]);
