// The inbox as rows: sessions by their oldest request, oldest first within a session, what was put aside at the end. Pure.
// What was just settled stays for a moment with its outcome, in its place.

import type { Request } from '../shared/model';

export type InboxRow =
  | { readonly type: 'session'; readonly sessionId: string; readonly waiting: number }
  | { readonly type: 'aside'; readonly count: number; readonly isOpen: boolean }
  | { readonly type: 'request'; readonly request: Request };

export interface InboxView {
  /** Waiting, oldest first. */
  readonly pending: Iterable<Request>;
  /** Settled requests that are still shown. */
  readonly lingering: readonly Request[];
  /** Requests that were put aside, with the digest they had then: one that changed is not aside any more. */
  readonly aside: ReadonlyMap<string, string>;
  readonly asideIsOpen: boolean;
}

export function inboxRows({ pending, lingering, aside, asideIsOpen }: InboxView): readonly InboxRow[] {
  const bySession = new Map<string, Request[]>();
  const put = (request: Request): void => {
    const group = bySession.get(request.session_id);
    if (group === undefined) bySession.set(request.session_id, [request]);
    else group.push(request);
  };
  const away: Request[] = [];
  for (const request of merged(pending, lingering)) {
    if (request.status === 'pending' && aside.get(request.id) === request.digest) away.push(request);
    else put(request);
  }
  const rows: InboxRow[] = [];
  for (const [sessionId, requests] of bySession) {
    rows.push({ type: 'session', sessionId, waiting: requests.filter((request) => request.status === 'pending').length });
    for (const request of requests) rows.push({ type: 'request', request });
  }
  if (away.length === 0) return rows;
  rows.push({ type: 'aside', count: away.length, isOpen: asideIsOpen });
  if (asideIsOpen) for (const request of away) rows.push({ type: 'request', request });
  return rows;
}

/** Both lists by age. `pending` comes in order, so only the few that linger have to find their place. */
function* merged(pending: Iterable<Request>, lingering: readonly Request[]): Iterable<Request> {
  const rest = lingering.toSorted(byAge);
  let at = 0;
  for (const request of pending) {
    for (let next = rest[at]; next !== undefined && byAge(next, request) < 0; next = rest[at]) {
      yield next;
      at += 1;
    }
    yield request;
  }
  yield* rest.slice(at);
}

const byAge = (a: Request, b: Request): number => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1);

/** The request to show when the selected one has gone: the next in order, else the last; null in an empty inbox. */
export function nextSelection(before: readonly InboxRow[], after: readonly InboxRow[], selectedId: string | null): string | null {
  const idsAfter = new Set(requestIds(after));
  if (selectedId !== null && idsAfter.has(selectedId)) return selectedId;
  const idsBefore = requestIds(before);
  const at = selectedId === null ? -1 : idsBefore.indexOf(selectedId);
  const isOpen = (id: string): boolean => idsAfter.has(id);
  return idsBefore.slice(at + 1).find(isOpen) ?? idsBefore.slice(0, Math.max(at, 0)).findLast(isOpen) ?? requestIds(after)[0] ?? null;
}

/** The next request after this one that still waits, else the one before it; null when none does. */
export function nextWaiting(rows: readonly InboxRow[], id: string): string | null {
  const requests = rows.flatMap((row) => (row.type === 'request' ? [row.request] : []));
  const at = requests.findIndex((request) => request.id === id);
  const waits = (request: Request): boolean => request.status === 'pending' && request.id !== id;
  return (requests.slice(at + 1).find(waits) ?? requests.slice(0, Math.max(at, 0)).findLast(waits))?.id ?? null;
}

export const requestIds = (rows: readonly InboxRow[]): readonly string[] => rows.flatMap((row) => (row.type === 'request' ? [row.request.id] : []));
