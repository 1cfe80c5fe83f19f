// A morning's work to look at: two agents, a project with a ticket, rules, answers, and requests of every kind and risk. For
// looking at screens without an app behind them. Never imported by what ships.

import { ok } from '../../shared/failure';
import type { Activity, Request, Rule, TraceStep } from '../../shared/model';
import type { Snapshot } from '../../shared/projection';
import {
  ceilings,
  effectiveSample,
  grantSample,
  groupSample,
  projectSample,
  ROOT,
  requestSample,
  ruleSample,
  sessionSample,
  settingsSample,
  settledSample,
  snapshotSample,
  ticketSample,
} from './samples';
import type { Answers } from './scripted-bridge';

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const path = (name: string, access: 'read' | 'write' = 'write', over: Partial<Request['paths'][number]> = {}): Request['paths'][number] => ({
  raw: name,
  canonical: name.startsWith('/') ? name : `${ROOT}/${name}`,
  access,
  origin: 'argument',
  ...over,
});
const fact = (level: 'low' | 'medium' | 'high', text: string, key = text): Request['risk']['facts'][number] => ({ key, level, text });

const RULES: readonly Rule[] = [
  ruleSample({ id: 'd1', priority: 0, tool_pattern: 'TodoWrite', action: 'allow', note: 'A list the agent keeps for itself', hits: 12 }),
  ruleSample({
    id: 'd2',
    priority: 5,
    tool_pattern: '@fs_any',
    path_pattern: 'secrets/*',
    action: 'deny',
    hard: true,
    note: 'Secrets of the project stay closed',
    reason: 'The folder secrets is closed to agents.',
  }),
  ruleSample({ id: 'd3', priority: 5, tool_pattern: '@fs_any', path_pattern: 'memory/*', action: 'allow', note: "The agent's notes", hits: 3 }),
  ruleSample({ id: 'd4', priority: 10, tool_pattern: '@exec', action: 'require', note: 'Commands ask', hits: 40 }),
  ruleSample({ id: 'd5', priority: 999_999, tool_pattern: '*', action: 'require', note: 'Everything else asks', hits: 22 }),
  ruleSample({ id: 'c1', group_id: 'careful', priority: 10, tool_pattern: '@fs_read', path_pattern: `${ROOT}/*`, action: 'allow', hits: 214 }),
  ruleSample({
    id: 'c2',
    group_id: 'careful',
    priority: 20,
    tool_pattern: '@fs_write',
    path_pattern: 'migrations/*',
    action: 'deny',
    hits: 1,
    reason: 'Migrations are written by hand.',
  }),
  ruleSample({
    id: 'c3',
    group_id: 'careful',
    priority: 30,
    tool_pattern: '@exec',
    command_pattern: 'npm test *',
    action: 'allow',
    hits: 31,
    note: 'Tests',
    created_by: 'request:r0',
  }),
  ruleSample({ id: 'c4', group_id: 'careful', priority: 40, tool_pattern: '@fs_write', action: 'require', hits: 40, note: 'Edits ask' }),
  ruleSample({
    id: 'c5',
    group_id: 'careful',
    priority: 50,
    tool_pattern: '@exec',
    command_pattern: 'docker *',
    action: 'deny',
    enabled: false,
    agent: 'codex',
    expires_at: '2027-01-01T00:00:00.000Z',
  }),
];

function traceOf(tool: string, value: string, ruleId: string): readonly TraceStep[] {
  const rule = RULES.find((one) => one.id === ruleId);
  return [
    { step: 1, name: 'run', outcome: 'pass', compared: 'run not cancelled; max_tool_calls 31 of 200' },
    { step: 2, name: 'phase', outcome: 'pass', compared: 'phase unset' },
    { step: 3, name: 'withheld', outcome: 'pass', compared: 'nothing is withheld' },
    { step: 4, name: 'floors', outcome: 'pass', compared: 'no protected path and no hard deny of `careful` or of `default` matches' },
    { step: 5, name: 'directory access', outcome: 'pass', compared: 'no write in a read-only directory' },
    { step: 6, name: 'mode', outcome: 'pass', compared: 'no mode is set' },
    {
      step: 7,
      name: 'rules',
      check: 0,
      outcome: 'require',
      cause: 'rule',
      rule_id: ruleId,
      compared: `${tool} ${value} against ${rule?.tool_pattern} of \`${rule?.group_id}\`: match, require`,
    },
    { step: 8, name: 'hooks', outcome: 'pass', compared: 'no pre_tool hook' },
    { step: 9, name: 'outbox', outcome: 'pass', compared: 'no outbox route' },
    {
      step: 10,
      name: 'relaxers',
      check: 0,
      outcome: 'require',
      compared: `${tool} ${value}: no directory, run context root, answer or mode covers it`,
    },
    { step: 11, name: 'reviewer', outcome: 'pass', compared: 'no reviewer' },
    { step: 12, name: 'person', outcome: 'require', compared: 'a person decides' },
  ];
}

