// The window's copy of main's state: a snapshot, then numbered changes. Pure. Says when it has missed something, so that a
// new snapshot is asked for; never guesses.

import type { Grant, Group, Health, Job, OutboxItem, Project, Request, Rule, SessionView, Settings, Ticket } from '../shared/model';
import type { Change, Changes, RecordName, Snapshot } from '../shared/projection';

export interface Projection {
  readonly revision: number;
  /** Waiting, in the order of arrival: oldest first. */
  readonly pending: ReadonlyMap<string, Request>;
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

export const RECENT_KEPT = 50;

const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> => new Map(items.map((item) => [item.id, item]));

export function projectionOf(snapshot: Snapshot): Projection {
  return {
    revision: snapshot.revision,
    pending: byId(snapshot.pending),
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

/**
 * The next projection; the same one when the batch is old; null when a batch in between was missed. A collection is copied
 * once a batch, however many changes are in it.
 */
export function applyChanges(projection: Projection, batch: Changes): Projection | null {
  if (batch.revision <= projection.revision) return projection;
  if (batch.revision !== projection.revision + 1) return null;
  const draft = new Draft(projection);
  for (const change of batch.changes) draft.apply(change);
  return draft.finish(batch.revision);
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
} as const satisfies Record<Exclude<RecordName, 'request'>, keyof Projection>;

/** One batch in the making: collections that were touched, copied when they were touched first. */
class Draft {
  private readonly maps = new Map<keyof Projection, Map<string, unknown>>();
  private readonly settled = new Map<string, Request>();
  private settings: Settings;
  private health: Health;

  constructor(private readonly before: Projection) {
    this.settings = before.settings;
    this.health = before.health;
  }

  apply(change: Change): void {
    if ('settings' in change) this.settings = change.settings;
    else if ('health' in change) this.health = change.health;
    else if ('remove' in change) this.map(change.remove === 'request' ? 'pending' : FIELDS[change.remove]).delete(change.id);
    else if (change.put === 'request') this.putRequest(change.value);
    else this.map(FIELDS[change.put]).set(change.value.id, change.value);
  }

  finish(revision: number): Projection {
    return {
      ...this.before,
      ...Object.fromEntries(this.maps),
      revision,
      recent: this.settled.size === 0 ? this.before.recent : this.recent(),
      settings: this.settings,
      health: this.health,
    };
  }

  private putRequest(request: Request): void {
    if (request.status === 'pending') {
      this.map('pending').set(request.id, request);
      return;
    }
    this.map('pending').delete(request.id);
    this.settled.delete(request.id);
    this.settled.set(request.id, request);
  }

  /** The last to be settled first. */
  private recent(): readonly Request[] {
    const fresh = [...this.settled.values()].reverse();
    return [...fresh, ...this.before.recent.filter((request) => !this.settled.has(request.id))].slice(0, RECENT_KEPT);
  }

  private map(field: 'pending' | (typeof FIELDS)[keyof typeof FIELDS]): Map<string, unknown> {
    const known = this.maps.get(field);
    if (known !== undefined) return known;
    const copy = new Map<string, unknown>(this.before[field]);
    this.maps.set(field, copy);
    return copy;
  }
}
