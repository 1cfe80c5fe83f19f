// Opens the store of one data folder and holds its parts together. Owns nothing itself: commits are in commits.ts, the live
// state in live.ts, the log in activity-*.ts, questions to the disk in lookups.ts.

import type { Activity, Request, Session } from '../../shared/model';
import { exportActivity } from './activity-export';
import { allActivity, listActivity } from './activity-list';
import { ActivityAppender } from './activity-log';
import { verifyActivity } from './activity-verify';
import { Committer, SETTINGS_FINGERPRINT } from './commits';
import type { Connection } from './connection';
import type {
  ActivityFilter,
  ActivityLog,
  Batch,
  CommitResult,
  LiveState,
  Page,
  RequestFilter,
  SessionFilter,
  Store,
  StoreProblem,
} from './contract';
import { prepareFolder, unavailable } from './data-folder';
import { openDatabase, suspect } from './database';
import type { StateEvent } from './events';
import { emptyState, type MutableState } from './live';
import { ENDED_KEPT_MS, loadState, metaOf, OUTBOX_KEPT } from './load';
import * as lookups from './lookups';
import { LOG_GUARDS, MIGRATIONS, type Migration } from './migrations';
import { DEFAULT_GROUP, defaultGroup, type Start, seedEvent } from './seed';
import { type KeptValuesClass, openSettings, type SettingsFile } from './settings';

export * from './contract';

export interface StoreOptions {
  readonly dataDir: string;
  /** Epoch milliseconds. */
  now(): number;
  /** `ElectronStore` in the desktop app; without it the base class that it extends keeps the same file. */
  readonly settingsClass?: KeptValuesClass;
  /** Another list of versions, for tests of the machinery. */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens or creates the data folder, its database and settings (spec 14). Throws `StoreUnavailable` when the folder cannot be
 * used. `problems`: what a person has to know about this start; later ones are in `store.problems`.
 */
export function openStore(options: StoreOptions): { readonly store: Store; readonly problems: readonly StoreProblem[] } {
  const { dataDir } = options;
  prepareFolder(dataDir);
  const problems: StoreProblem[] = [];
  const settings = openSettingsOf(options, problems);
  const state = emptyState(settings.initial);
  const { connection, problem } = openDatabase({
    dataDir,
    nowMs: options.now(),
    migrations: options.migrations ?? MIGRATIONS,
    load: (opened) => {
      loadState(opened, state, options.now());
    },
    seed: (fresh, start) => {
      seed(fresh, settings, options, start);
    },
  });
  if (problem) problems.push(problem);
  const store = new SqliteStore(connection, state, settings, options, problems);
  store.settle();
  return { store, problems: [...store.problems] };
}

function openSettingsOf(options: StoreOptions, problems: StoreProblem[]): SettingsFile {
  try {
    const { file, problem } = openSettings(options.dataDir, options.now(), options.settingsClass);
    if (problem) problems.push(problem);
    return file;
  } catch (error) {
    throw unavailable(options.dataDir, error);
  }
}

/** Writes the first event through the same path as every other. Throws when the disk refuses. */
function seed(connection: Connection, settings: SettingsFile, options: StoreOptions, start: Start): void {
  let refused: Error | null = null;
  const committer = new Committer({
    connection,
    state: emptyState(settings.initial),
    activity: new ActivityAppender(connection),
    settings,
    now: options.now,
    onDurable: () => undefined,
    onUndone: (failed) => {
      refused = failed;
    },
  });
  committer.commit([seedEvent(start, options.now())]);
  committer.flush();
  if (refused) throw refused;
}

const PRUNE_EVERY_MS = 60_000;
/** Entries made searchable at a time, and how long the log may rest before: searching itself waits for all of them. */
const SEARCH_LOT = 200;
const SEARCH_DELAY_MS = 200;

class SqliteStore implements Store {
  readonly activity: ActivityLog;
  readonly problems: StoreProblem[];
  readonly #connection: Connection;
  readonly #state: MutableState;
  readonly #options: StoreOptions;
  readonly #activity: ActivityAppender;
  readonly #settings: SettingsFile;
  readonly #committer: Committer;
  readonly #listeners = new Set<(batch: Batch) => void>();
  readonly #undoneListeners = new Set<() => void>();
  #revision = 0;
  #prunedAtMs: number;
  #isClosed = false;
  #indexing: NodeJS.Timeout | null = null;

