// What tray, notifications and the window's title need to know of main's state: kept up to date from the same numbered
// changes that a window gets. A projection: it never changes anything, and forgets what is settled.

import type { Grant, Health, Request, SessionView, Settings } from '../../shared/model';
import type { Change, Changes, RecordName, Snapshot } from '../../shared/projection';

export interface DeskView {
  /** Waiting requests by id, oldest first. */
  readonly pending: ReadonlyMap<string, Request>;
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly grants: ReadonlyMap<string, Grant>;
  readonly settings: Settings;
  readonly problems: Health['problems'];
}

export interface DeskProjection {
  readonly view: DeskView;
  /** Batches up to the snapshot's revision are in it already and change nothing. Returns whether the view changed. */
  apply(batch: Changes): boolean;
}

export function createDeskProjection(snapshot: Snapshot): DeskProjection {
  const pending = new Map(snapshot.pending.map((request) => [request.id, request]));
  const sessions = new Map(snapshot.sessions.map((session) => [session.id, session]));
  const grants = new Map(snapshot.grants.map((grant) => [grant.id, grant]));
  let settings = snapshot.settings;
  let problems = snapshot.health.problems;
  let revision = snapshot.revision;

  function put(change: Extract<Change, { readonly put: RecordName }>): boolean {
    switch (change.put) {
      case 'request':
        if (change.value.status !== 'pending') return pending.delete(change.value.id);
        pending.set(change.value.id, change.value);
        return true;
      case 'session':
        sessions.set(change.value.id, change.value);
        return true;
      case 'grant':
        grants.set(change.value.id, change.value);
        return true;
      case 'group':
      case 'rule':
      case 'project':
      case 'ticket':
      case 'outbox':
      case 'job':
        return false;
    }
  }

  function applyOne(change: Change): boolean {
    if ('put' in change) return put(change);
    if ('remove' in change) {
      const kept = { request: pending, session: sessions, grant: grants }[change.remove as string];
      return kept?.delete(change.id) ?? false;
    }
    if ('settings' in change) {
      settings = change.settings;
      return true;
    }
    problems = change.health.problems;
    return true;
  }

  return {
    get view() {
      return { pending, sessions, grants, settings, problems };
    },
    apply(batch) {
      if (batch.revision <= revision) return false;
      revision = batch.revision;
      let isChanged = false;
      for (const change of batch.changes) isChanged = applyOne(change) || isChanged;
      return isChanged;
    },
  };
}
