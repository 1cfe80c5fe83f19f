// Where the rule of an `always` answer goes (spec 4, finer points): in the session's group, else `default`, just above the
// require that asked and below every deny. Works on numbers and ids; writes nothing.

import type { Rule } from '../../shared/model';
import type { RuleDraft } from '../../shared/schemas';
import { EXTERNAL_DIRECTORY } from '../../shared/terms';
import type { CallFacts, SessionFacts } from './facts';
import { type Reach, reachesMeet } from './overlap';
import { compilePathPattern, type PathPattern } from './path-pattern';
import { type CompiledPolicy, DEFAULT_GROUP, inEvaluationOrder, isFloor, tiersOf } from './policy';
import type { Target } from './scope-parts';
import { timeOf } from './time';

/** A new priority for a rule that has to make room. The order of the existing rules among each other stays as it is. */
export interface Move {
  readonly id: string;
  readonly priority: number;
}

export interface Placed {
  readonly drafts: readonly RuleDraft[];
  readonly moves: readonly Move[];
  /** The drafts as rules, newer than every rule there is, for trying them out. */
  readonly rules: readonly Rule[];
}

export const PLAIN_PRIORITY = 100;
const LARGEST_PRIORITY = 1_000_000_000;

export interface PlaceOptions {
  readonly action: 'allow' | 'deny';
  /** Null: `default`. */
  readonly groupId: string | null;
  readonly note: string;
  /** What an agent is told by a deny. */
  readonly reason: string;
}

export const groupOf = (groupId: string | null): string => groupId ?? DEFAULT_GROUP;

/**
 * What a target is as a rule; null where rules have no words for it: an exact value with a star in it, a read by a tool that
 * writes as well, for rules do not tell one access from the other, and a command word that unquoted would be an opaque unit of
 * the same text, which a rule with exactly that text would allow (spec 6).
 */