  constructor(connection: Connection, state: MutableState, settings: SettingsFile, options: StoreOptions, problems: readonly StoreProblem[]) {
    this.#connection = connection;
    this.#state = state;
    this.#settings = settings;
    this.#options = options;
    this.#activity = new ActivityAppender(connection);
    this.problems = [...problems];
    this.#prunedAtMs = options.now();
    this.#committer = new Committer({
      connection,
      state,
      activity: this.#activity,
      settings,
      now: options.now,
      onDurable: (events) => {
        this.#tell(events);
      },
      onUndone: (failed, isDamage) => {
        this.#dropProblem('storage_failed');
        const { message, hint = '' } = failed.failure;
        this.problems.push({ code: 'storage_failed', message, hint });
        if (isDamage) suspect(options.dataDir);
        for (const listener of this.#undoneListeners) listener();
      },
    });
    this.activity = {
      list: (filter) => this.#list(filter),
      export: (format, filter) => exportActivity(format, this.#all(filter)),
      verify: async () => {
        this.#committer.flush();
        return verifyActivity(this.#connection, this.#activity.head);
      },
    };
  }

  /** What a start finds out of place and puts right, as events. */
  settle(): void {
    this.#connection.exec(LOG_GUARDS);
    const at = new Date(this.#options.now()).toISOString();
    const events: StateEvent[] = [];
    const brokenEnd = this.#activity.checkEnd();
    if (brokenEnd) {
      this.problems.push({
        code: 'log_broken',
        message: brokenEnd,
        hint: 'Check the log in Activity; entries before that place may still be sound.',
      });
      events.push({ type: 'log.broken', at, actor: 'gate', summary: brokenEnd, writes: [] });
    }
    if (!this.#state.groups.has(DEFAULT_GROUP)) {
      const summary = 'The group `default` was gone and was made again, without rules.';
      events.push({ type: 'group.created', at, actor: 'gate', summary, writes: [{ put: 'group', value: defaultGroup(at) }] });
    }
    const known = metaOf(this.#connection, SETTINGS_FINGERPRINT);
    if (known !== null && known !== this.#settings.fingerprint()) {
      const summary = 'The settings file was changed while Gatehouse was closed.';
      events.push({ type: 'settings.changed', at, actor: 'gate', summary, writes: [{ settings: this.#state.settings }] });
    }
    if (events.length === 0) return;
    this.commit(events);
    this.#committer.flush();
  }

  get live(): LiveState {
    return this.#state;
  }

  get revision(): number {
    return this.#revision;
  }

  commit(events: readonly StateEvent[]): CommitResult {
    if (this.#isClosed) throw new Error('the store is closed');
    return this.#committer.commit(events);
  }

  subscribe(listener: (batch: Batch) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onUndone(listener: () => void): () => void {
    this.#undoneListeners.add(listener);
    return () => this.#undoneListeners.delete(listener);
  }

  flushed(): Promise<void> {
    return this.#committer.flushed();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#committer.flush();
    this.#isClosed = true;
    if (this.#indexing) clearTimeout(this.#indexing);
    this.#connection.close();
  }

  request(id: string): Request | undefined {
    return this.#state.pending.get(id) ?? lookups.requestById(this.#connection, id);
  }

  requestByCall(sessionId: string, callId: string): Request | undefined {
    return lookups.requestByCall(this.#connection, sessionId, callId);
  }

  requests(filter: RequestFilter): Page<Request> {
    return lookups.requestsPage(this.#connection, filter);
  }

  session(id: string): Session | undefined {
    return this.#state.sessions.get(id) ?? lookups.sessionById(this.#connection, id);
  }

  sessionsOf(filter: SessionFilter): readonly Session[] {
    // Usage of live sessions is ahead of the disk until the group is written.
    return lookups.sessionsOf(this.#connection, filter).map((session) => this.#state.sessions.get(session.id) ?? session);
  }

  outboxItem(id: string) {
    return this.#state.outbox.get(id) ?? lookups.outboxItemById(this.#connection, id);
  }

  jobRuns(jobId: string, limit?: number) {
    return lookups.jobRunsOf(this.#connection, jobId, limit);
  }

  jobRun(id: string) {
    return lookups.jobRunById(this.#connection, id);
  }

  undelivered(sessionId: string) {
    return lookups.undeliveredTo(this.#connection, sessionId);
  }

  #tell(events: readonly StateEvent[]): void {
    this.#dropProblem('storage_failed');
    this.#prune();
    this.#indexLater();
    this.#revision += 1;
    const batch: Batch = { revision: this.#revision, events };
    for (const listener of this.#listeners) {
      try {
        listener(batch);
      } catch (error) {
        // A listener's mistake is not this commit's: the others are told, and it surfaces on its own.
        setImmediate(() => {
          throw error;
        });
      }
    }
  }

  #dropProblem(code: StoreProblem['code']): void {
    const at = this.problems.findIndex((problem) => problem.code === code);
    if (at !== -1) this.problems.splice(at, 1);
  }

  /** Lets go of history that memory no longer needs. Not a change of state: `session` and `outboxItem` still find it. */
  #prune(): void {
    const now = this.#options.now();
    if (Math.abs(now - this.#prunedAtMs) < PRUNE_EVERY_MS) return;
    this.#prunedAtMs = now;
    const { sessions, outbox } = this.#state;
    for (const session of sessions.values()) {
      if (session.ended_at !== null && Date.parse(session.ended_at) < now - ENDED_KEPT_MS) sessions.delete(session.id);
    }
    const settled = [...outbox.values()].filter((item) => item.state !== 'waiting');
    for (const item of settled.slice(0, Math.max(0, settled.length - OUTBOX_KEPT))) outbox.delete(item.id);
  }

  /** Words of new entries are added a little at a time, apart from the commits that someone waits for. */
  #indexLater(): void {
    if (this.#indexing || this.#activity.head.seq - this.#activity.head.searchable < SEARCH_LOT) return;
    this.#indexing = setTimeout(() => {
      this.#indexing = null;
      // A refusal of the disk is in `problems`; the entries wait.
      this.#committer.makeSearchable(SEARCH_LOT).then(
        () => {
          if (!this.#isClosed) this.#indexLater();
        },
        () => undefined,
      );
    }, SEARCH_DELAY_MS);
    this.#indexing.unref();
  }

  async #list(filter: ActivityFilter): Promise<Page<Activity>> {
    this.#committer.flush();
    if (filter.search !== undefined) await this.#makeSearchable();
    return listActivity(this.#connection, this.#activity.head, filter);
  }

  async *#all(filter: ActivityFilter): AsyncGenerator<readonly Activity[]> {
    this.#committer.flush();
    if (filter.search !== undefined) await this.#makeSearchable();
    yield* allActivity(this.#connection, this.#activity.head, filter);
  }

  async #makeSearchable(): Promise<void> {
    const last = this.#activity.head.seq;
    while (this.#activity.head.searchable < last) await this.#committer.makeSearchable(SEARCH_LOT);
  }
}
