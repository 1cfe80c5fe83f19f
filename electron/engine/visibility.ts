// Which of the offered tools an agent need not see (spec 4, tool visibility; 15.8): those of which no call could be allowed or
// asked about. Judges a tool as a whole; what a single call would get is judge.ts's.

import type { Grant, Rule } from '../../shared/model';
import type { Kind } from '../../shared/terms';
import type { SessionFacts } from './facts';
import { matchesTool, mcpName, type ToolSubject } from './match';
import { type CompiledPolicy, isFloor, tiersOf } from './policy';
import { isMutation, isWithheld } from './run-limits';
import { timeOf } from './time';

/**
 * True when the tool has no reachable allow or require. Denies for some paths, commands, agents or sources hide nothing; an
 * allow or require that stands below a deny of the whole tool is not reachable. `kindOf`: the catalogue, `other` when unknown.
 */
export function isHidden(
  tool: string,
  session: SessionFacts,
  policy: CompiledPolicy,
  agent: string,
  source: string,
  nowMs: number,
  kindOf: (tool: string) => Kind,
): boolean {
  const kind = kindOf(tool);
  const subject: ToolSubject = { tool, mcp: mcpName(tool), kind, executes: kind === 'execute' };
  if (session.withheld.some((name) => isWithheld(name, subject))) return true;
  if (session.phase === 'plan' && kind !== 'read' && kind !== 'search') return true;
  if (session.mode === 'read-only' && isMutation(kind)) return true;
  if (session.grants.some((grant) => refusesWholeTool(grant, subject, nowMs))) return true;
  const tiers = tiersOf(policy, session.groupId);
  const concerns = (rule: Rule): boolean => !hasExpired(rule, nowMs) && matchesTool(rule.tool_pattern, subject);
  if (tiers.some((tier) => tier.floors.rules.some((rule) => isUnfiltered(rule) && concerns(rule)))) return true;
  for (const tier of tiers) {
    for (const rule of tier.rules) {
      if (isFloor(rule) || (rule.action === 'deny' && !isUnfiltered(rule)) || !isFor(rule, agent, source) || !concerns(rule)) continue;
      return rule.action === 'deny';
    }
  }
  return false;
}

const isUnfiltered = (rule: Rule): boolean =>
  rule.path_pattern === null && rule.command_pattern === null && rule.agent === null && rule.source === null;

const isFor = (rule: Rule, agent: string, source: string): boolean =>
  (rule.agent === null || rule.agent === agent) && (rule.source === null || rule.source === source);

const hasExpired = (rule: Rule, nowMs: number): boolean => rule.expires_at !== null && nowMs >= timeOf(rule.expires_at, rule.action !== 'allow');

/** A person's denial with a scope that covers the tool or its server, not only one command or path. */
function refusesWholeTool(grant: Grant, subject: ToolSubject, nowMs: number): boolean {
  if (grant.action !== 'deny' || (grant.width !== 'tool' && grant.width !== 'server')) return false;
  return (grant.expires_at === null || nowMs < timeOf(grant.expires_at, true)) && matchesTool(grant.surface, subject);
}
