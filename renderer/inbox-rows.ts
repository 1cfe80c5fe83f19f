// The inbox as rows: sessions by their oldest request, oldest first within a session. Pure. What was just settled stays for
// a moment with its outcome, in its place.

import type { Request } from '../shared/model';

export type InboxRow =
  | { readonly type: 'session'; readonly sessionId: string; readonly waiting: number }
  | { readonly type: 'request'; readonly request: Request };

/** `lingering`: settled requests that are still shown. */
export function inboxRows(pending: readonly Request[], lingering: readonly Request[]): readonly InboxRow[] {
  const bySession = new Map<string, Request[]>();
  for (const request of [...pending, ...lingering].sort(byAge)) {
    const group = bySession.get(request.session_id);
    if (group === undefined) bySession.set(request.session_id, [request]);
    else group.push(request);
  }
  return [...bySession].flatMap(([sessionId, requests]): InboxRow[] => [
    { type: 'session', sessionId, waiting: requests.filter((request) => request.status === 'pending').length },
    ...requests.map((request): InboxRow => ({ type: 'request', request })),
  ]);
}

const byAge = (a: Request, b: Request): number => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1);

/** The request to show when the selected one has gone: the next in order, else the last; null in an empty inbox. */
export function nextSelection(before: readonly InboxRow[], after: readonly InboxRow[], selectedId: string | null): string | null {
  const idsAfter = requestIds(after);
  if (selectedId !== null && idsAfter.includes(selectedId)) return selectedId;
  const idsBefore = requestIds(before);
  const at = selectedId === null ? -1 : idsBefore.indexOf(selectedId);
  const following = idsBefore.slice(at + 1).find((id) => idsAfter.includes(id));
  return following ?? (at >= 0 ? (idsAfter.at(-1) ?? null) : (idsAfter[0] ?? null));
}

export const requestIds = (rows: readonly InboxRow[]): readonly string[] => rows.flatMap((row) => (row.type === 'request' ? [row.request.id] : []));
