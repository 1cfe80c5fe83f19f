// Why a call asked although a rule looks as if it should have allowed it: the rule that came nearest, and the smallest change
// with which it would have matched. Proposes; nothing here changes a rule.

import type { Check, Rule } from '../../shared/model';
import { EXTERNAL_DIRECTORY } from '../../shared/terms';
import { decide } from './decide';
import type { CallFacts, CheckRuling, Ruling, SessionFacts } from './facts';
import { isOfClass, matchesPath, matchesTool, matchesWildcard, mcpName, type ToolSubject } from './match';
import { type CompiledPolicy, compilePolicy, DEFAULT_GROUP, isFloor } from './policy';
import { checkKey } from './scope-parts';
import { timeOf } from './time';
import { ruleText } from './trace';

export type MissedBy = 'order' | 'disabled' | 'expired' | 'agent' | 'source' | 'command' | 'path' | 'tool';
export type RuleChange = Partial<
  Pick<Rule, 'priority' | 'group_id' | 'enabled' | 'expires_at' | 'agent' | 'source' | 'command_pattern' | 'path_pattern' | 'tool_pattern'>
>;

export interface NearMiss {
  readonly ruleId: string;
  /** The check that asked. */
  readonly check: Check;
  readonly missedBy: MissedBy;
  /** With this the rule would have allowed the check. */
  readonly change: RuleChange;
  readonly text: string;
}

/** So many candidates are tried out, the nearest first. */
const MOST_TRIED = 20;

/**
 * For a call that asks. The nearest of the allow rules that can be reached, those that are switched off or run out included, for
 * the first check that has one; null when none comes near, and for what no rule can allow.
 */
export function nearestMiss(call: CallFacts, session: SessionFacts, policy: CompiledPolicy, nowMs: number): NearMiss | null {
  const ruling = decide(call, session, policy, nowMs);
  if (ruling.verdict !== 'require') return null;
  const groups = new Set([session.groupId ?? DEFAULT_GROUP, DEFAULT_GROUP]);
  const allows = policy.rules.filter((rule) => rule.action === 'allow' && groups.has(rule.group_id));
  for (const asking of ruling.checks) {
    if (asking.verdict !== 'require') continue;
    const misses = allows.flatMap((rule) => missOf(rule, asking, call, session, policy, nowMs)).sort((a, b) => a.distance - b.distance);
    const found = misses.slice(0, MOST_TRIED).find((miss) => wouldAllow(miss, asking, ruling, call, session, policy, nowMs));
    if (found === undefined) continue;
    const { rule, missedBy, change } = found;
    return { ruleId: rule.id, check: asking.check, missedBy, change, text: textOf(rule, missedBy, change) };
  }
  return null;
}

interface Miss {
  readonly rule: Rule;
  readonly missedBy: MissedBy;
  readonly change: RuleChange;
  /** 0 is nearest. */
  readonly distance: number;
}

/** The one thing in which the rule differs from what would have matched; empty when there are several or it is far off. */
function missOf(rule: Rule, asking: CheckRuling, call: CallFacts, session: SessionFacts, policy: CompiledPolicy, nowMs: number): readonly Miss[] {
  const misses: Omit<Miss, 'rule'>[] = [];
  if (!rule.enabled) misses.push({ missedBy: 'disabled', change: { enabled: true }, distance: 1 });
  if (rule.expires_at !== null && timeOf(rule.expires_at, false) <= nowMs)
    misses.push({ missedBy: 'expired', change: { expires_at: null }, distance: 1 });
  if (rule.agent !== null && rule.agent !== call.agent) misses.push({ missedBy: 'agent', change: { agent: null }, distance: 2 });
  if (rule.source !== null && rule.source !== call.source) misses.push({ missedBy: 'source', change: { source: null }, distance: 2 });
  const subject = subjectOf(asking.check, call);
  if (!matchesTool(rule.tool_pattern, subject)) {
    const tool = widerTool(rule, subject);
    if (tool === null) return [];
    misses.push({ missedBy: 'tool', change: { tool_pattern: tool }, distance: 5 });
  }
  const argument = argumentMiss(rule, asking.check, session);
  if (argument === 'apart') return [];
  if (argument !== null) misses.push(argument);
  const [only, ...others] = misses;
  if (others.length > 0) return [];
  return [{ rule, ...(only ?? orderMiss(asking, policy)) }];
}

/** It matches, and something else came first: directly above that it would count. */
function orderMiss(asking: CheckRuling, policy: CompiledPolicy): Omit<Miss, 'rule'> {
  const first = policy.rules.find((rule) => rule.id === asking.ruleId);
  return { missedBy: 'order', change: first === undefined ? {} : { priority: first.priority - 1, group_id: first.group_id }, distance: 0 };
}

function subjectOf({ surface, access }: Check, call: CallFacts): ToolSubject {
  if (surface === EXTERNAL_DIRECTORY) return { tool: EXTERNAL_DIRECTORY, mcp: null, kind: 'other', executes: false };
  const { tool, mcp, kind, executes } = call;
  return { tool, mcp, kind, executes, access: access ?? null };
}

