// Generated policies, sessions and calls for property tests. Small alphabets on purpose: rules, grants and calls have to meet
// often. For tests only; nothing that ships imports it.

import fc from 'fast-check';
import type { AccessEntry, Grant, RequestPath, Rule, ShellUnit } from '../../shared/model';
import { ACTIONS, KINDS, MODES, PHASES } from '../../shared/terms';
import type { CallFacts, HookOutcome, ReviewerOutcome, SessionFacts } from './facts';
import type { Outcomes } from './judge';
import { mcpName } from './match';
import { HOME, NOW, POSIX, ROOT, session } from './samples';

const TOOLS = ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'WebFetch', 'deploy', 'mcp__mail__send', 'mail:list', 'mcp__files__move'] as const;
const TOOL_PATTERNS = [
  ...TOOLS,
  '*',
  '@fs_read',
  '@fs_write',
  '@fs_any',
  '@exec',
  '@net',
  '@mcp',
  'external_directory',
  'mcp__*',
  'mail:*',
  '*send',
  'W*',
  'dep*oy',
] as const;
const SEGMENTS = ['src', 'secrets', 'data', 'a', 'b.env', '.claude', 'x y'] as const;
const BASES = [ROOT, `${ROOT}/pkg`, '/ext', '/ext/ref', HOME, '/'] as const;
const PROGRAMS = ['git', 'npm', 'rm', '/bin/rm', './run', 'cd'] as const;
const WORDS = ['status', 'push', '-rf', 'x', 'src', '*'] as const;

const segments = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 3 });
const joined = (base: string, rest: readonly string[]): string => [base === '/' ? '' : base, ...rest].join('/') || '/';

export const canonicalPath: fc.Arbitrary<string> = fc.tuple(fc.constantFrom(...BASES), segments).map(([base, rest]) => joined(base, rest));

export const pathPattern: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('*', './*', '~/*', '/*', '*.env', '*/secrets/*', '../*', 'src*', '*/a', 'src/*/a', '/ext/*', 'x *'),
  segments.filter((rest) => rest.length > 0).map((rest) => `${rest.join('/')}/*`),
  segments.filter((rest) => rest.length > 0).map((rest) => rest.join('/')),
  canonicalPath.map((path) => `${path === '/' ? '' : path}/*`),
  canonicalPath,
);

export const commandText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }))
  .map(([program, words]) => [program, ...words].join(' '));

export const commandPattern: fc.Arbitrary<string> = fc.oneof(
  commandText,
  commandText.map((text) => `${text} *`),
  commandText.map((text) => `${text}*`),
  commandText.map((text) => `*${text.slice(1)}`),
  fc.constantFrom('*', '* x', '* push *', 'g*t *', '*m *', '* *', '**', '*-rf*x*'),
);

const expiry = fc.constantFrom(null, null, null, null, NOW - 1000, NOW, NOW + 1000).map((at) => (at === null ? null : new Date(at).toISOString()));

export const anyRule: fc.Arbitrary<Rule> = fc.record({
  id: fc.integer({ min: 0, max: 9999 }).map((n) => `r${n}`),
  group_id: fc.constantFrom('default', 'default', 'team', 'other'),
  priority: fc.constantFrom(0, 10, 10, 100),
  tool_pattern: fc.constantFrom(...TOOL_PATTERNS),
  path_pattern: fc.option(pathPattern, { freq: 2 }),
  command_pattern: fc.option(commandPattern, { freq: 2 }),
  agent: fc.constantFrom(null, null, null, 'claude-code', 'codex'),
  source: fc.constantFrom(null, null, null, 'interactive', 'cron'),
  action: fc.constantFrom(...ACTIONS),
  hard: fc.constantFrom(false, false, false, true),
  enabled: fc.constantFrom(true, true, true, false),
  note: fc.constant(''),
  reason: fc.constantFrom('', 'because'),
  expires_at: expiry,
  created_at: fc.constant('2027-01-15T00:00:00.000Z'),
  created_by: fc.constant('user'),
  hits: fc.constant(0),
  last_hit_at: fc.constant(null),
});

/** Ids are unique, as in the store. */
export const rules = (maxLength = 12): fc.Arbitrary<readonly Rule[]> =>
  fc.uniqueArray(anyRule, { selector: (rule) => rule.id, maxLength, size: 'max' });

const requestPath = (origin: RequestPath['origin']): fc.Arbitrary<RequestPath> =>
  fc
    .record({
      canonical: fc.oneof({ weight: 9, arbitrary: canonicalPath }, { weight: 1, arbitrary: fc.constant(null) }),
      access: origin === 'operand' ? fc.constant('read' as const) : fc.constantFrom('read' as const, 'write' as const),
      deletes: fc.constantFrom(false, false, true),
    })
    .map(({ canonical, access, deletes }) => ({
      raw: canonical ?? 'loop/x',
      canonical,
      access,
      origin,
      ...(deletes && access === 'write' ? { deletes: true } : {}),
    }));

export const anyUnit: fc.Arbitrary<ShellUnit> = fc
  .record({
    text: commandText,
    opaque: fc.constantFrom(false, false, false, true),
    cd: fc.oneof(fc.constant(undefined), canonicalPath, canonicalPath, fc.constant(null)),
  })
  .map(({ text, opaque, cd }) => ({
    text,
    words: text.split(' '),
    assignments: [],
    opaque,
    ...(text.startsWith('cd') && cd !== undefined ? { cd } : {}),
  }));