const unit = (text: string, over: Partial<Request['units'][number]> = {}): Request['units'][number] => ({
  text,
  words: text.split(' '),
  assignments: [],
  opaque: false,
  ...over,
});

const PENDING: readonly Request[] = [
  requestSample({
    id: 'api1',
    session_id: 's2',
    agent: 'codex',
    input: { command: 'git push --force origin main' },
    units: [unit('git push --force origin main')],
    risk: {
      level: 'high',
      facts: [fact('high', 'Overwrites the history of `origin main`. Others may lose commits.'), fact('medium', 'Talks to `git.example.com`.')],
    },
    trace: traceOf('Bash', 'git push --force origin main', 'd4'),
    created_at: ago(74),
    digest: '1'.repeat(64),
  }),
  requestSample({
    id: 'shop1',
    tool: 'Edit',
    kind: 'edit',
    input: {
      file_path: `${ROOT}/src/tax/round.ts`,
      old_string:
        "import { Money } from './money';\n\nexport function roundTax(value: Money): number {\n  return Math.round(value.amount);\n}\n\nexport function total(lines: readonly Line[]): number {",
      new_string:
        "import { Money } from './money';\n\nexport function roundTax(value: Money): number {\n  const cents = Math.round(value.amount * 100);\n  return cents / 100;\n}\n\nexport function total(lines: readonly Line[]): number {  ",
    },
    paths: [path('src/tax/round.ts')],
    risk: { level: 'medium', facts: [fact('medium', 'Changes `src/tax/round.ts` in the project.')] },
    trace: traceOf('Edit', `${ROOT}/src/tax/round.ts`, 'c4'),
    created_at: ago(18),
    digest: '2'.repeat(64),
  }),
  requestSample({
    id: 'shop2',
    input: {
      command: 'cd web && NODE_ENV=production npm run build && cat dist/stats.json | wc -c > build/size.txt',
      description: 'Build and note the size of the bundle',
    },
    units: [
      unit('cd web', { cd: `${ROOT}/web` }),
      unit('npm run build', { assignments: ['NODE_ENV=production'] }),
      unit('cat dist/stats.json'),
      unit('wc -c'),
    ],
    paths: [
      path('web/dist/stats.json', 'read', { origin: 'operand', unit: 2 }),
      path('web/build/size.txt', 'write', { origin: 'redirect', unit: 3 }),
    ],
    risk: {
      level: 'medium',
      facts: [
        fact('medium', 'Runs `npm`, which can change files.'),
        fact('medium', 'Changes `web/build/size.txt` in the project.'),
        fact('low', '`cat dist/stats.json` only reads.'),
      ],
    },
    trace: traceOf('Bash', 'npm run build', 'd4'),
    created_at: ago(11),
    digest: '3'.repeat(64),
  }),
  requestSample({
    id: 'shop3',
    tool: 'Read',
    kind: 'read',
    input: { file_path: '/home/ada/notes/2026/tax-rules.md' },
    paths: [path('/home/ada/notes/2026/tax-rules.md', 'read')],
    risk: { level: 'high', facts: [fact('high', 'Reads `~/notes/2026/tax-rules.md`, outside the project.')] },
    trace: traceOf('external_directory', '/home/ada/notes/2026/tax-rules.md', 'd5'),
    created_at: ago(9),
    digest: '4'.repeat(64),
  }),
  requestSample({
    id: 'shop4',
    tool: 'WebFetch',
    kind: 'fetch',
    input: { url: 'https://example.com/rates/2026.json?currency=EUR', prompt: 'Read the current VAT rates for all countries.' },
    hosts: ['example.com'],
    risk: { level: 'medium', facts: [fact('medium', 'Talks to `example.com`.')] },
    trace: traceOf('WebFetch', 'example.com', 'd5'),
    created_at: ago(6),
    expires_at: new Date(Date.now() + 45_000).toISOString(),
    digest: '5'.repeat(64),
  }),
  requestSample({
    id: 'shop5',
    tool: 'mcp__tracker__create_issue',
    kind: 'other',
    input: { project: 'SHOP', title: 'Tax is rounded twice', labels: ['bug', 'tax'], body: 'Steps:\n1. Add two lines\n2. Look at the total\u202e' },
    risk: { level: 'medium', facts: [fact('medium', 'What `mcp__tracker__create_issue` does cannot be told from its name.')] },
    trace: traceOf('mcp__tracker__create_issue', 'mcp__tracker__create_issue', 'd5'),
    created_at: ago(4),
    digest: '6'.repeat(64),
  }),
  requestSample({
    id: 'shop6',
    tool: 'Write',
    kind: 'edit',
    input: {
      file_path: `${ROOT}/docs/rounding.md`,
      content: `# Rounding\n\n${Array.from({ length: 90 }, (_, index) => `${index + 1}. A line about rounding.`).join('\n')}\n`,
    },
    paths: [path('docs/rounding.md')],
    risk: { level: 'medium', facts: [fact('medium', 'Changes `docs/rounding.md` in the project.')] },
    trace: traceOf('Write', `${ROOT}/docs/rounding.md`, 'c4'),
    created_at: ago(2),
    digest: '7'.repeat(64),
    detached: true,
  }),
];

