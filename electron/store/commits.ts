// Turns commits into durable state. Commits of one turn of the event loop share one transaction and so one sync of the
// disk; each is a savepoint in it, taken whole or not at all. Owns the order: database, live state, disk, then whoever
// listens. Owns also what happens when the disk refuses: the whole group is undone and everyone who waits is told.

import { type Before, entryOf } from './activity-entry';
import type { ActivityAppender } from './activity-log';
import { type Connection, troubleOf } from './connection';
import { type CommitResult, StorageFailed } from './contract';
import { reasonOf } from './data-folder';
import type { StateEvent, StoredName, StoredRecords, Write } from './events';
import { apply, type MutableState } from './live';
import { loadState, setMeta } from './load';
import { sessionById } from './lookups';
import type { SettingsFile } from './settings';
import { persist, persistCounters } from './writes';

export interface CommitterParts {
  readonly connection: Connection;
  readonly state: MutableState;
  readonly activity: ActivityAppender;
  readonly settings: SettingsFile;
  now(): number;
  /** The group is on disk. */
  onDurable(events: readonly StateEvent[]): void;
  /** The group was undone. `isDamage`: the database itself is not sound. */
  onUndone(failure: StorageFailed, isDamage: boolean): void;
}

/** Commits that go to disk together. */
class Group {
  readonly events: StateEvent[] = [];
  readonly hitRules = new Set<string>();
  readonly usedSessions = new Set<string>();
  readonly durable: Promise<void>;
  settle: { resolve(): void; reject(error: StorageFailed): void } = { resolve: () => undefined, reject: () => undefined };
  changesSettings = false;
  changesLog = false;

  constructor(readonly settingsBefore: MutableState['settings']) {
    this.durable = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // Whoever waits sees the rejection; a group that nobody waits for must not end the process.
    this.durable.catch(() => undefined);
  }
}

/** Name of the key under which the state of `settings.json` is remembered that the log knows of. */
export const SETTINGS_FINGERPRINT = 'settings_fingerprint';

