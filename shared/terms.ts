// The words of Gatehouse as closed unions, each with its list so that schemas, forms and exhaustive
// switches share one source. Owns names only: no shapes, no behaviour.

export const ACTIONS = ['allow', 'deny', 'require'] as const;
/** What a rule does. On screen `require` reads Ask. */
export type Action = (typeof ACTIONS)[number];

export const VERDICTS = ['allow', 'deny', 'require', 'stage'] as const;
export type VerdictKind = (typeof VERDICTS)[number];

export const REQUEST_STATUSES = ['pending', 'allowed', 'denied', 'blocked', 'staged'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
export type SettledStatus = Exclude<RequestStatus, 'pending'>;

export const CAUSES = [
  'rule',
  'floor',
  'directory',
  'mode',
  'phase',
  'withheld',
  'budget',
  'cancelled',
  'hook',
  'run_context',
  'session_rule',
  'grant',
  'reviewer',
  'human',
  'headless',
  'expired',
  'withdrawn',
  'fault',
  'outbox',
] as const;
export type Cause = (typeof CAUSES)[number];

export const KINDS = ['read', 'edit', 'delete', 'search', 'execute', 'fetch', 'message', 'other'] as const;
export type Kind = (typeof KINDS)[number];

export const ACCESSES = ['read', 'write'] as const;
export type Access = (typeof ACCESSES)[number];

export const MODES = ['read-only', 'guarded', 'workspace', 'full'] as const;
/** Permission mode of a session (spec 11). Unset is `null`, never a fifth word. */
export type Mode = (typeof MODES)[number];

export const PHASES = ['plan', 'execute'] as const;
/** `plan`: only read-only calls pass. `execute`, or unset: no restriction. */
export type Phase = (typeof PHASES)[number];

export const SESSION_STATES = ['idle', 'turn', 'compaction', 'ended'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export const SCOPES = ['once', 'timed', 'session', 'ticket', 'project', 'always'] as const;
/** How long a person's answer is remembered, narrowest first (spec 7). */
export type Scope = (typeof SCOPES)[number];

export const WIDTHS = ['exact', 'sub', 'program', 'file', 'folder', 'project_files', 'tool', 'server'] as const;
/** How much of a surface an answer covers: commands, then paths, then tools without either. */
export type Width = (typeof WIDTHS)[number];

export const RISK_LEVELS = ['low', 'medium', 'high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export const HOOK_EVENTS = ['pre_tool', 'post_tool', 'session_end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const MAIL_POLICIES = ['accept', 'hold', 'refuse'] as const;
export type MailPolicy = (typeof MAIL_POLICIES)[number];

export const TICKET_STATES = ['todo', 'in_progress', 'done', 'failed'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const OUTBOX_STATES = ['waiting', 'released', 'rejected'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

export const BUDGET_CEILINGS = ['max_turns', 'max_tool_calls', 'max_output_tokens', 'max_cost_usd', 'max_wall_s'] as const;
export type BudgetCeiling = (typeof BUDGET_CEILINGS)[number];

export const TOKEN_SCOPES = ['agent', 'operator.read', 'operator.write', 'operator.approvals', 'operator.admin'] as const;
/** What a caller may do. `operator.admin` implies the other operator scopes; `operator.approvals` is not implied by write. */
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The surface of the check made for a path outside the session's roots (spec 4). */
export const EXTERNAL_DIRECTORY = 'external_directory';
