// Sessions as rows: those at work first, children under their parents, the latest first; those that ended at the end. Pure.

import type { SessionView } from '../shared/model';

export interface SessionRow {
  readonly session: SessionView;
  readonly level: number;
  readonly isFirstEnded: boolean;
}

export function sessionRows(sessions: Iterable<SessionView>): readonly SessionRow[] {
  const all = [...sessions].sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : a.id < b.id ? 1 : -1));
  const open = all.filter((session) => session.state !== 'ended');
  const ended = all.filter((session) => session.state === 'ended');
  const ids = new Set(open.map((session) => session.id));
  const below = (parentId: string, level: number): readonly SessionRow[] =>
    open.filter((one) => one.parent_id === parentId).flatMap((session) => [{ session, level, isFirstEnded: false }, ...below(session.id, level + 1)]);
  const roots = open.filter((session) => session.parent_id === null || !ids.has(session.parent_id));
  return [
    ...roots.flatMap((session) => [{ session, level: 0, isFirstEnded: false }, ...below(session.id, 1)]),
    ...ended.map((session, index) => ({ session, level: 0, isFirstEnded: index === 0 })),
  ];
}

/** One word for what a session is doing. */
export function stateWord(session: SessionView, isHeld: boolean): string {
  if (session.cancelled) return 'cancelled';
  switch (session.state) {
    case 'ended':
      return 'ended';
    case 'compaction':
      return 'compacting';
    case 'idle':
    case 'turn':
      if (session.pending > 0) return isHeld ? 'held' : 'waiting';
      return session.state === 'turn' ? 'working' : 'idle';
  }
}