export class Committer {
  readonly #parts: CommitterParts;
  readonly #before: Before;
  #group: Group | null = null;
  /** The live state holds events that were undone, because the database could not be read to take them back. */
  #isStale = false;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
    const { state } = parts;
    this.#before = <N extends StoredName>(name: N, id: string) => recordBefore(state, name, id);
  }

  commit(events: readonly StateEvent[]): CommitResult {
    const { connection, state, activity } = this.#parts;
    let group: Group;
    try {
      group = this.#openGroup();
      connection.beginPart();
    } catch (error) {
      return { applied: true, durable: this.#undo(error) };
    }
    const head = activity.head;
    const stored: StateEvent[] = [];
    try {
      for (const event of events) {
        const writes: Write[] = [];
        for (const write of event.writes) {
          const admission = persist(connection, state, write);
          if (!admission.taken) {
            this.#dropOne(head);
            return { applied: false, reason: admission.reason, id: admission.id };
          }
          writes.push(admission.write);
        }
        const storedEvent = { ...event, writes };
        activity.append(entryOf(activity.head.seq + 1, storedEvent, this.#before, (id) => state.sessions.get(id) ?? sessionById(connection, id)));
        stored.push(storedEvent);
      }
      connection.keepPart();
    } catch (error) {
      if (troubleOf(error) === null || troubleOf(error) === 'constraint') {
        this.#dropOne(head);
        throw error;
      }
      return { applied: true, durable: this.#undo(error) };
    }
    for (const event of stored) for (const write of event.writes) this.#apply(group, write);
    group.events.push(...stored);
    group.changesLog = true;
    return { applied: true, durable: group.durable };
  }

  /** Puts the open group on disk now. Its waiters, and listeners, are told; a refusal reaches them, not the caller. */
  flush(): void {
    const group = this.#group;
    if (!group) return;
    const { connection, state, activity, settings } = this.#parts;
    try {
      persistCounters(connection, state, group.hitRules, group.usedSessions);
      if (group.changesLog) activity.saveHead();
      // The file first: when it cannot be written, the database does not say it was.
      if (group.changesSettings) {
        settings.write(state.settings);
        setMeta(connection, SETTINGS_FINGERPRINT, settings.fingerprint());
      }
      connection.commit();
    } catch (error) {
      this.#undo(error);
      if (troubleOf(error) === null && !isSystemError(error)) throw error;
      return;
    }
    this.#group = null;
    group.settle.resolve();
    if (group.events.length > 0) this.#parts.onDurable(group.events);
  }

  /** Adds entries of the log to the search index, as part of the open group. Settles with it. */
  makeSearchable(limit: number): Promise<void> {
    try {
      const group = this.#openGroup();
      this.#parts.activity.makeSearchable(limit);
      group.changesLog = true;
      return group.durable;
    } catch (error) {
      const undone = this.#undo(error);
      if (troubleOf(error) === null) throw error;
      return undone;
    }
  }

  flushed(): Promise<void> {
    return this.#group?.durable ?? Promise.resolve();
  }

  #openGroup(): Group {
    if (this.#group) return this.#group;
    const { connection, state } = this.#parts;
    if (this.#isStale) this.#reload();
    connection.begin();
    const group = new Group(state.settings);
    this.#group = group;
    setImmediate(() => {
      if (this.#group === group) this.flush();
    });
    return group;
  }

  #apply(group: Group, write: Write): void {
    const { state } = this.#parts;
    if ('hit' in write) for (const id of write.hit) group.hitRules.add(id);
    else if ('use' in write) group.usedSessions.add(write.use);
    else if ('settings' in write) group.changesSettings = true;
    else if ('put' in write && write.put === 'session' && !state.sessions.has(write.value.id)) group.usedSessions.add(write.value.id);
    else if ('put' in write && write.put === 'rule' && !state.rules.has(write.value.id)) group.hitRules.add(write.value.id);
    apply(state, write);
  }

  /** Takes back one commit; the others of its group stay. */
  #dropOne(head: ActivityAppender['head']): void {
    this.#parts.connection.dropPart();
    this.#parts.activity.rewind(head);
  }

  /**
   * Takes back the whole group: live state from disk, waiters refused. INVARIANT (spec 15.7): nothing that the disk does not
   * have is answered with.
   */
  #undo(error: unknown): Promise<void> {
    const { connection, state, settings } = this.#parts;
    const group = this.#group ?? new Group(state.settings);
    this.#group = null;
    const failed = new StorageFailed(
      {
        code: 'storage',
        message: `The change could not be saved: ${reasonOf(error)}.`,
        hint: 'Free some space on the disk of the data folder, or check that it can be written, and try again.',
      },
      { cause: error },
    );
    state.settings = group.settingsBefore;
    try {
      connection.rollback();
      this.#reload();
    } catch {
      this.#isStale = true;
    }
    try {
      if (group.changesSettings) settings.write(group.settingsBefore);
    } catch {
      // The file is then as it was, or the next start finds it changed and says so.
    }
    group.settle.reject(failed);
    this.#parts.onUndone(failed, troubleOf(error) === 'damage');
    return group.durable;
  }

  #reload(): void {
    const { connection, state, activity, now } = this.#parts;
    loadState(connection, state, now());
    activity.reload();
    this.#isStale = false;
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * A record as it was before the commit, for the log's account of what changed. Only what is in memory: history that is put
 * again is logged whole.
 */
function recordBefore<N extends StoredName>(state: MutableState, name: N, id: string): StoredRecords[N] | undefined;
function recordBefore(state: MutableState, name: StoredName, id: string): StoredRecords[StoredName] | undefined {
  switch (name) {
    case 'session':
      return state.sessions.get(id);
    case 'request':
      return state.pending.get(id);
    case 'rule':
      return state.rules.get(id);
    case 'group':
      return state.groups.get(id);
    case 'project':
      return state.projects.get(id);
    case 'ticket':
      return state.tickets.get(id);
    case 'grant':
      return state.grants.get(id);
    case 'outbox':
      return state.outbox.get(id);
    case 'job':
      return state.jobs.get(id);
    case 'job_run':
    case 'mail':
    case 'steering':
      return undefined;
    default:
      return name satisfies never;
  }
}
