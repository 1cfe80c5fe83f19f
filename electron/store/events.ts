// The events through which all state changes. An event names what happened, who did it and which records it writes;
// the store applies it to the database and the live state in one transaction and appends it to the activity log.

import type {
  Decision,
  Grant,
  Group,
  Job,
  JobRun,
  JsonObject,
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

export interface StoredRecords {
  readonly session: Session;
  readonly request: Request;
  readonly rule: Rule;
  readonly group: Group;
  readonly project: Project;
  readonly ticket: Ticket;
  readonly grant: Grant;
  readonly outbox: OutboxItem;
  readonly job: Job;
  readonly job_run: JobRun;
  readonly mail: Mail;
  readonly steering: Steering;
}
export type StoredName = keyof StoredRecords;
/** Requests and job runs are history: they end, they are not removed (job runs go with their job). */
export type RemovableName = Exclude<StoredName, 'request' | 'job_run'>;

export type Write =
  | { readonly [N in StoredName]: { readonly put: N; readonly value: StoredRecords[N] } }[StoredName]
  | { readonly remove: RemovableName; readonly id: string }
  /** INVARIANT (spec 8): the one conditional update. It fails when the request is no longer pending. */
  | { readonly settle: string; readonly decision: Decision }
  /** Counts, kept apart from their records so that a call does not rewrite them. */
  | { readonly hit: readonly string[]; readonly at: string }
  | { readonly use: string; readonly turns?: number; readonly tool_calls?: number; readonly output_tokens?: number; readonly cost_usd?: number }
  /** Mail and steering are handed out once (spec 12). */
  | { readonly deliver: 'mail' | 'steering'; readonly ids: readonly string[]; readonly at: string }
  /** INVARIANT (spec 12, 15.9): a staged call leaves `waiting` once. Fails with `conflict` when it has left already. */
  | { readonly finish: string; readonly state: 'released' | 'rejected'; readonly note: string | null; readonly at: string }
  | { readonly settings: Settings };

export interface StateEvent {
  /** Such as `request.received`, `request.settled`, `rule.created`: noun.past-participle. */
  readonly type: string;
  readonly at: string;
  /** `agent:<session id>`, `person:<door>`, `gate`, `clock`. */
  readonly actor: string;
  readonly session_id?: string;
  readonly request_id?: string;
  /** One sentence without secrets. */
  readonly summary: string;
  readonly writes: readonly Write[];
  /** Facts for the log that are in no record; masked like everything that is logged. */
  readonly facts?: JsonObject;
}