/** Calls of every kind, shell calls among them, also such as no intake would make. */
export const anyCall: fc.Arbitrary<CallFacts> = fc
  .record({
    tool: fc.constantFrom(...TOOLS),
    kind: fc.constantFrom(...KINDS),
    own: fc.array(requestPath('argument'), { maxLength: 2 }),
    declared: fc.array(requestPath('declared'), { maxLength: 1 }),
    redirects: fc.array(requestPath('redirect'), { maxLength: 1 }),
    operands: fc.array(requestPath('operand'), { maxLength: 2 }),
    units: fc.array(anyUnit, { maxLength: 3 }),
    agent: fc.constantFrom('claude-code', 'codex'),
    source: fc.constantFrom('interactive', 'cron'),
    isShell: fc.boolean(),
    declaredKind: fc.constantFrom(undefined, undefined, undefined, ...KINDS),
    hosts: fc.constantFrom([], [], [], ['example.com']),
    readsBelow: fc.boolean(),
  })
  .map(({ tool, kind, own, declared, redirects, operands, units, agent, source, isShell, readsBelow, declaredKind, hosts }) => ({
    tool,
    mcp: mcpName(tool),
    agent,
    source,
    kind: isShell ? 'execute' : kind,
    paths: isShell ? [...redirects, ...operands, ...declared] : [...own, ...declared],
    units: isShell ? units : [],
    hosts,
    ...(declaredKind === undefined ? {} : { declaredKind }),
    cwd: null,
    executes: isShell,
    readsBelow,
  }));

const entry: fc.Arbitrary<AccessEntry> = fc.record({ path: canonicalPath, mode: fc.constantFrom('read' as const, 'write' as const) });

export const anyGrant: fc.Arbitrary<Grant> = fc
  .record({
    id: fc.integer({ min: 0, max: 9999 }).map((n) => `g${n}`),
    scope: fc.constantFrom('session' as const, 'timed' as const, 'ticket' as const, 'project' as const),
    surface: fc.constantFrom(...TOOL_PATTERNS),
    pattern: fc.oneof(commandPattern, pathPattern, canonicalPath, commandText, fc.constantFrom('*', ...TOOLS)),
    action: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
    match: fc.constantFrom('equal' as const, 'path' as const, 'wildcard' as const),
    access: fc.constantFrom(null, null, 'read' as const, 'write' as const),
    expires_at: expiry,
  })
  .map((fields) => ({
    ...fields,
    session_id: 's1',
    ticket_id: null,
    project_id: null,
    width: 'exact' as const,
    created_at: '2027-01-15T00:00:00.000Z',
    request_id: 'q1',
    note: '',
  }));

const grants = fc.uniqueArray(anyGrant, { selector: (grant) => grant.id, maxLength: 4 });

export const anySession: fc.Arbitrary<SessionFacts> = fc
  .record({
    root: fc.constantFrom(ROOT, ROOT, `${ROOT}/pkg`, null),
    workingDirectory: fc.constantFrom(ROOT, `${ROOT}/pkg`, '/ext/ref', null),
    groupId: fc.constantFrom(null, 'team', 'default', 'deleted'),
    mode: fc.constantFrom(null, null, ...MODES),
    phase: fc.constantFrom(null, null, null, ...PHASES),
    withheld: fc.subarray(['send', 'Bash', 'mail:list'], { maxLength: 1 }),
    cancelled: fc.constantFrom(false, false, false, false, true),
    budget: fc.array(
      fc.constantFrom({ ceiling: 'max_turns', limit: 3, used: 1 } as const, { ceiling: 'max_tool_calls', limit: 2, used: 2 } as const),
      {
        maxLength: 1,
      },
    ),
    access: fc.array(entry, { maxLength: 3 }),
    writeRoots: fc.array(canonicalPath, { maxLength: 1 }),
    readRoots: fc.array(canonicalPath, { maxLength: 1 }),
    grants,
    outbox: fc.subarray(['mail:*', 'deploy'], { maxLength: 1 }),
    headless: fc.boolean(),
    hasReviewer: fc.boolean(),
    hasPreToolHook: fc.boolean(),
    links: fc.array(fc.constantFrom({ at: `${ROOT}/secrets`, to: '/ext/ref' }, { at: `${ROOT}/src`, to: `${ROOT}/data` }), { maxLength: 1 }),
  })
  .map((fields) => session({ ...fields, platform: POSIX }));

export const anyHook: fc.Arbitrary<HookOutcome> = fc.constantFrom<HookOutcome>(
  { outcome: 'pass' },
  { outcome: 'deny', reason: 'not today', command: 'check' },
  { outcome: 'require', reason: 'look twice', command: 'check' },
);
export const anyReviewer: fc.Arbitrary<ReviewerOutcome> = fc.record({
  outcome: fc.constantFrom('allow' as const, 'deny' as const, 'unsure' as const),
  reason: fc.constantFrom('', 'looks fine'),
});
export const anyOutcomes: fc.Arbitrary<Outcomes> = fc.record({ hook: anyHook, reviewer: anyReviewer }, { requiredKeys: [] });
