// The records of Gatehouse as they stand on the wire, in files and in the window: JSON, snake_case (spec 2).
// Owns shapes only. Times are ISO 8601 in UTC; durations carry their unit in the name; ids sort by creation.

import type {
  Access,
  Action,
  BudgetCeiling,
  Cause,
  HookEvent,
  Kind,
  MailPolicy,
  Mode,
  OutboxState,
  Phase,
  RequestStatus,
  RiskLevel,
  Scope,
  SessionState,
  SettledStatus,
  TicketState,
  VerdictKind,
  Width,
} from './terms';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

// ------------------------------------------------------------------ run context

export type Budget = { readonly [ceiling in BudgetCeiling]?: number | null };

export interface Hook {
  readonly event: HookEvent;
  readonly command: string;
  /** Tool patterns (spec 5.2) it runs for; absent is every tool. */
  readonly tools?: readonly string[];
  readonly timeout_s?: number;
}

/** Settings that a session runs under (spec 2 and 9). Absent or null: not set here. */
export interface RunContext {
  readonly security_group?: string | null;
  readonly system_prompt?: readonly string[] | null;
  readonly allow_fs_writes?: readonly string[] | null;
  readonly allow_fs_reads?: readonly string[] | null;
  readonly working_directory?: string | null;
  readonly permission_mode?: Mode | null;
  readonly phase?: Phase | null;
  readonly withheld?: readonly string[] | null;
  readonly budget?: Budget | null;
  readonly hooks?: readonly Hook[] | null;
  /** Tool patterns whose calls are staged instead of run. */
  readonly outbox?: readonly string[] | null;
  readonly compact_at_tokens?: number | null;
  readonly homeostat?: boolean | null;
  readonly mail?: MailPolicy | null;
}
export type RunContextField = keyof RunContext;

/** Where the value of a field comes from, strongest first (spec 9); `parent` is what a child cannot leave (spec 4). */
export type ContextLayer = 'session' | 'ticket' | 'project' | 'agent_default' | 'source_default' | 'parent';

export interface ResolvedField<T = Json> {
  readonly value: T | null;
  /** `none`: no layer sets it. Budget has one entry per ceiling in `ceilings` instead. */
  readonly origin: ContextLayer | 'none';
  readonly replaced: readonly { readonly value: T; readonly origin: ContextLayer }[];
}

/** The resolved run context: one entry per field, each with its origin and the values it replaced. */
export interface EffectiveContext {
  readonly fields: { readonly [field in RunContextField]: ResolvedField };
  readonly ceilings: { readonly [ceiling in BudgetCeiling]: ResolvedField<number> };
  /** The plain resolved values, for programs. */
  readonly values: RunContext;
  /** Canonical working directory, after the project's folder was considered. */
  readonly working_directory: string | null;
  /** Allowed roots, resolved and canonical. */
  readonly write_roots: readonly string[];
  readonly read_roots: readonly string[];
  /** What a person should know: a wildcard taken literally, a group that was deleted. */
  readonly warnings: readonly string[];
}

// ------------------------------------------------------------------ policy

export interface Rule {
  readonly id: string;
  readonly group_id: string;
  readonly priority: number;
  readonly tool_pattern: string;
  readonly path_pattern: string | null;
  readonly command_pattern: string | null;
  readonly agent: string | null;
  readonly source: string | null;
  readonly action: Action;
  readonly hard: boolean;
  readonly enabled: boolean;
  readonly note: string;
  /** Text the agent gets on deny. */
  readonly reason: string;
  readonly expires_at: string | null;
  readonly created_at: string;
  /** `seed`, `user`, `request:<id>`, `import:<agent>`. */
  readonly created_by: string;
  readonly hits: number;
  readonly last_hit_at: string | null;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
}

