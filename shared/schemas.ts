// Input shapes of every command, strict: unknown fields are refused (spec 13). The same schemas validate HTTP bodies,
// socket messages, IPC and the forms of the window. Owns what may come in; records that go out are in model.ts.

import { z } from 'zod';
import type { JsonObject, RunContext } from './model';
import {
  ACCESSES,
  ACTIONS,
  HOOK_EVENTS,
  KINDS,
  MAIL_POLICIES,
  MODES,
  PHASES,
  REQUEST_STATUSES,
  SCOPES,
  SESSION_STATES,
  TICKET_STATES,
  WIDTHS,
} from './terms';

/** Longest pattern, name, path: a bound that keeps matching and screens quick, far above real use. */
export const MAX_PATTERN_CHARS = 10_000;
/** Counted in UTF-8 bytes by the mailbox; the schema's bound in characters only keeps out what can never fit. */
export const MAX_MAIL_BYTES = 64 * 1024;

const text = (max: number) => z.string().max(max);
const name = z.string().trim().min(1, 'must not be empty').max(200);
const id = z.string().min(1).max(200);
const path = z.string().min(1, 'must not be empty').max(8192);
const pattern = z.string().min(1, 'must not be empty').max(MAX_PATTERN_CHARS);
const isoTime = z.iso.datetime({ offset: true });
export const jsonObject: z.ZodType<JsonObject, JsonObject> = z.record(z.string(), z.json());

// ------------------------------------------------------------------ run context

const ceiling = z.number().nonnegative().nullable().optional();
export const budgetSchema = z.strictObject({
  max_turns: ceiling,
  max_tool_calls: ceiling,
  max_output_tokens: ceiling,
  max_cost_usd: ceiling,
  max_wall_s: ceiling,
});
export const hookSchema = z.strictObject({
  event: z.enum(HOOK_EVENTS),
  command: z.string().trim().min(1, 'must not be empty').max(8192),
  tools: z.array(pattern).max(1000).optional(),
  timeout_s: z.number().positive().max(3600).optional(),
});
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
export const runContextSchema: z.ZodType<RunContext, RunContext> = z.strictObject({
  security_group: orNull(id),
  system_prompt: orNull(z.array(text(100_000)).max(100)),
  allow_fs_writes: orNull(z.array(path).max(1000)),
  allow_fs_reads: orNull(z.array(path).max(1000)),
  working_directory: orNull(path),
  permission_mode: orNull(z.enum(MODES)),
  phase: orNull(z.enum(PHASES)),
  withheld: orNull(z.array(name).max(1000)),
  budget: orNull(budgetSchema),
  hooks: orNull(z.array(hookSchema).max(100)),
  outbox: orNull(z.array(pattern).max(1000)),
  compact_at_tokens: orNull(z.number().int().positive()),
  homeostat: orNull(z.boolean()),
  mail: orNull(z.enum(MAIL_POLICIES)),
});

// ------------------------------------------------------------------ policy

const ruleFields = {
  priority: z.number().int().min(-1_000_000_000).max(1_000_000_000),
  tool_pattern: pattern,
  path_pattern: pattern.nullable(),
  command_pattern: pattern.nullable(),
  agent: name.nullable(),
  source: name.nullable(),
  action: z.enum(ACTIONS),
  hard: z.boolean(),
  enabled: z.boolean(),
  note: text(10_000),
  reason: text(10_000),
  expires_at: isoTime.nullable(),
};
export const ruleDraftSchema = z.strictObject({
  group_id: id.default('default'),
  priority: ruleFields.priority.default(100),
  tool_pattern: ruleFields.tool_pattern,
  path_pattern: ruleFields.path_pattern.default(null),
  command_pattern: ruleFields.command_pattern.default(null),
  agent: ruleFields.agent.default(null),
  source: ruleFields.source.default(null),
  action: ruleFields.action,
  hard: ruleFields.hard.default(false),
  enabled: ruleFields.enabled.default(true),
  note: ruleFields.note.default(''),
  reason: ruleFields.reason.default(''),
  expires_at: ruleFields.expires_at.default(null),
});
export type RuleDraft = z.output<typeof ruleDraftSchema>;
export const rulePatchSchema = z
  .strictObject({ id, ...ruleFields, group_id: id })
  .partial()
  .required({ id: true });
export const groupDraftSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be lower-case letters, digits, - and _, starting with a letter or digit')
    .optional(),
  name,
  description: text(10_000).default(''),
});

// ------------------------------------------------------------------ sessions and requests

const seconds = z.number().positive().max(31_536_000);
const waitMs = z.number().int().min(0).max(3_600_000);

export const sessionDraftSchema = z.strictObject({
  agent: name,
  source: name.default('interactive'),
  external_id: id.nullable().optional(),
  title: text(500).optional(),
  cwd: path.nullable().optional(),
  root: path.nullable().optional(),
  worktree: z.boolean().optional(),
  project_id: id.nullable().optional(),
  ticket_id: id.nullable().optional(),
  parent_id: id.nullable().optional(),
  mode: z.enum(MODES).nullable().optional(),
  run_context: runContextSchema.nullable().optional(),
  allow_read: z.array(path).max(1000).optional(),
  allow_write: z.array(path).max(1000).optional(),
  headless: z.boolean().optional(),
  resume: id.optional(),
});
export type SessionDraft = z.output<typeof sessionDraftSchema>;