/** A class or server that holds both tools. Only for a rule that says more than the tool, or the same server. */
function widerTool(rule: Rule, subject: ToolSubject): string | null {
  const server = subject.mcp?.server;
  if (server !== undefined && mcpName(rule.tool_pattern)?.server === server) return `mcp__${server}__*`;
  if (rule.path_pattern === null && rule.command_pattern === null) return null;
  if (rule.tool_pattern === EXTERNAL_DIRECTORY || subject.tool === EXTERNAL_DIRECTORY) return null;
  const classes = rule.command_pattern !== null ? (['@exec'] as const) : (['@fs_read', '@fs_write'] as const);
  return classes.find((one) => isOfClass(one, subject)) ?? null;
}

/** Null: it matches. `apart`: it speaks of something else. */
function argumentMiss(rule: Rule, check: Check, session: SessionFacts): Omit<Miss, 'rule'> | null | 'apart' {
  const { command_pattern, path_pattern } = rule;
  if (command_pattern !== null && path_pattern !== null) return 'apart';
  if (command_pattern !== null) {
    if (check.unit === undefined) return 'apart';
    return matchesWildcard(command_pattern, check.value) ? null : commandMiss(command_pattern, check.value);
  }
  if (path_pattern === null) return null;
  if (check.access === undefined) return 'apart';
  const { root, workingDirectory, platform, protectedPlaces, links } = session;
  const bases = { root, workingDirectory, platform, home: protectedPlaces.home, ...(links === undefined ? {} : { links }) };
  return matchesPath(path_pattern, check.value, bases) ? null : pathMiss(path_pattern, check.value, session);
}

/** Leading words in common, at least the program. */
function commandMiss(pattern: string, text: string): Omit<Miss, 'rule'> | 'apart' {
  const wanted = pattern.split(' ');
  const words = text.split(' ');
  const shared = sharedLength(wanted, words);
  if (shared === 0 || wanted.slice(0, shared).some((word) => word.includes('*'))) return 'apart';
  const change = { command_pattern: `${words.slice(0, shared).join(' ')} *` };
  return { missedBy: 'command', change, distance: 3 + 1 - shared / Math.max(wanted.length, words.length) };
}

/** Leading folders in common: below a base at least one, of an absolute path more than the root of the disk. */
function pathMiss(pattern: string, path: string, session: SessionFacts): Omit<Miss, 'rule'> | 'apart' {
  const { root, workingDirectory, platform } = session;
  const separator = platform.separator;
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(pattern);
  const base = isAbsolute ? '' : [workingDirectory, root].find((dir) => dir !== null && path.startsWith(dir + separator));
  if (base === undefined || base === null) return 'apart';
  const folders = path
    .slice(base === '' ? 0 : base.length + 1)
    .split(/[\\/]/)
    .slice(0, -1);
  const wanted = pattern.split(/[\\/]/).slice(0, -1);
  const shared = sharedLength(wanted, folders);
  if (shared < (isAbsolute ? 3 : 1) || wanted.slice(0, shared).some((segment) => segment.includes('*'))) return 'apart';
  const change = { path_pattern: `${folders.slice(0, shared).join(separator)}${separator}*` };
  return { missedBy: 'path', change, distance: 3 + 1 - shared / Math.max(wanted.length, folders.length) };
}

function sharedLength(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** Tried out with the rules that matter: those that come first now, and the changed one. */
function wouldAllow(
  { rule, change }: Miss,
  asking: CheckRuling,
  ruling: Ruling,
  call: CallFacts,
  session: SessionFacts,
  policy: CompiledPolicy,
  nowMs: number,
): boolean {
  if (isFloor(rule)) return false;
  const first = new Set(ruling.matchedRuleIds);
  const rules = policy.rules.filter((one) => first.has(one.id) && one.id !== rule.id);
  const after = decide(call, session, compilePolicy([...rules, { ...rule, ...change }], policy.options), nowMs);
  const key = checkKey(asking.check);
  return after.verdict !== 'deny' && after.checks.some((one) => one.verdict === 'allow' && one.ruleId === rule.id && checkKey(one.check) === key);
}

function textOf(rule: Rule, missedBy: MissedBy, change: RuleChange): string {
  const name = `Rule ${ruleText(rule)} of group \`${rule.group_id}\``;
  switch (missedBy) {
    case 'order':
      return `${name} matches, but another rule comes first: with priority ${change.priority} it would have allowed this.`;
    case 'disabled':
      return `${name} is switched off.`;
    case 'expired':
      return `${name} has run out.`;
    case 'agent':
      return `${name} is for another agent.`;
    case 'source':
      return `${name} is for sessions from another source.`;
    case 'command':
      return `${name} would have matched with the command \`${change.command_pattern}\`.`;
    case 'path':
      return `${name} would have matched with the path \`${change.path_pattern}\`.`;
    case 'tool':
      return `${name} would have matched with the tool \`${change.tool_pattern}\`.`;
  }
}