// ------------------------------------------------------------------ projects, tickets, jobs

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly folder: string | null;
  readonly archived: boolean;
  readonly run_context: RunContext | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Ticket {
  readonly id: string;
  readonly project_id: string;
  readonly title: string;
  readonly state: TicketState;
  readonly run_context: RunContext | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly cron: string;
  readonly time_zone: string | null;
  /** What happens to a run whose time passed while Gatehouse was off. */
  readonly missed_run: 'skip' | 'once';
  readonly command: string;
  readonly cwd: string;
  readonly project_id: string | null;
  readonly run_context: RunContext | null;
  readonly headless: boolean;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly next_run_at: string | null;
  readonly last_run: JobRun | null;
}

export interface JobRun {
  readonly id: string;
  readonly job_id: string;
  readonly session_id: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly exit_code: number | null;
  readonly outcome: 'running' | 'succeeded' | 'failed' | 'killed' | 'interrupted';
  /** Last part of what it printed. */
  readonly output: string;
}

// ------------------------------------------------------------------ sessions

export interface AccessEntry {
  /** Canonical, absolute. */
  readonly path: string;
  readonly mode: Access;
  /** The typed path when it differs; used for revoking only. */
  readonly source_path?: string;
  /** How it came: given at creation, from access.json, or added while running. */
  readonly origin?: 'flag' | 'default' | 'session';
}

/** A rule of `evaluate` (spec 5.6): last match wins. */
export interface SurfaceRule {
  readonly surface: string;
  readonly pattern: string;
  readonly action: Action;
}

/**
 * One answer of a person that is remembered (spec 7): a session rule (`session`, `timed`), or a grant of a ticket or
 * project. `deny` entries are denials with a scope, judged at step 7; `allow` entries relax at step 10.
 */
export interface Grant extends SurfaceRule {
  readonly id: string;
  readonly scope: Exclude<Scope, 'once' | 'always'>;
  readonly session_id: string | null;
  readonly ticket_id: string | null;
  readonly project_id: string | null;
  readonly action: 'allow' | 'deny';
  /** How `pattern` is compared: an exact value by equality, a path pattern (5.3) or a wildcard (5.1). */
  readonly match: 'equal' | 'path' | 'wildcard';
  readonly width: Width | 'rule';
  /** For a path surface: which access it covers. Null for other surfaces. */
  readonly access: Access | null;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly request_id: string;
  readonly note: string;
}

export interface Usage {
  readonly turns: number;
  readonly tool_calls: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
}

export interface Session {
  readonly id: string;
  readonly agent: string;
  readonly source: string;
  readonly external_id: string | null;
  readonly title: string;
  readonly project_id: string | null;
  readonly ticket_id: string | null;
  readonly parent_id: string | null;
  /** Canonical. Null: the agent named no folder. */
  readonly root: string | null;
  readonly cwd: string | null;
  readonly worktree: boolean;
  /** Explicit mode of this session; null: the run context decides. */
  readonly mode: Mode | null;
  /** Explicit one, as given. */
  readonly run_context: RunContext | null;
  readonly access: readonly AccessEntry[];
  readonly headless: boolean;
  readonly state: SessionState;
  readonly cancelled: boolean;
  /** Sessions with the same token are cancelled together. */
  readonly cancel_token: string;
  readonly usage: Usage;
  readonly homeostat: JsonObject | null;
  /** Errors met while it was opened, such as a damaged access.json. */
  readonly notices: readonly string[];
  readonly created_at: string;
  /** When it was last resumed after it had ended; wall time counts from there. */
  readonly resumed_at?: string;
  readonly last_contact_at: string;
  readonly ended_at: string | null;
}

/** A session as clients see it: the record, what it resolves to, and what it was answered. */
export interface SessionView extends Session {
  readonly effective: EffectiveContext;
  /** The mode in force (explicit, run context, parent, worktree default). */
  readonly effective_mode: Mode | null;
  readonly session_rules: readonly Grant[];
  readonly pending: number;
}

// ------------------------------------------------------------------ requests