export function reachOf(target: Target, call: CallFacts): Reach | null {
  if (target.reach !== undefined) return target.reach;
  const { surface, pattern, match, access } = target;
  if (match === 'equal' && pattern.includes('*')) return null;
  const isPath = access !== null;
  if (isPath) {
    if (access === 'read' && surface === call.tool && alsoWrites(call)) return null;
    return { tool_pattern: surface, path_pattern: pattern, command_pattern: null };
  }
  const isTool = surface === pattern;
  if (!isTool && /^\S*[$`]/.test(pattern)) return null;
  if (!isTool) return { tool_pattern: surface, path_pattern: null, command_pattern: pattern };
  // A rule for a tool alone speaks of every call of it: too much when only a call without its command or path was seen.
  return call.executes || isExpectedToSayWhere(call) ? null : { tool_pattern: surface, path_pattern: null, command_pattern: null };
}

const alsoWrites = (call: CallFacts): boolean =>
  call.executes || call.kind === 'edit' || call.kind === 'delete' || call.paths.some((path) => path.access === 'write');

/** A call of such a kind names a path or a command, unless it is malformed. */
function isExpectedToSayWhere(call: CallFacts): boolean {
  switch (call.kind) {
    case 'read':
    case 'search':
    case 'edit':
    case 'delete':
    case 'execute':
      return true;
    case 'fetch':
    case 'message':
    case 'other':
      return false;
  }
}

export interface Wanted {
  readonly reach: Reach;
  /** Ids of the rules that it has to precede, where they are in its group. */
  readonly askedBy: readonly string[];
}

/** Several rules of one answer, one after the other. Null: no number fits. */
export function placeRules(wanted: readonly Wanted[], policy: CompiledPolicy, session: SessionFacts, options: PlaceOptions): Placed | null {
  const group = groupOf(options.groupId);
  let rules = [...(tiersOf(policy, session.groupId).find((tier) => tier.groupId === group)?.rules ?? [])];
  const moved = new Map<string, number>();
  const made: Rule[] = [];
  for (const { reach, askedBy } of merged(wanted)) {
    const asking = rules.findIndex((rule) => askedBy.includes(rule.id));
    const place = asking < 0 ? atTheEnd(rules) : above(rules, asking);
    if (place === null) return null;
    for (const [id, priority] of place.moves) moved.set(id, priority);
    const rule = ruleOf(reach, place.priority, group, made.length, options);
    made.push(rule);
    rules = [...rules.map((one) => withPriority(one, place.moves)), rule].sort(inEvaluationOrder);
  }
  return { drafts: made.map(draftOf), moves: [...moved].map(([id, priority]) => ({ id, priority })), rules: made };
}

/** One rule for what would be the same rule twice. */
function merged(wanted: readonly Wanted[]): readonly Wanted[] {
  const byReach = new Map<string, Wanted>();
  for (const one of wanted) {
    const key = JSON.stringify([one.reach.tool_pattern, one.reach.path_pattern, one.reach.command_pattern]);
    byReach.set(key, { reach: one.reach, askedBy: [...(byReach.get(key)?.askedBy ?? []), ...one.askedBy] });
  }
  return [...byReach.values()];
}

interface Place {
  readonly priority: number;
  readonly moves: ReadonlyMap<string, number>;
}

/** Behind everything: a rule that is made later comes last among equals. */
function atTheEnd(rules: readonly Rule[]): Place {
  return { priority: Math.max(PLAIN_PRIORITY, rules.at(-1)?.priority ?? PLAIN_PRIORITY), moves: new Map() };
}

/**
 * Directly above the rule at `position`: one less than its priority when the rule before it allows that. Otherwise both have
 * the same number, and the new rule, being the newest, would come behind: then that rule and what follows without a gap move
 * down by one.
 */
function above(rules: readonly Rule[], position: number): Place | null {
  const at = rules[position]?.priority ?? PLAIN_PRIORITY;
  const before = position === 0 ? Number.NEGATIVE_INFINITY : (rules[position - 1]?.priority ?? Number.NEGATIVE_INFINITY);
  if (before < at && at - 1 >= -LARGEST_PRIORITY) return { priority: at - 1, moves: new Map() };
  const moves = new Map<string, number>();
  let last = at;
  let lastBefore = Number.NaN;
  for (const rule of rules.slice(position)) {
    const isTied = rule.priority === lastBefore;
    if (!isTied && rule.priority > last) break;
    if (!isTied) last += 1;
    lastBefore = rule.priority;
    if (last > LARGEST_PRIORITY) return null;
    moves.set(rule.id, last);
  }
  return { priority: at, moves };
}

const withPriority = (rule: Rule, moves: ReadonlyMap<string, number>): Rule => {
  const priority = moves.get(rule.id);
  return priority === undefined ? rule : { ...rule, priority };
};

/** Behind every id that exists. */
const newestId = (index: number): string => `\u{10ffff}${String(index).padStart(6, '0')}`;

function ruleOf(reach: Reach, priority: number, group: string, index: number, options: PlaceOptions): Rule {
  return {
    id: newestId(index),
    group_id: group,
    priority,
    tool_pattern: reach.tool_pattern,
    path_pattern: reach.path_pattern,
    command_pattern: reach.command_pattern,
    agent: null,
    source: null,
    action: options.action,
    hard: false,
    enabled: true,
    note: options.note,
    reason: options.reason,
    expires_at: null,
    created_at: '',
    created_by: '',
    hits: 0,
    last_hit_at: null,
  };
}

function draftOf(rule: Rule): RuleDraft {
  const { id: _id, created_at: _at, created_by: _by, hits: _hits, last_hit_at: _hit, ...draft } = rule;
  return draft;
}

/**
 * A rule behind the new one that it would get ahead of: a deny, or a require that nothing relaxes. For what is more than one
 * exact value it is not asked whether an earlier rule already keeps that one from being reached: somebody wrote it for a reason.
 * `isExact`: only calls like the one that was looked at are meant, so what asked them anyway keeps what is behind it out of reach.
 */
export function refusalBehind(
  { reach, askedBy }: Wanted,
  isExact: boolean,
  call: CallFacts,
  session: SessionFacts,
  policy: CompiledPolicy,
  nowMs: number,
  groupId: string | null,
): Rule | null {
  const group = groupOf(groupId);
  const behind: Rule[] = [];
  let isOpen = true;
  for (const tier of tiersOf(policy, session.groupId)) {
    const asking = tier.rules.findIndex((rule) => askedBy.includes(rule.id));
    const asker = tier.rules[asking];
    const own = tier.groupId === group;
    if (!isOpen || (own && asking < 0)) continue;
    const shadows = isExact && asker !== undefined && asksEverybody(asker, reach, policy);
    behind.push(...tier.rules.slice(own ? asking : 0, shadows ? asking : undefined));
    isOpen = !shadows;
  }
  return behind.find((rule) => refuses(rule, nowMs) && reachesMeet(reach, rule, call, session, policy.options)) ?? null;
}

/** The rule comes first for this value whoever calls, from wherever, and whatever the agent says of its tool. */
function asksEverybody(rule: Rule, reach: Reach, { options }: CompiledPolicy): boolean {
  if (rule.agent !== null || rule.source !== null || rule.expires_at !== null) return false;
  if (rule.path_pattern !== null && (rule.command_pattern !== null || !isAnchored(compilePathPattern(rule.path_pattern, options)))) return false;
  switch (rule.tool_pattern) {
    case '@exec':
      return reach.command_pattern !== null;
    case '@fs_any':
      return reach.path_pattern !== null && reach.tool_pattern !== EXTERNAL_DIRECTORY;
    case '@fs_read':
    case '@fs_write':
    case '@net':
      return false;
    default:
      return true;
  }
}

const isAnchored = ({ anchor }: PathPattern): boolean => anchor === 'absolute' || anchor === 'floating';

/** Floors hold wherever they stand. */
function refuses(rule: Rule, nowMs: number): boolean {
  if (isFloor(rule) || (rule.action !== 'deny' && !(rule.action === 'require' && rule.hard))) return false;
  return rule.expires_at === null || timeOf(rule.expires_at, true) > nowMs;
}
