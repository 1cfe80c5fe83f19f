// What the rest of the program may ask of the store: the live state, one way to change it, and lookups on disk.
// Owns the shapes of this room; the work is done in the files beside it.

import type { Failure } from '../../shared/failure';
import type {
  Activity,
  Grant,
  Group,
  Job,
  JobRun,
  Mail,
  OutboxItem,
  Project,
  Request,
  Rule,
  Session,
  Settings,
  Steering,
  Ticket,
} from '../../shared/model';
import type { RequestStatus } from '../../shared/terms';
import type { StateEvent } from './events';

/** A plain sentence for the banner and `GET /api/health`. Same shape as an entry of `Health.problems`. */
export interface StoreProblem {
  readonly code: 'database_damaged' | 'database_newer' | 'settings_damaged' | 'storage_failed' | 'log_broken';
  readonly message: string;
  readonly hint: string;
}

/** Thrown by `openStore` when there is nothing to work with, such as a data folder that cannot be written. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
  }
}

/** What `durable` rejects with when a group of commits did not reach the disk. Its events are undone. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
  }
}

/** Main's state in memory. The maps are the same objects for the life of the store; only the store changes them. */
export interface LiveState {
  /** Sessions that have not ended, and those ended in the last hour; `store.session` finds the others. */
  readonly sessions: ReadonlyMap<string, Session>;
  /** A hit replaces the object of its rule; what decides calls changes only by events that write rules. */
  readonly rules: ReadonlyMap<string, Rule>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Archived ones included. */
  readonly projects: ReadonlyMap<string, Project>;
  readonly tickets: ReadonlyMap<string, Ticket>;
  readonly grants: ReadonlyMap<string, Grant>;
  /** Waiting items and the last settled ones; `store.outboxItem` finds the others. */
  readonly outbox: ReadonlyMap<string, OutboxItem>;
  readonly jobs: ReadonlyMap<string, Job>;
  /** Requests that wait, by id, in the order they arrived. */
  readonly pending: ReadonlyMap<string, Request>;
  readonly settings: Settings;
}

/**
 * `applied: true`: the live state has it; `durable` resolves after the disk has it, and rejects with `StorageFailed` when
 * the disk refused, in which case the live state no longer has it either. INVARIANT (spec 8): nobody is told before.
 * `not_pending`: a settle came second; nothing of this commit was written. `conflict`: a record stands in the way, such
 * as another request with the same call id, a removal of what is gone, mail that was delivered already; `id` names it.
 */
export type CommitResult =
  | { readonly applied: true; readonly durable: Promise<void> }
  | { readonly applied: false; readonly reason: 'not_pending' | 'conflict'; readonly id: string };

export interface Batch {
  readonly revision: number;
  /** As they were stored: a record that was put back late has the counts that were kept, not those of the copy. */
  readonly events: readonly StateEvent[];
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor for `before`; null at the end. */
  readonly next: string | null;
}

export interface RequestFilter {
  readonly session_id?: string | undefined;
  readonly status?: RequestStatus | undefined;
  readonly settled?: boolean | undefined;
  readonly tool?: string | undefined;
  readonly agent?: string | undefined;
  /** ISO time, inclusive, against `created_at`. */
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
}

export interface SessionFilter {
  readonly project_id?: string | undefined;
  readonly ticket_id?: string | undefined;
  readonly parent_id?: string | undefined;
  readonly agent?: string | undefined;
  readonly external_id?: string | undefined;
  readonly ended?: boolean | undefined;
  readonly limit?: number | undefined;
}

export interface ActivityFilter {
  readonly session_id?: string | undefined;
  readonly request_id?: string | undefined;
  readonly type?: string | undefined;
  readonly agent?: string | undefined;
  readonly cause?: string | undefined;
  readonly search?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** 100 unless given. */
  readonly limit?: number | undefined;
  /** Cursor of an earlier page. */
  readonly before?: string | undefined;
}

export interface Verification {
  readonly intact: boolean;
  readonly entries: number;
  /** `seq` of the first entry that is not as it was written; null when intact. */
  readonly first_break: number | null;
  readonly detail: string;
}

export interface ActivityLog {
  /** Newest first. */
  list(filter: ActivityFilter): Promise<Page<Activity>>;
  /** Oldest first, in chunks of text; `limit` and `before` are not used. */
  export(format: 'jsonl' | 'csv', filter: ActivityFilter): AsyncIterable<string>;
  /** Finds any edited, removed, reordered or truncated entry and names the first. */
  verify(): Promise<Verification>;
}

export interface Store {
  readonly live: LiveState;
  /** Number of the last batch that listeners were told. */
  readonly revision: number;
  /** What a person has to know, now: a damaged file that was moved aside; commits that the disk refuses, until one works again. */
  readonly problems: readonly StoreProblem[];
  readonly activity: ActivityLog;

  commit(events: readonly StateEvent[]): CommitResult;
  /** Called after the disk has the batch. Returns the function that ends the subscription. */
  subscribe(listener: (batch: Batch) => void): () => void;
  /** Called after a group of commits was undone because the disk refused; the live state is what the disk has. */
  onUndone(listener: () => void): () => void;
  /** Resolves when everything applied so far is on disk (at once when it is); rejects with `StorageFailed`. Await it before answering a read. */
  flushed(): Promise<void>;
  /** Writes what waits, folds the write-ahead log into the database and closes it. */
  close(): void;

  request(id: string): Request | undefined;
  requestByCall(sessionId: string, callId: string): Request | undefined;
  /**
   * Newest first, 100 unless `limit` says otherwise, 1,000 at most. A page may be short, even empty, although `next` is set,
   * when a rare filter looks through a long history: `next` goes on from there.
   */
  requests(filter: RequestFilter): Page<Request>;
  session(id: string): Session | undefined;
  /** Newest first; ended ones included unless `ended: false`. */
  sessionsOf(filter: SessionFilter): readonly Session[];
  outboxItem(id: string): OutboxItem | undefined;
  /** Newest first. */
  jobRuns(jobId: string, limit?: number): readonly JobRun[];
  jobRun(id: string): JobRun | undefined;
  /** What has not been handed out, oldest first. */
  undelivered(sessionId: string): { readonly mail: readonly Mail[]; readonly steering: readonly Steering[] };
}