export interface RequestPath {
  readonly raw: string;
  /** Null: it could not be resolved (spec 3.4). */
  readonly canonical: string | null;
  readonly access: Access;
  /** `argument`: named by the tool; `redirect`: target in shell text; `operand`: other path in shell text; `declared`: by the caller. */
  readonly origin: 'argument' | 'redirect' | 'operand' | 'declared';
  /** The call removes what is there. */
  readonly deletes?: boolean;
  /** The call reads everything below. */
  readonly recursive?: boolean;
  /** Index of the shell unit that redirects to it or names it; an answer that ticks the unit covers it (spec 7). */
  readonly unit?: number;
}

/** One simple command of shell text (spec 6). */
export interface ShellUnit {
  /** Words joined by one space, quotes resolved, leading assignments removed. */
  readonly text: string;
  readonly words: readonly string[];
  readonly assignments: readonly string[];
  /** Can only be allowed by an exact pattern, offered once only. */
  readonly opaque: boolean;
  readonly opaque_reason?: string;
  /** Index of the unit that runs this one (`sudo`, `xargs`, `bash -c` …). */
  readonly wrapped_by?: number;
  /** A `cd DIR` before anything else: neutral when DIR may be read. Canonical target, null when unresolvable. */
  readonly cd?: string | null;
}

export interface Risk {
  readonly level: RiskLevel;
  readonly facts: readonly RiskFact[];
}
export interface RiskFact {
  /** Stable key such as `forced_push`, `outside_roots`. */
  readonly key: string;
  readonly level: RiskLevel;
  /** One sentence for the screen. */
  readonly text: string;
}

/** One question the gate answers about a request (spec 4). */
export interface Check {
  readonly surface: string;
  readonly value: string;
  readonly access?: Access;
  /** Index into `units` or `paths` of the request. */
  readonly unit?: number;
  readonly path?: number;
}

export interface TraceStep {
  /** Step of spec 4, 1 to 12. */
  readonly step: number;
  readonly name: string;
  /** Index of the check it concerns; absent: the whole call. */
  readonly check?: number;
  readonly outcome: VerdictKind | 'pass' | 'skipped';
  readonly cause?: Cause;
  readonly rule_id?: string;
  readonly grant_id?: string;
  /** What was compared, in words: `Write src/a.ts against @fs_write src/* : match`. */
  readonly compared: string;
}

export interface Decision {
  readonly status: SettledStatus;
  readonly cause: Cause;
  readonly scope: Scope | null;
  readonly rule_id: string | null;
  readonly note: string | null;
  /** What the agent is told. */
  readonly message: string;
  readonly trace: readonly TraceStep[];
  readonly resolved_by: string;
  readonly resolved_at: string;
  /** Folder names a recursive read has to skip (spec 9). */
  readonly exclude?: readonly string[];
  /** Edited input the agent has to use instead. */
  readonly input?: JsonObject;
}

export interface Request {
  readonly id: string;
  readonly session_id: string;
  readonly call_id: string;
  readonly agent: string;
  readonly source: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly kind: Kind;
  readonly paths: readonly RequestPath[];
  readonly units: readonly ShellUnit[];
  readonly hosts: readonly string[];
  readonly cwd: string | null;
  readonly digest: string;
  readonly risk: Risk;
  readonly status: RequestStatus;
  readonly decision: Decision | null;
  /** Why it waits: the trace of the evaluation that asked. Null once settled. */
  readonly trace: readonly TraceStep[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** Nobody waits for the answer at this moment (spec 8). */
  readonly detached: boolean;
}

// ------------------------------------------------------------------ answering

/** One line of the grant dial, computed by the engine (spec 7). */
export interface ScopeOffer {
  readonly scope: Scope;
  /** For `timed`: the durations offered. */
  readonly durations_s?: readonly number[];
  /** Per check group: a unit, a path or the tool. Each has widths, narrowest first. */
  readonly parts: readonly ScopePart[];
  readonly text: string;
}
export interface ScopePart {
  /** The unit text, canonical path or tool that this part is about. */
  readonly subject: string;
  readonly unit?: number;
  readonly widths: readonly { readonly width: Width; readonly covers: string; readonly pattern: string }[];
}

export type Choice = Width | readonly { readonly unit: string; readonly width: Width }[];

export interface Answer {
  readonly action: 'approve' | 'deny';
  readonly digest: string;
  readonly scope?: Scope;
  readonly duration_s?: number;
  readonly choice?: Choice;
  readonly rule?: { readonly surface: string; readonly pattern: string };
  readonly note?: string;
  readonly input?: JsonObject;
}

// ------------------------------------------------------------------ simulate, replay

export interface SimulatedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd?: string;
  readonly kind?: Kind;
}
export interface Simulation {
  readonly verdict: VerdictKind;
  readonly cause: Cause | null;
  readonly rule_id: string | null;
  readonly message: string;
  readonly checks: readonly Check[];
  readonly trace: readonly TraceStep[];
}
export interface ReplayChange {
  readonly request_id: string;
  readonly tool: string;
  readonly text: string;
  readonly before: VerdictKind;
  readonly after: VerdictKind;
}

