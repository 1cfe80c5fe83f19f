// Rules as records (spec 2, 5.5): what a new one is, which may stand beside the others, and the numbers that an order of them
// needs. Commits nothing; what a rule means for a call is the engine's.

import { fail } from '../../shared/failure';
import type { Rule } from '../../shared/model';
import type { RuleDraft } from '../../shared/schemas';
import { inEvaluationOrder } from '../engine/policy';
import type { LiveState } from '../store/contract';
import type { Core } from './core';

/** In the order in which they are tried. */
export function rulesOf(live: LiveState, groupId: string): readonly Rule[] {
  return [...live.rules.values()].filter((rule) => rule.group_id === groupId).sort(inEvaluationOrder);
}

export function newRule(core: Core, draft: RuleDraft, createdBy: string): Rule {
  return { ...draft, id: core.newId('rule'), created_at: core.nowIso(), created_by: createdBy, hits: 0, last_hit_at: null };
}

/** Null: it may stand as it is. Spec 5.5: a second unfiltered `*` with another action in one group would shadow silently. */
export function refuseRule(rule: Rule, live: Pick<LiveState, 'rules' | 'groups'>): ReturnType<typeof fail> | null {
  if (!live.groups.has(rule.group_id)) {
    return fail('invalid', `There is no group \`${rule.group_id}\`.`, { hint: 'Make the group first.', subject: 'group_id' });
  }
  if (!isCatchAll(rule)) return null;
  for (const other of live.rules.values()) {
    if (other.id === rule.id || other.group_id !== rule.group_id || other.action === rule.action || !isCatchAll(other)) continue;
    return fail('invalid', `The group \`${rule.group_id}\` has a rule for everything already, with the action \`${other.action}\`.`, {
      hint: 'Change that rule, or give this one a tool, a path, a command, an agent or a source.',
      subject: { field: 'tool_pattern', rule_id: other.id },
    });
  }
  return null;
}

const isCatchAll = (rule: Rule): boolean =>
  rule.enabled &&
  rule.tool_pattern === '*' &&
  rule.path_pattern === null &&
  rule.command_pattern === null &&
  rule.agent === null &&
  rule.source === null;

/** The priorities that the rules have already, dealt out in the new order; raised only where a tie would be read the other way. */
export function prioritiesFor(ordered: readonly Pick<Rule, 'id' | 'priority'>[]): readonly number[] {
  const sorted = ordered.map((rule) => rule.priority).sort((a, b) => a - b);
  const dealt: number[] = [];
  ordered.forEach((rule, index) => {
    const before = dealt[index - 1];
    const previous = ordered[index - 1];
    let priority = sorted[index] ?? 0;
    if (before !== undefined && previous !== undefined && (priority < before || (priority === before && rule.id <= previous.id)))
      priority = before + 1;
    dealt.push(priority);
  });
  const last = dealt.at(-1);
  return last !== undefined && last > 1_000_000_000 ? ordered.map((_, index) => (index + 1) * 10) : dealt;
}

export function ruleText(rule: Pick<Rule, 'tool_pattern' | 'path_pattern' | 'command_pattern' | 'action' | 'hard'>): string {
  const parts = [rule.tool_pattern, rule.command_pattern, rule.path_pattern].filter((part) => part !== null);
  return `\`${parts.join(' ')}\` ${rule.action}${rule.hard ? ' (hard)' : ''}`;
}
