// What a window is told (shared/projection.ts): one bounded snapshot, then numbered batches of changed records, one batch per turn
// of the event loop. Follows the events that the disk has; keeps no state of its own but which records it has told of.

import type { Health, Request } from '../../shared/model';
import type { Change, Changes, RecordName, Snapshot } from '../../shared/projection';
import type { Batch } from '../store/contract';
import type { Write } from '../store/events';
import type { Core } from './core';
import { withAttachment } from './requests';
import { pendingCounts, viewOf } from './session-view';

export interface Projection {
  snapshot(): Promise<Snapshot>;
  onChanges(listener: (changes: Changes) => void): () => void;
  close(): void;
}

const RECENT = 50;
type Dirty = Readonly<Record<RecordName, Set<string>>>;

export function createProjection(core: Core): Projection {
  const { live, store } = core;
  const listeners = new Set<(changes: Changes) => void>();
  let revision = 0;
  let dirty = nothingDirty();
  /** Settled requests as they were written, so that they are not read back. */
  const written = new Map<string, Request>();
  let settingsChanged = false;
  let healthChanged = false;
  let isScheduled = false;
  /** Ids told of, for records that can go along with another that is removed. */
  const told = { rule: new Set(live.rules.keys()), ticket: new Set(live.tickets.keys()), grant: new Set(live.grants.keys()) };

  const unsubscribe = store.subscribe((batch: Batch) => {
    for (const event of batch.events) for (const write of event.writes) note(write, event.session_id);
    schedule();
  });
  core.onSoftChange((change) => {
    if ('request' in change) dirty.request.add(change.request);
    else if ('session' in change) dirty.session.add(change.session);
    else healthChanged = true;
    schedule();
  });

  function note(write: Write, sessionId: string | undefined): void {
    if ('settle' in write) {
      dirty.request.add(write.settle);
      if (sessionId !== undefined) dirty.session.add(sessionId);
      healthChanged = true;
    } else if ('hit' in write) for (const id of write.hit) dirty.rule.add(id);
    else if ('use' in write) dirty.session.add(write.use);
    else if ('finish' in write) dirty.outbox.add(write.finish);
    else if ('settings' in write) {
      settingsChanged = true;
      everySession();
    } else if ('put' in write) notePut(write);
    else if ('remove' in write) noteRemoval(write.remove, write.id);
  }

  function notePut(write: Extract<Write, { put: unknown }>): void {
    switch (write.put) {
      case 'request':
        dirty.request.add(write.value.id);
        dirty.session.add(write.value.session_id);
        if (write.value.status === 'pending') healthChanged = true;
        else if (listeners.size > 0) written.set(write.value.id, write.value);
        return;
      case 'session':
        dirty.session.add(write.value.id);
        for (const session of live.sessions.values()) if (session.parent_id === write.value.id) dirty.session.add(session.id);
        return;
      case 'rule':
        told.rule.add(write.value.id);
        dirty.rule.add(write.value.id);
        return;
      case 'grant':
        told.grant.add(write.value.id);
        dirty.grant.add(write.value.id);
        if (write.value.session_id !== null) dirty.session.add(write.value.session_id);
        return;
      case 'ticket':
        told.ticket.add(write.value.id);
        dirty.ticket.add(write.value.id);
        everySession();
        return;
      case 'group':
      case 'project':
        dirty[write.put].add(write.value.id);
        everySession();
        return;
      case 'outbox':
      case 'job':
        dirty[write.put].add(write.value.id);
        return;
      case 'job_run':
        dirty.job.add(write.value.job_id);
        return;
      case 'mail':
      case 'steering':
        return;
    }
  }

  function noteRemoval(name: Extract<Write, { remove: unknown }>['remove'], id: string): void {
    if (name === 'mail' || name === 'steering') return;
    dirty[name].add(id);
    if (name !== 'rule' && name !== 'outbox' && name !== 'job') everySession();
    // What went along with it: a project's tickets, a group's rules.
    for (const kind of ['rule', 'ticket', 'grant'] as const) {
      for (const known of told[kind]) if (!recordOf(kind).has(known)) dirty[kind].add(known);
    }
  }

  function recordOf(kind: 'rule' | 'ticket' | 'grant'): ReadonlyMap<string, unknown> {
    return kind === 'rule' ? live.rules : kind === 'ticket' ? live.tickets : live.grants;
  }

  function everySession(): void {
    for (const id of live.sessions.keys()) dirty.session.add(id);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      flush();
    });
  }

  function flush(): void {
    const marked = dirty;
    dirty = nothingDirty();
    const changes = listeners.size === 0 ? [] : changesOf(marked);
    written.clear();
    settingsChanged = false;
    healthChanged = false;
    if (changes.length === 0) return;
    revision += 1;
    for (const listener of listeners) {
      try {
        listener({ revision, changes });
      } catch (error) {
        core.fault(error, 'a listener of changes');
      }
    }
  }

  function changesOf(marked: Dirty): readonly Change[] {
    const changes: Change[] = [];
    for (const id of marked.request) {
      const request = written.get(id) ?? store.request(id);
      if (request !== undefined) changes.push({ put: 'request', value: withAttachment(core, request) });
    }
    const counts = marked.session.size === 0 ? null : pendingCounts(core);
    for (const id of marked.session) {
      const session = live.sessions.get(id);
      changes.push(session === undefined || counts === null ? { remove: 'session', id } : { put: 'session', value: viewOf(core, session, counts) });
    }
    for (const id of marked.group) changes.push(putOr('group', id, live.groups.get(id)));
    for (const id of marked.project) changes.push(putOr('project', id, live.projects.get(id)));
    for (const id of marked.outbox) changes.push(putOr('outbox', id, live.outbox.get(id)));
    for (const id of marked.job) changes.push(putOr('job', id, live.jobs.get(id)));
    for (const id of marked.rule) changes.push(putOr('rule', id, forgetGone('rule', id, live.rules.get(id))));
    for (const id of marked.ticket) changes.push(putOr('ticket', id, forgetGone('ticket', id, live.tickets.get(id))));
    for (const id of marked.grant) changes.push(putOr('grant', id, forgetGone('grant', id, live.grants.get(id))));
    if (settingsChanged) changes.push({ settings: live.settings });
    if (healthChanged) changes.push({ health: healthOf(core) });
    return changes;
  }

  function forgetGone<T>(kind: keyof typeof told, id: string, value: T | undefined): T | undefined {
    if (value === undefined) told[kind].delete(id);
    return value;
  }

  return {
    async snapshot() {
      await store.flushed();
      const counts = pendingCounts(core);
      return {
        revision,
        pending: [...live.pending.values()].map((request) => withAttachment(core, request)),
        recent: store.requests({ settled: true, limit: RECENT }).items,
        sessions: [...live.sessions.values()].map((session) => viewOf(core, session, counts)),
        groups: [...live.groups.values()],
        rules: [...live.rules.values()],
        projects: [...live.projects.values()],
        tickets: [...live.tickets.values()],
        grants: [...live.grants.values()],
        outbox: [...live.outbox.values()],
        jobs: [...live.jobs.values()],
        settings: live.settings,
        health: healthOf(core),
      };
    },
    onChanges(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      unsubscribe();
      listeners.clear();
    },
  };
}

const nothingDirty = (): Dirty => ({
  request: new Set(),
  session: new Set(),
  group: new Set(),
  rule: new Set(),
  project: new Set(),
  ticket: new Set(),
  grant: new Set(),
  outbox: new Set(),
  job: new Set(),
});

/** The record as it is, or that it is gone. */
function putOr<N extends RecordName>(name: N, id: string, value: Extract<Change, { put: N }>['value'] | undefined): Change {
  return value === undefined ? { remove: name, id } : ({ put: name, value } as Extract<Change, { put: N }>);
}

export function healthOf(core: Core): Health {
  const { store, live, deps } = core;
  return {
    status: store.problems.length === 0 ? 'ok' : 'degraded',
    version: deps.version,
    pid: process.pid,
    started_at: new Date(core.startedAtMs).toISOString(),
    pending: live.pending.size,
    problems: [...store.problems],
  };
}