const RECENT: readonly Request[] = [
  settledSample({ id: 'done1', input: { command: 'npm test' }, created_at: ago(60) }, { cause: 'rule', rule_id: 'c3', scope: null }),
  settledSample(
    { id: 'done2', input: { command: 'npm install left-pad' }, created_at: ago(140) },
    {
      status: 'denied',
      note: 'padStart is built in; no package for that.',
      message: 'A person denied this call. Their note: padStart is built in; no package for that.',
    },
  ),
  settledSample(
    {
      id: 'done3',
      tool: 'Read',
      kind: 'read',
      input: { file_path: `${ROOT}/src/tax/round.ts` },
      paths: [path('src/tax/round.ts', 'read')],
      created_at: ago(200),
    },
    { cause: 'run_context', scope: null },
  ),
  settledSample(
    { id: 'done4', session_id: 's2', agent: 'codex', input: { command: 'make deploy' }, created_at: ago(260) },
    { status: 'blocked', cause: 'expired', scope: null },
  ),
];

const CAREFUL = { value: 'careful', origin: 'ticket' as const, replaced: [{ value: 'quick', origin: 'project' as const }] };

export const MORNING: Snapshot = snapshotSample({
  pending: PENDING,
  recent: RECENT,
  sessions: [
    sessionSample({
      project_id: 'p1',
      ticket_id: 't1',
      pending: 6,
      created_at: ago(720),
      usage: { turns: 9, tool_calls: 31, output_tokens: 48_211, cost_usd: 0.62 },
      access: [
        { path: `${ROOT}/migrations`, mode: 'read', origin: 'session' },
        { path: '/home/ada/shared/fixtures', mode: 'read', origin: 'default', source_path: '~/fx' },
      ],
      session_rules: [
        grantSample({ id: 'g1', scope: 'timed', expires_at: new Date(Date.now() + 842_000).toISOString() }),
        grantSample({ id: 'g2', surface: 'Bash', pattern: 'npm run lint', match: 'equal', width: 'exact' }),
      ],
      effective: effectiveSample(
        {
          security_group: CAREFUL,
          system_prompt: { value: ['Use the helpers in money.ts for amounts.'], origin: 'project', replaced: [] },
          allow_fs_writes: { value: ['src/tax'], origin: 'ticket', replaced: [{ value: ['src', 'docs'], origin: 'project' }] },
          allow_fs_reads: { value: ['fixtures'], origin: 'project', replaced: [] },
          budget: { value: { max_tool_calls: 200, max_cost_usd: 5 }, origin: 'project', replaced: [] },
        },
        { ceilings: ceilings({ max_tool_calls: 200, max_cost_usd: 5 }), write_roots: [`${ROOT}/src/tax`], read_roots: [`${ROOT}/fixtures`] },
      ),
    }),
    sessionSample({
      id: 's2',
      agent: 'codex',
      title: 'api',
      root: '/home/ada/api',
      cwd: '/home/ada/api',
      pending: 1,
      created_at: ago(2400),
      state: 'idle',
    }),
    sessionSample({ id: 's3', title: 'look for callers', parent_id: 's1', project_id: 'p1', created_at: ago(300) }),
    sessionSample({ id: 's4', agent: 'pi', title: 'notes', root: '/home/ada/notes', state: 'ended', created_at: ago(7200), ended_at: ago(3600) }),
  ],
  groups: [
    groupSample(),
    groupSample({ id: 'careful', name: 'Careful', description: 'Edits ask, reads and tests run' }),
    groupSample({ id: 'quick', name: 'Quick' }),
  ],
  rules: RULES,
  projects: [
    projectSample({
      run_context: {
        security_group: 'quick',
        allow_fs_writes: ['src', 'docs'],
        allow_fs_reads: ['fixtures'],
        system_prompt: ['Use the helpers in money.ts for amounts.'],
        budget: { max_tool_calls: 200, max_cost_usd: 5 },
      },
    }),
    projectSample({ id: 'p2', name: 'API', folder: '/home/ada/api' }),
    projectSample({ id: 'p3', name: 'Old shop', folder: '/home/ada/old', archived: true }),
  ],
  tickets: [
    ticketSample({ run_context: { security_group: 'careful', allow_fs_writes: ['src/tax'] } }),
    ticketSample({ id: 't2', title: 'Speed up search', state: 'todo' }),
  ],
  grants: [grantSample({ id: 'g1', scope: 'timed', expires_at: new Date(Date.now() + 842_000).toISOString() })],
  outbox: [
    {
      id: 'o1',
      request_id: 'done9',
      session_id: 's1',
      tool: 'mcp__mail__send',
      input: { to: 'sam@example.com', subject: 'Rounding is fixed' },
      edited_input: null,
      summary: 'mcp__mail__send',
      state: 'waiting',
      note: null,
      result: null,
      created_at: ago(50),
      settled_at: null,
    },
  ],
});

