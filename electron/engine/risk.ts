// Risk as facts (ux: risk cues): what a call does that a person should know, each with a stable key and one sentence. No scores
// and no guesses. A level decides how a question looks; only the kinds that section 6 names decide what can be remembered.

import type { Risk, RiskFact } from '../../shared/model';
import type { RiskLevel } from '../../shared/terms';
import type { CallFacts, SessionFacts } from './facts';
import { commandFacts } from './risk-commands';
import { placeFacts } from './risk-places';
import { clip } from './trace';

/** Spec 6: offered once only. What is removed as a whole and nobody can name may be a root as well as anything. */
const ONCE_ONLY: ReadonlySet<string> = new Set([
  'removes_root',
  'removes_unknown',
  'download_to_shell',
  'forced_push',
  'disk_command',
  'power_command',
]);

/** The fact for which no scope but once is offered; null when there is none. */
export const onceOnlyFact = (risk: Risk): RiskFact | null => risk.facts.find((fact) => ONCE_ONLY.has(fact.key)) ?? null;

/**
 * Spec 6: a dangerous command or an opaque unit is offered once only. High risk as such is not: ux.md has the window offer once
 * alone for it, the engine keeps to the spec. A hard require is found out by deciding (scopes.ts).
 */
export function isOnceOnly(call: CallFacts, risk: Risk): boolean {
  return onceOnlyFact(risk) !== null || call.units.some((unit) => unit.opaque);
}

const RANK: Readonly<Record<RiskLevel, number>> = { high: 0, medium: 1, low: 2 };

/** Facts of a call, the gravest first; its level is that of the gravest. Always at least one fact. */
export function assessRisk(call: CallFacts, session: SessionFacts): Risk {
  const facts = merged([...commandFacts(call, session), ...placeFacts(call, session), ...kindFacts(call)]);
  const ordered = facts.sort((a, b) => RANK[a.level] - RANK[b.level] || Number(ONCE_ONLY.has(b.key)) - Number(ONCE_ONLY.has(a.key)));
  return { level: ordered[0]?.level ?? 'low', facts: ordered };
}

/** One fact for each key: its first sentence, and how many more of the kind there are. */
function merged(facts: readonly RiskFact[]): RiskFact[] {
  const byKey = new Map<string, RiskFact[]>();
  for (const fact of facts) {
    const same = byKey.get(fact.key);
    if (same === undefined) byKey.set(fact.key, [fact]);
    else if (!same.some((known) => known.text === fact.text)) same.push(fact);
  }
  return [...byKey.values()].flatMap((same) => {
    const [first, ...more] = same;
    if (first === undefined) return [];
    return [more.length === 0 ? first : { ...first, text: `${first.text} And ${more.length} more.` }];
  });
}

/** What the kind of the tool says where neither a path nor a command does. */
function kindFacts(call: CallFacts): readonly RiskFact[] {
  const tool = clip(call.tool);
  const local = call.hosts.length > 0 && call.hosts.every(isThisMachine);
  const places = call.hosts.length === 0 ? 'the network' : `\`${clip(call.hosts.join(', '))}\``;
  const network: RiskFact = { key: 'network', level: local ? 'low' : 'medium', text: `Talks to ${places}.` };
  switch (call.kind) {
    case 'read':
    case 'search':
      return call.paths.length > 0 ? [] : [{ key: 'reads', level: 'low', text: `\`${tool}\` reads.` }];
    case 'edit':
    case 'delete':
      return call.paths.length > 0 ? [] : [{ key: 'changes_unknown_place', level: 'high', text: `\`${tool}\` changes files without saying which.` }];
    case 'execute':
      return call.units.length > 0 ? (call.hosts.length > 0 ? [network] : []) : [{ key: 'runs_nothing', level: 'medium', text: 'Names no command.' }];
    case 'fetch':
      return [network];
    case 'message':
      return [{ key: 'sends_data', level: 'high', text: `\`${tool}\` sends a message in your name.` }];
    case 'other':
      return [
        { key: 'unknown_tool', level: 'medium', text: `What \`${tool}\` does cannot be told from its name.` },
        ...(call.hosts.length > 0 ? [network] : []),
      ];
  }
}

function isThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
