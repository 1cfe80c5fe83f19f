// What a window holds of main's state: one bounded snapshot with a revision, then numbered changes. Owns the shapes
// that cross; main builds them, the renderer applies them (renderer/store.ts).

import type { CommandName, Draft, Output } from './commands';
import type { Failure, Result } from './failure';
import type { Grant, Group, Health, Job, OutboxItem, Project, Request, Rule, SessionView, Settings, Ticket } from './model';

export interface Snapshot {
  readonly revision: number;
  /** Waiting requests, oldest first. */
  readonly pending: readonly Request[];
  /** Last decisions, newest first; at most 50. */
  readonly recent: readonly Request[];
  /** Live sessions, and those ended in the last hour. */
  readonly sessions: readonly SessionView[];
  readonly groups: readonly Group[];
  readonly rules: readonly Rule[];
  readonly projects: readonly Project[];
  readonly tickets: readonly Ticket[];
  readonly grants: readonly Grant[];
  readonly outbox: readonly OutboxItem[];
  readonly jobs: readonly Job[];
  readonly settings: Settings;
  readonly health: Health;
}

/** Records a projection keeps, by name. */
export interface ProjectedRecords {
  readonly request: Request;
  readonly session: SessionView;
  readonly group: Group;
  readonly rule: Rule;
  readonly project: Project;
  readonly ticket: Ticket;
  readonly grant: Grant;
  readonly outbox: OutboxItem;
  readonly job: Job;
}
export type RecordName = keyof ProjectedRecords;

export type Change =
  | { readonly [N in RecordName]: { readonly put: N; readonly value: ProjectedRecords[N] } }[RecordName]
  | { readonly remove: RecordName; readonly id: string }
  | { readonly settings: Settings }
  | { readonly health: Health };

/** One batch. A window that sees a gap in `revision` asks for a new snapshot. */
export interface Changes {
  readonly revision: number;
  readonly changes: readonly Change[];
}

/** Things main tells the window that are not state. */
export type Nudge = { readonly show: 'inbox'; readonly request_id?: string };

/** What the preload bridge exposes, and what the HTTP door rebuilds for a browser. Nothing else crosses. */
export interface Bridge {
  invoke<N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>>;
  snapshot(): Promise<Result<Snapshot>>;
  /** Returns the function that ends the subscription. */
  onChanges(listener: (changes: Changes) => void): () => void;
  onNudge(listener: (nudge: Nudge) => void): () => void;
  /** Opens the platform's folder picker; null when the person cancels or the door has none. */
  pickFolder(): Promise<string | null>;
  readonly door: 'window' | 'browser';
  readonly platform: string;
}
export type { Failure };
