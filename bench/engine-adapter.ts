// Our engine behind the neutral interface of the anchors' harness (`--engine`): rules and requests in its form, translated
// to ours. Rules are translated when the engine is made; requests inside `decide`, since that is part of our cost. A
// neutral request has no roots, so a read that only our own roots relax counts as `require` again.

import { decide as decideCall } from '../electron/engine/decide';
import type { CallFacts, SessionFacts } from '../electron/engine/facts';
import { type CompiledPolicy, compilePolicy, firstRule, tiersOf } from '../electron/engine/policy';
import { questionsOf } from '../electron/engine/questions';
import type { AccessEntry, Grant, RequestPath, Rule } from '../shared/model';
import type { Action } from '../shared/terms';

interface NeutralRule {
  readonly id: string;
  readonly tool: string;
  readonly match?: { readonly kind: 'command' | 'path'; readonly pattern: string };
  readonly effect: Action;
}
interface NeutralRequest {
  readonly tool: string;
  readonly command?: string;
  readonly path?: string;
  readonly group?: string;
}
interface NeutralStack {
  readonly groups: Readonly<Record<string, readonly NeutralRule[]>>;
  readonly session?: readonly NeutralRule[];
  readonly dirs?: readonly { readonly path: string; readonly mode: 'read' | 'write' }[];
  readonly context?: { readonly reads: readonly string[]; readonly writes: readonly string[] };
  readonly canonical?: (path: string) => string;
}

interface NeutralEngine {
  decide(request: NeutralRequest): { readonly effect: string; readonly ruleId: string | null };
}
const NO_RULE = { effect: 'require', ruleId: null } as const;

export const meta = { label: 'Gatehouse, rules', group: 'product' };

const PLATFORM = { separator: '/', caseSensitive: true } as const;
const HOME = '/home/dev';
const NOW_MS = Date.parse('2026-12-01T12:00:00Z');
const NONE: readonly never[] = [];

/** Step 7 alone: which rule decides. What the harness's own engines and its ideal index answer too. */
export function createEngine(rules: readonly NeutralRule[]): NeutralEngine {
  const policy = compile({ default: rules });
  const session = toSession({ groups: { default: rules } }, null);
  const tiers = tiersOf(policy, null);
  return {
    decide(request) {
      const [question] = questionsOf(toCall(request, undefined), session, NOW_MS);
      const rule = question === undefined ? null : firstRule(tiers, question);
      return rule === null ? NO_RULE : { effect: rule.action, ruleId: rule.id };
    },
  };
}

/** All twelve steps with their trace, on the same rules. */
export const createGate = (rules: readonly NeutralRule[]): NeutralEngine => createStack({ groups: { default: rules } });

export function createStack(stack: NeutralStack): NeutralEngine {
  const policy = compile(stack.groups);
  const sessions = new Map<string, SessionFacts>();
  const sessionOf = (group: string | undefined): SessionFacts => {
    const key = group ?? 'default';
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const made = toSession(stack, key === 'default' ? null : key);
    sessions.set(key, made);
    return made;
  };
  const canonical = stack.canonical;
  return {
    decide(request) {
      const ruling = decideCall(toCall(request, canonical), sessionOf(request.group), policy, NOW_MS);
      const onlyOurRoots = ruling.verdict === 'allow' && ruling.cause === 'directory';
      return { effect: onlyOurRoots ? 'require' : ruling.verdict, ruleId: ruling.ruleId };
    },
  };
}

function compile(groups: NeutralStack['groups']): CompiledPolicy {
  const rules = Object.entries(groups).flatMap(([group, list]) => list.map((rule, index) => toRule(rule, group, index)));
  return compilePolicy(rules, { platform: PLATFORM, home: HOME, canonicalPrefix: (pattern) => pattern });
}

function toRule(rule: NeutralRule, group: string, index: number): Rule {
  return {
    id: rule.id,
    group_id: group,
    priority: index,
    tool_pattern: rule.tool,
    path_pattern: rule.match?.kind === 'path' ? rule.match.pattern : null,
    command_pattern: rule.match?.kind === 'command' ? rule.match.pattern : null,
    agent: null,
    source: null,
    action: rule.effect,
    hard: false,
    enabled: true,
    note: '',
    reason: '',
    expires_at: null,
    created_at: '2026-01-01T00:00:00Z',
    created_by: 'user',
    hits: 0,
    last_hit_at: null,
  };
}

function toSession(stack: NeutralStack, groupId: string | null): SessionFacts {
  const access: AccessEntry[] = (stack.dirs ?? []).map(({ path, mode }) => ({ path, mode }));
  return {
    id: 'bench',
    root: '/',
    workingDirectory: '/',
    groupId,
    mode: null,
    phase: null,
    withheld: NONE,
    cancelled: false,
    budget: NONE,
    access,
    writeRoots: stack.context?.writes ?? NONE,
    readRoots: stack.context?.reads ?? NONE,
    grants: (stack.session ?? NONE).map(toGrant),
    outbox: NONE,
    headless: false,
    hasReviewer: false,
    hasPreToolHook: false,
    platform: PLATFORM,
    protectedPlaces: { home: HOME, ownDataDir: '/var/lib/gatehouse-bench', extra: NONE, lifted: NONE },
  };
}

function toGrant(rule: NeutralRule, index: number): Grant {
  return {
    id: `grant-${index}`,
    scope: 'session',
    session_id: 'bench',
    ticket_id: null,
    project_id: null,
    surface: rule.tool,
    pattern: rule.match?.pattern ?? '*',
    action: 'allow',
    match: rule.match?.kind === 'path' ? 'path' : 'wildcard',
    width: 'rule',
    access: null,
    expires_at: null,
    created_at: '2026-01-01T00:00:00Z',
    request_id: 'bench',
    note: '',
  };
}

/** Shell text of the workload is one simple command without quotes: one unit, as our parser would give it. */
function toCall(request: NeutralRequest, canonical: ((path: string) => string) | undefined): CallFacts {
  const { tool, command, path } = request;
  const writes = tool === 'write_file' || tool === 'edit_file';
  const paths: readonly RequestPath[] =
    path === undefined
      ? NONE
      : [{ raw: path, canonical: canonical === undefined ? path : canonical(path), access: writes ? 'write' : 'read', origin: 'argument' }];
  return {
    tool,
    mcp: tool.startsWith('mcp__') ? mcpOf(tool) : null,
    agent: 'bench',
    source: 'api',
    kind: command !== undefined ? 'execute' : path === undefined ? 'other' : writes ? 'edit' : 'read',
    paths,
    units: command === undefined ? NONE : [{ text: command, words: NONE, assignments: NONE, opaque: false }],
    hosts: NONE,
    cwd: '/',
    executes: command !== undefined,
    readsBelow: false,
  };
}

function mcpOf(tool: string): CallFacts['mcp'] {
  const end = tool.indexOf('__', 5);
  return end < 0 ? null : { server: tool.slice(5, end), tool: tool.slice(end + 2) };
}