// ------------------------------------------------------------------ outbox, mail, activity, settings, health

export interface OutboxItem {
  readonly id: string;
  readonly request_id: string;
  readonly session_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly edited_input: JsonObject | null;
  readonly summary: string;
  readonly state: OutboxState;
  readonly note: string | null;
  /** Where Gatehouse is the executor: what came of the run. */
  readonly result: Json;
  readonly created_at: string;
  readonly settled_at: string | null;
}

export interface Mail {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly created_at: string;
}
export interface Steering {
  readonly id: string;
  readonly session_id: string;
  readonly text: string;
  readonly created_at: string;
}

export interface Activity {
  readonly seq: number;
  readonly at: string;
  /** Event name such as `request.settled`. */
  readonly type: string;
  readonly actor: string;
  readonly session_id: string | null;
  readonly request_id: string | null;
  readonly agent: string | null;
  /** Cause of the decision this entry settled, if it settled one. */
  readonly cause: string | null;
  readonly summary: string;
  readonly data: Json;
  readonly hash: string;
}

export interface Settings {
  readonly run_context_defaults: {
    readonly agents: { readonly [agent: string]: RunContext };
    readonly sources: { readonly [source: string]: RunContext };
  };
  readonly theme: 'system' | 'light' | 'dark';
  readonly notifications: 'grouped' | 'each' | 'none';
  readonly keep_in_tray: boolean;
  /** Questions wait without a notification until the person releases them (ux 9 and 15). */
  readonly questions_held: boolean;
  readonly single_letter_keys: boolean;
  readonly allow_from_notification: boolean;
  /** Folder an agent works in when it names none, by agent. */
  readonly agent_workspaces: { readonly [agent: string]: string };
  readonly reviewer: ReviewerSettings | null;
  readonly protected_paths: { readonly extra: readonly string[]; readonly lifted: readonly string[] };
}

export type ReviewerSettings =
  | { readonly type: 'command'; readonly command: string; readonly timeout_s?: number }
  | { readonly type: 'openai' | 'anthropic'; readonly url: string; readonly model: string; readonly key_env?: string; readonly timeout_s?: number };

export interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
  readonly pid: number;
  readonly started_at: string;
  readonly pending: number;
  /** Plain sentences for the banner: a damaged database that was moved aside, a settings file that could not be read. */
  readonly problems: readonly { readonly code: string; readonly message: string; readonly hint: string }[];
}

export interface AgentConnection {
  readonly agent: string;
  readonly name: string;
  readonly state: 'connected' | 'outdated' | 'not_connected' | 'not_found';
  readonly detail: string;
  /** The file that connecting changes. */
  readonly file: string | null;
  readonly sessions: number;
}
/** The exact change that connecting or disconnecting would make. */
export interface AgentChange {
  readonly agent: string;
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  readonly backup: string | null;
  readonly changed: boolean;
}