export const EMPTY: Snapshot = snapshotSample({ rules: RULES.filter((rule) => rule.group_id === 'default') });

export const BROKEN: Snapshot = {
  ...MORNING,
  settings: settingsSample({ questions_held: true }),
  health: {
    ...MORNING.health,
    status: 'degraded',
    problems: [
      {
        code: 'settings_damaged',
        message: 'The settings file was damaged and set aside.',
        hint: 'Look at settings.json.damaged-1 in the data folder.',
      },
    ],
  },
};

const ACTIVITY: readonly Activity[] = Array.from({ length: 240 }, (_, index) => ({
  seq: 240 - index,
  at: ago(index * 47),
  type: 'request.settled',
  actor: index % 5 === 0 ? 'person:window' : 'agent:s1',
  session_id: index % 3 === 0 ? 's2' : 's1',
  request_id: 'done2',
  agent: index % 3 === 0 ? 'codex' : 'claude-code',
  cause: 'rule',
  summary:
    [
      'Bash `npm test`: allowed (rule).',
      `Edit \`${ROOT}/src/tax/round.ts\`: allowed (human).`,
      'Bash `git push --force origin main`: denied (human).',
      'WebFetch: blocked (expired).',
      'claude-code opened a session in `/home/ada/shop`.',
    ][index % 5] ?? '',
  data: { tool: 'Bash' },
  hash: 'a'.repeat(64),
}));

