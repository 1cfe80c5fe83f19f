// The window's copy of main's state: a snapshot, then numbered changes. Pure. Says when it has missed something, so that a
// new snapshot is asked for; never guesses.

import type { Grant, Group, Health, Job, OutboxItem, Project, Request, Rule, SessionView, Settings, Ticket } from '../shared/model';
import type { Change, Changes, RecordName, Snapshot } from '../shared/projection';

export interface Projection {
  readonly revision: number;
  /** Waiting, oldest first. */
  readonly pending: readonly Request[];
  /** Settled lately, newest first. */
  readonly recent: readonly Request[];
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly projects: ReadonlyMap<string, Project>;
  readonly tickets: ReadonlyMap<string, Ticket>;
  readonly grants: ReadonlyMap<string, Grant>;
  readonly outbox: ReadonlyMap<string, OutboxItem>;
  readonly jobs: ReadonlyMap<string, Job>;
  readonly settings: Settings;
  readonly health: Health;
}

const RECENT_KEPT = 50;

const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> => new Map(items.map((item) => [item.id, item]));

export function projectionOf(snapshot: Snapshot): Projection {
  return {
    revision: snapshot.revision,
    pending: [...snapshot.pending],
    recent: snapshot.recent,
    sessions: byId(snapshot.sessions),
    groups: byId(snapshot.groups),
    rules: byId(snapshot.rules),
    projects: byId(snapshot.projects),
    tickets: byId(snapshot.tickets),
    grants: byId(snapshot.grants),
    outbox: byId(snapshot.outbox),
    jobs: byId(snapshot.jobs),
    settings: snapshot.settings,
    health: snapshot.health,
  };
}

/** The next projection; the same one when the batch is old; null when a batch in between was missed. */
export function applyChanges(projection: Projection, batch: Changes): Projection | null {
  if (batch.revision <= projection.revision) return projection;
  if (batch.revision !== projection.revision + 1) return null;
  return batch.changes.reduce(applyChange, { ...projection, revision: batch.revision });
}

function applyChange(projection: Projection, change: Change): Projection {
  if ('settings' in change) return { ...projection, settings: change.settings };
  if ('health' in change) return { ...projection, health: change.health };
  if ('remove' in change)
    return change.remove === 'request' ? withoutRequest(projection, change.id) : edit(projection, change.remove, (map) => map.delete(change.id));
  if (change.put === 'request') return withRequest(projection, change.value);
  const { put, value } = change;
  return edit(projection, put, (map) => map.set(value.id, value));
}

function withRequest(projection: Projection, request: Request): Projection {
  if (request.status === 'pending') {
    const isKnown = projection.pending.some((one) => one.id === request.id);
    return {
      ...projection,
      pending: isKnown ? projection.pending.map((one) => (one.id === request.id ? request : one)) : [...projection.pending, request],
    };
  }
  const rest = withoutRequest(projection, request.id);
  return { ...rest, recent: [request, ...rest.recent.filter((one) => one.id !== request.id)].slice(0, RECENT_KEPT) };
}

function withoutRequest(projection: Projection, id: string): Projection {
  return { ...projection, pending: projection.pending.filter((one) => one.id !== id) };
}

const FIELDS = {
  session: 'sessions',
  group: 'groups',
  rule: 'rules',
  project: 'projects',
  ticket: 'tickets',
  grant: 'grants',
  outbox: 'outbox',
  job: 'jobs',
} as const;

function edit(projection: Projection, name: Exclude<RecordName, 'request'>, change: (map: Map<string, unknown>) => void): Projection {
  const field = FIELDS[name];
  const next = new Map<string, unknown>(projection[field]);
  change(next);
  return { ...projection, [field]: next };
}
