// Records and folders for the tests of this room. Owns nothing that runs in the program.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Decision, Grant, Group, Job, JobRun, Mail, OutboxItem, Project, Request, Rule, Session, Steering, Ticket } from '../../shared/model';
import { FILES } from './data-folder';
import type { StateEvent, Write } from './events';

export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
export const timeAt = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

/** A data folder that `clean` removes. */
export function temporaryFolder(): { readonly dataDir: string; clean(): void } {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-store-'));
  return {
    dataDir: join(parent, 'data'),
    clean: () => {
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** Runs SQL on the database file of a store that is closed, past the store. */
export function raw(dataDir: string, sql: string): void {
  const database = new DatabaseSync(join(dataDir, FILES.database));
  try {
    database.exec('PRAGMA recursive_triggers = ON');
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** The same as an attacker would, who first drops what guards the log. */
export function tamper(dataDir: string, sql: string): void {
  raw(dataDir, `DROP TRIGGER activity_keeps_entries; DROP TRIGGER activity_keeps_all; DROP TRIGGER activity_keeps_order; ${sql}`);
}

export const event = (type: string, ...writes: Write[]): StateEvent => ({ type, at: timeAt(0), actor: 'gate', summary: `${type} happened`, writes });

export const group = (id: string, fields: Partial<Group> = {}): Group => ({ id, name: id, description: '', created_at: timeAt(0), ...fields });

export const rule = (id: string, fields: Partial<Rule> = {}): Rule => ({
  id,
  group_id: 'default',
  priority: 100,
  tool_pattern: 'Read',
  path_pattern: null,
  command_pattern: null,
  agent: null,
  source: null,
  action: 'allow',
  hard: false,
  enabled: true,
  note: '',
  reason: '',
  expires_at: null,
  created_at: timeAt(0),
  created_by: 'user',
  hits: 0,
  last_hit_at: null,
  ...fields,
});

export const project = (id: string, fields: Partial<Project> = {}): Project => ({
  id,
  name: id,
  folder: null,
  archived: false,
  run_context: null,
  created_at: timeAt(0),
  updated_at: timeAt(0),
  ...fields,
});

export const ticket = (id: string, projectId: string, fields: Partial<Ticket> = {}): Ticket => ({
  id,
  project_id: projectId,
  title: id,
  state: 'todo',
  run_context: null,
  created_at: timeAt(0),
  updated_at: timeAt(0),
  ...fields,
});

export const session = (id: string, fields: Partial<Session> = {}): Session => ({
  id,
  agent: 'claude-code',
  source: 'interactive',
  external_id: null,
  title: id,
  project_id: null,
  ticket_id: null,
  parent_id: null,
  root: '/srv/shop',
  cwd: '/srv/shop',
  worktree: false,
  mode: null,
  run_context: null,
  access: [],
  headless: false,
  state: 'turn',
  cancelled: false,
  cancel_token: `cancel-${id}`,
  usage: { turns: 0, tool_calls: 0, output_tokens: 0, cost_usd: 0 },
  homeostat: null,
  notices: [],
  created_at: timeAt(0),
  last_contact_at: timeAt(0),
  ended_at: null,
  ...fields,
});

export const request = (id: string, sessionId: string, fields: Partial<Request> = {}): Request => ({
  id,
  session_id: sessionId,
  call_id: `call-${id}`,
  agent: 'claude-code',
  source: 'interactive',
  tool: 'Bash',
  input: { command: `npm run task-${id}` },
  kind: 'execute',
  paths: [],
  units: [{ text: `npm run task-${id}`, words: ['npm', 'run', `task-${id}`], assignments: [], opaque: false }],
  hosts: [],
  cwd: '/srv/shop',
  digest: 'a'.repeat(64),
  risk: { level: 'low', facts: [] },
  status: 'pending',
  decision: null,
  trace: [{ step: 7, name: 'rules', outcome: 'require', compared: `Bash npm run task-${id} against * : match` }],
  created_at: timeAt(0),
  expires_at: null,
  detached: false,
  ...fields,
});

export const decision = (fields: Partial<Decision> = {}): Decision => ({
  status: 'allowed',
  cause: 'human',
  scope: 'once',
  rule_id: null,
  note: null,
  message: '',
  trace: [],
  resolved_by: 'person:window',
  resolved_at: timeAt(1),
  ...fields,
});

export const grant = (id: string, fields: Partial<Grant> = {}): Grant => ({
  id,
  scope: 'session',
  session_id: null,
  ticket_id: null,
  project_id: null,
  surface: 'Bash',
  pattern: 'npm run *',
  action: 'allow',
  match: 'wildcard',
  width: 'sub',
  access: null,
  expires_at: null,
  created_at: timeAt(0),
  request_id: 'r1',
  note: '',
  ...fields,
});

export const outboxItem = (id: string, sessionId: string, fields: Partial<OutboxItem> = {}): OutboxItem => ({
  id,
  request_id: 'r1',
  session_id: sessionId,
  tool: 'mcp__mail__send',
  input: { to: 'ann@example.com' },
  edited_input: null,
  summary: 'Send a message',
  state: 'waiting',
  note: null,
  result: null,
  created_at: timeAt(0),
  settled_at: null,
  ...fields,
});

export const job = (id: string, fields: Partial<Job> = {}): Job => ({
  id,
  name: id,
  cron: '0 3 * * *',
  time_zone: null,
  missed_run: 'skip',
  command: 'true',
  cwd: '/srv/shop',
  project_id: null,
  run_context: null,
  headless: true,
  enabled: true,
  created_at: timeAt(0),
  next_run_at: null,
  last_run: null,
  ...fields,
});

export const jobRun = (id: string, jobId: string, fields: Partial<JobRun> = {}): JobRun => ({
  id,
  job_id: jobId,
  session_id: 's1',
  started_at: timeAt(0),
  ended_at: null,
  exit_code: null,
  outcome: 'running',
  output: '',
  ...fields,
});

export const mail = (id: string, to: string, fields: Partial<Mail> = {}): Mail => ({
  id,
  from: 's0',
  to,
  body: 'hello',
  created_at: timeAt(0),
  ...fields,
});

export const steering = (id: string, sessionId: string): Steering => ({
  id,
  session_id: sessionId,
  text: 'look at the tests',
  created_at: timeAt(0),
});