export function sceneAnswers(snapshot: Snapshot): Answers {
  const project = snapshot.sessions[0]?.effective ?? effectiveSample();
  return {
    'run_context.effective': () => ok(project),
    'run_context.set': () => ok(project),
    'agent.list': () =>
      ok({
        items: [
          {
            agent: 'claude-code',
            name: 'Claude Code',
            state: 'connected',
            detail: 'Version 2.1.0, hooks over HTTP',
            file: '/home/ada/.claude/settings.json',
            sessions: 2,
          },
          { agent: 'codex', name: 'Codex', state: 'not_connected', detail: 'Version 0.98.0', file: '/home/ada/.codex/config.toml', sessions: 1 },
          { agent: 'gemini-cli', name: 'Gemini CLI', state: 'not_found', detail: 'The program is not on the path.', file: null, sessions: 0 },
        ],
      }),
    'agent.preview': ({ agent }) =>
      ok({
        agent,
        file: '/home/ada/.codex/config.toml',
        before: 'model = "large"\n\n[tools]\nweb_search = true\n',
        after: 'model = "large"\n\n[tools]\nweb_search = true\n\n[hooks.pre_tool_use]\ncommand = "gatehouse-hook codex"\ntimeout = 600\n',
        backup: null,
        changed: true,
      }),
    'activity.list': () => ok({ items: ACTIVITY, next: null }),
    'activity.verify': () => ok({ intact: true, entries: 240, first_break: null, detail: '' }),
    'request.get': () => ok(RECENT[1] ?? settledSample()),
    'request.list': () => ok({ items: RECENT.filter((request) => request.session_id === 's1'), next: null }),
    'access_defaults.list': () => ok({ items: [{ path: '/home/ada/shared/fixtures', mode: 'read', source_path: '~/fx' }] }),
    'request.scopes': ({ id }) =>
      ok({
        items:
          id === 'shop2'
            ? [
                { scope: 'once', parts: [], text: 'This call only' },
                ...(['timed', 'session', 'ticket', 'project', 'always'] as const).map((scope) => ({
                  scope,
                  ...(scope === 'timed' ? { durations_s: [900, 3600] } : {}),
                  parts: ['npm run build', 'cat dist/stats.json', 'wc -c'].map((subject, index) => ({
                    subject,
                    unit: index + 1,
                    widths: [
                      { width: 'exact' as const, covers: `exactly \`${subject}\``, pattern: subject },
                      { width: 'program' as const, covers: `\`${subject.split(' ')[0]}\` with anything`, pattern: `${subject.split(' ')[0]} *` },
                    ],
                  })),
                  text: '',
                })),
              ]
            : [
                { scope: 'once', parts: [], text: 'This call only' },
                ...(['timed', 'session', 'ticket', 'project', 'always'] as const).map((scope) => ({
                  scope,
                  ...(scope === 'timed' ? { durations_s: [900, 3600] } : {}),
                  parts: [
                    {
                      subject: `${ROOT}/src/tax/round.ts`,
                      widths: [
                        { width: 'file' as const, covers: 'Edit, `src/tax/round.ts`', pattern: `${ROOT}/src/tax/round.ts` },
                        { width: 'folder' as const, covers: 'Edit, files in `src/tax`', pattern: `${ROOT}/src/tax/*` },
                        { width: 'project_files' as const, covers: 'Edit, any file in the project', pattern: `${ROOT}/*` },
                      ],
                    },
                  ],
                  text: '',
                })),
              ],
      }),
    replay: () =>
      ok({
        compared: 261,
        items: [
          { request_id: 'x1', tool: 'Edit', text: 'Edit src/tax/index.ts', before: 'require', after: 'allow' },
          { request_id: 'x2', tool: 'Edit', text: 'Edit src/tax/vat.ts', before: 'require', after: 'allow' },
          { request_id: 'x3', tool: 'Bash', text: 'Bash rm -rf build', before: 'allow', after: 'deny' },
        ],
      }),
    simulate: ({ calls }) =>
      ok({
        items: calls.map((call, index) => ({
          verdict: index === 0 ? 'require' : 'deny',
          cause: index === 0 ? null : 'directory',
          rule_id: index === 0 ? 'd4' : null,
          message: '',
          checks: [],
          trace: traceOf(call.tool, 'npm test', 'd4'),
        })),
      }),
  };
}