export const callSchema = z.strictObject({
  call_id: id,
  tool: z.string().min(1, 'must not be empty').max(1000),
  input: jsonObject,
  cwd: path.nullable().optional(),
  kind: z.enum(KINDS).optional(),
  paths: z
    .array(z.union([path, z.strictObject({ path, access: z.enum(ACCESSES) })]))
    .max(1000)
    .optional(),
  hosts: z.array(text(1000)).max(1000).optional(),
  expires_in_s: seconds.optional(),
  wait_ms: waitMs.optional(),
});
export type CallDraft = z.output<typeof callSchema>;

export const choiceSchema = z.union([
  z.enum(WIDTHS),
  z
    .array(z.strictObject({ unit: text(1_000_000), width: z.enum(WIDTHS) }))
    .min(1)
    .max(10_000),
]);
export const answerSchema = z.strictObject({
  action: z.enum(['approve', 'deny']),
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest of the request that was shown'),
  scope: z.enum(SCOPES).optional(),
  duration_s: seconds.optional(),
  choice: choiceSchema.optional(),
  rule: z.strictObject({ surface: pattern, pattern }).optional(),
  note: text(10_000).optional(),
  input: jsonObject.optional(),
});

export const accessDraftSchema = z.strictObject({ path, mode: z.enum(ACCESSES) });

const simulatedCall = z.strictObject({
  tool: z.string().min(1).max(1000),
  input: jsonObject.default({}),
  cwd: path.optional(),
  kind: z.enum(KINDS).optional(),
  paths: z
    .array(z.union([path, z.strictObject({ path, access: z.enum(ACCESSES) })]))
    .max(1000)
    .optional(),
  hosts: z.array(text(1000)).max(1000).optional(),
});
export const simulateSchema = z.strictObject({
  session: id.optional(),
  context: z
    .strictObject({
      agent: name.default('any'),
      source: name.default('interactive'),
      root: path.nullable().optional(),
      cwd: path.nullable().optional(),
      mode: z.enum(MODES).nullable().optional(),
      run_context: runContextSchema.nullable().optional(),
      project_id: id.optional(),
      ticket_id: id.optional(),
    })
    .optional(),
  calls: z.array(simulatedCall).min(1).max(10_000),
  draft_rules: z.array(ruleDraftSchema).max(10_000).optional(),
});

// ------------------------------------------------------------------ projects, tickets, jobs

export const projectDraftSchema = z.strictObject({ name, folder: path.nullable().default(null) });
export const ticketDraftSchema = z.strictObject({ title: name });
const jobFields = {
  name,
  cron: z.string().trim().min(1).max(200),
  time_zone: name.nullable(),
  missed_run: z.enum(['skip', 'once']),
  command: z.string().trim().min(1).max(8192),
  cwd: path,
  project_id: id.nullable(),
  run_context: runContextSchema.nullable(),
  headless: z.boolean(),
  enabled: z.boolean(),
};
export const jobDraftSchema = z.strictObject({
  name: jobFields.name.optional(),
  cron: jobFields.cron,
  time_zone: jobFields.time_zone.default(null),
  missed_run: jobFields.missed_run.default('skip'),
  command: jobFields.command,
  cwd: jobFields.cwd,
  project: id.nullable().optional(),
  project_id: jobFields.project_id.optional(),
  run_context: jobFields.run_context.default(null),
  headless: jobFields.headless.default(true),
  enabled: jobFields.enabled.default(true),
});
export const jobPatchSchema = z
  .strictObject({ id, ...jobFields })
  .partial()
  .required({ id: true });

// ------------------------------------------------------------------ settings

const contexts = z.record(name, runContextSchema);
const reviewer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('command'), command: z.string().trim().min(1).max(8192), timeout_s: z.number().positive().max(600).optional() }),
  z.strictObject({
    type: z.enum(['openai', 'anthropic']),
    url: z.url().max(2000),
    model: name,
    key_env: name.optional(),
    timeout_s: z.number().positive().max(600).optional(),
  }),
]);
export const settingsPatchSchema = z
  .strictObject({
    run_context_defaults: z.strictObject({ agents: contexts.default({}), sources: contexts.default({}) }),
    theme: z.enum(['system', 'light', 'dark']),
    notifications: z.enum(['grouped', 'each', 'none']),
    keep_in_tray: z.boolean(),
    questions_held: z.boolean(),
    single_letter_keys: z.boolean(),
    allow_from_notification: z.boolean(),
    agent_workspaces: z.record(name, path),
    reviewer: reviewer.nullable(),
    protected_paths: z.strictObject({ extra: z.array(path).max(1000).default([]), lifted: z.array(path).max(1000).default([]) }),
  })
  .partial();

// ------------------------------------------------------------------ queries

const page = { limit: z.coerce.number().int().min(1).max(1000).optional(), before: text(200).optional() };
export const requestQuerySchema = z.strictObject({
  session_id: id.optional(),
  status: z.enum(REQUEST_STATUSES).optional(),
  tool: text(1000).optional(),
  agent: name.optional(),
  ...page,
});
export const activityQuerySchema = z.strictObject({
  session_id: id.optional(),
  request_id: id.optional(),
  type: text(100).optional(),
  agent: name.optional(),
  cause: text(40).optional(),
  search: text(1000).optional(),
  since: isoTime.optional(),
  until: isoTime.optional(),
  ...page,
});

export { id as idSchema, isoTime as isoTimeSchema, name as nameSchema, path as pathSchema, text as textSchema, waitMs as waitMsSchema };
export const sessionStateSchema = z.enum(SESSION_STATES).exclude(['ended']);
export const ticketStateSchema = z.enum(TICKET_STATES);
