// Records for tests of the renderer: whole, valid, with what a test is about on top. Never imported by what ships.

import type { EffectiveContext, Grant, Group, Project, Request, ResolvedField, Rule, SessionView, Settings, Ticket } from '../../shared/model';
import type { Snapshot } from '../../shared/projection';
import { BUDGET_CEILINGS, type BudgetCeiling } from '../../shared/terms';
import { CONTEXT_FIELDS } from '../context-fields';

export const AT = '2026-12-01T10:00:00.000Z';
export const ROOT = '/home/ada/shop';

export function requestSample(over: Partial<Request> = {}): Request {
  return {
    id: 'r1',
    session_id: 's1',
    call_id: 'c1',
    agent: 'claude-code',
    source: 'interactive',
    tool: 'Bash',
    input: { command: 'npm test' },
    kind: 'execute',
    paths: [],
    units: [],
    hosts: [],
    cwd: ROOT,
    digest: '0'.repeat(64),
    risk: { level: 'low', facts: [] },
    status: 'pending',
    decision: null,
    trace: [],
    created_at: AT,
    expires_at: null,
    detached: false,
    ...over,
  };
}

export function settledSample(over: Partial<Request> = {}, decision: Partial<NonNullable<Request['decision']>> = {}): Request {
  const status = decision.status ?? 'allowed';
  return {
    ...requestSample(over),
    status,
    decision: {
      cause: 'human',
      scope: 'once',
      rule_id: null,
      note: null,
      message: '',
      trace: [],
      resolved_by: 'person:window',
      resolved_at: '2026-12-01T10:01:00.000Z',
      ...decision,
      status,
    },
    trace: null,
  };
}

const UNSET: ResolvedField = { value: null, origin: 'none', replaced: [] };

export function effectiveSample(set: Partial<Record<string, ResolvedField>> = {}, over: Partial<EffectiveContext> = {}): EffectiveContext {
  return {
    fields: Object.fromEntries(CONTEXT_FIELDS.map(({ name }) => [name, set[name] ?? UNSET])) as unknown as EffectiveContext['fields'],
    ceilings: ceilings({}),
    values: Object.fromEntries(Object.entries(set).map(([name, field]) => [name, field?.value ?? null])),
    working_directory: null,
    write_roots: [],
    read_roots: [],
    warnings: [],
    ...over,
  };
}

export const ceilings = (limits: Partial<Record<BudgetCeiling, number>>): EffectiveContext['ceilings'] =>
  Object.fromEntries(
    BUDGET_CEILINGS.map((name) => [name, { value: limits[name] ?? null, origin: limits[name] === undefined ? 'none' : 'project', replaced: [] }]),
  ) as unknown as EffectiveContext['ceilings'];

export function sessionSample(over: Partial<SessionView> = {}): SessionView {
  return {
    id: 's1',
    agent: 'claude-code',
    source: 'interactive',
    external_id: null,
    title: 'shop',
    project_id: null,
    ticket_id: null,
    parent_id: null,
    root: ROOT,
    cwd: ROOT,
    worktree: false,
    mode: null,
    run_context: null,
    access: [],
    headless: false,
    state: 'turn',
    cancelled: false,
    cancel_token: 'c',
    usage: { turns: 0, tool_calls: 0, output_tokens: 0, cost_usd: 0 },
    homeostat: null,
    notices: [],
    created_at: AT,
    last_contact_at: AT,
    ended_at: null,
    effective: effectiveSample(),
    effective_mode: null,
    session_rules: [],
    pending: 0,
    ...over,
  };
}

export function ruleSample(over: Partial<Rule> = {}): Rule {
  return {
    id: 'rule1',
    group_id: 'default',
    priority: 100,
    tool_pattern: '*',
    path_pattern: null,
    command_pattern: null,
    agent: null,
    source: null,
    action: 'require',
    hard: false,
    enabled: true,
    note: '',
    reason: '',
    expires_at: null,
    created_at: AT,
    created_by: 'user',
    hits: 0,
    last_hit_at: null,
    ...over,
  };
}

export const groupSample = (over: Partial<Group> = {}): Group => ({ id: 'default', name: 'default', description: '', created_at: AT, ...over });

export const projectSample = (over: Partial<Project> = {}): Project => ({
  id: 'p1',
  name: 'Shop',
  folder: ROOT,
  archived: false,
  run_context: null,
  created_at: AT,
  updated_at: AT,
  ...over,
});

export const ticketSample = (over: Partial<Ticket> = {}): Ticket => ({
  id: 't1',
  project_id: 'p1',
  title: 'Fix tax rounding',
  state: 'in_progress',
  run_context: null,
  created_at: AT,
  updated_at: AT,
  ...over,
});

export const grantSample = (over: Partial<Grant> = {}): Grant => ({
  id: 'g1',
  surface: 'Edit',
  pattern: `${ROOT}/src/*`,
  action: 'allow',
  scope: 'session',
  session_id: 's1',
  ticket_id: null,
  project_id: null,
  match: 'path',
  width: 'folder',
  access: 'write',
  expires_at: null,
  created_at: AT,
  request_id: 'r0',
  note: '',
  ...over,
});

export const settingsSample = (over: Partial<Settings> = {}): Settings => ({
  run_context_defaults: { agents: {}, sources: {} },
  theme: 'system',
  notifications: 'grouped',
  keep_in_tray: true,
  questions_held: false,
  single_letter_keys: true,
  allow_from_notification: false,
  agent_workspaces: {},
  reviewer: null,
  protected_paths: { extra: [], lifted: [] },
  ...over,
});

export const snapshotSample = (over: Partial<Snapshot> = {}): Snapshot => ({
  revision: 7,
  pending: [],
  recent: [],
  sessions: [],
  groups: [groupSample()],
  rules: [],
  projects: [],
  tickets: [],
  grants: [],
  outbox: [],
  jobs: [],
  settings: settingsSample(),
  health: { status: 'ok', version: '0.1.0', pid: 1, started_at: AT, pending: 0, problems: [] },
  ...over,
});
