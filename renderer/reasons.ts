// Why a person is asked, in words: what asked, taken from the trace, with the rule it stands for. Pure. The trace itself is
// shown whole beside it; this only picks what decided.

import type { Group, Request, Rule, TraceStep } from '../shared/model';
import { ACTION_WORDS, inOrder } from './rule-words';

export interface Reason {
  /** What asked: `Group Careful, rule 4`. Null where it is no rule. */
  readonly rule: { readonly id: string; readonly groupId: string; readonly label: string } | null;
  readonly text: string;
  /** How many parts of the call it asks about. */
  readonly parts: number;
}

export interface Policy {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly groups: ReadonlyMap<string, Group>;
}

/** Each reason once, in the order of the trace; never empty. */
export function reasonsOf(trace: readonly TraceStep[], policy: Policy): readonly Reason[] {
  const relaxed = new Set(trace.flatMap((step) => (step.step === 10 && step.outcome === 'allow' ? [step.check] : [])));
  const asking = trace.filter(
    (step) => (step.step === 7 && step.outcome === 'require' && !relaxed.has(step.check)) || (step.step === 8 && step.outcome === 'require'),
  );
  const unsure = trace.find((step) => step.step === 11 && step.outcome === 'pass' && step.compared.includes('not sure'));
  const found = new Map<string, Reason>();
  for (const step of asking) {
    const reason = reasonOf(step, policy);
    const key = reason.rule?.id ?? reason.text;
    found.set(key, { ...reason, parts: (found.get(key)?.parts ?? 0) + 1 });
  }
  if (unsure !== undefined) found.set('reviewer', { rule: null, text: sentence(unsure.compared), parts: 1 });
  return found.size > 0 ? [...found.values()] : [{ rule: null, text: 'No rule decides this call.', parts: 1 }];
}

function reasonOf(step: TraceStep, { rules, groups }: Policy): Reason {
  const rule = step.rule_id === undefined ? undefined : rules.get(step.rule_id);
  if (step.step === 8) return { rule: null, text: `A hook asks: ${step.compared}.`, parts: 1 };
  const hard = hardReason(step.compared);
  if (hard !== null) return { rule: null, text: hard, parts: 1 };
  if (rule === undefined) return { rule: null, text: noRule(step.compared), parts: 1 };
  const group = groups.get(rule.group_id);
  const place = inOrder([...rules.values()].filter((one) => one.group_id === rule.group_id)).findIndex((one) => one.id === rule.id) + 1;
  const label = `Group ${group?.name ?? rule.group_id}, rule ${place}`;
  return { rule: { id: rule.id, groupId: rule.group_id, label }, text: rule.note === '' ? ruleSentence(rule) : rule.note, parts: 1 };
}

/** The engine says these in the text of the step (spec 4, 6): no rule can relax them. */
function hardReason(compared: string): string | null {
  if (compared.includes(' is opaque: ')) return 'Part of it cannot be read beforehand, so no rule can allow it.';
  if (compared.endsWith(' cannot be resolved, require (hard)')) return 'A path in it cannot be resolved to one place.';
  const setting = / is a protected setting \((.+)\), require \(hard\)$/.exec(compared)?.[1];
  return setting === undefined ? null : `It changes a protected setting (${setting}). That is asked whatever the rules say.`;
}

const noRule = (compared: string): string =>
  compared.startsWith('external_directory ') ? 'It leaves the directories of the session, and no rule covers that.' : 'No rule covers it.';

const ruleSentence = (rule: Rule): string =>
  `${rule.tool_pattern}${rule.command_pattern === null ? '' : ` ${rule.command_pattern}`}${rule.path_pattern === null ? '' : ` ${rule.path_pattern}`}: ${ACTION_WORDS[rule.action]}`;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What the session did just before, the latest first. */
export const justBefore = (recent: readonly Request[], request: Pick<Request, 'session_id' | 'created_at'>, most: number): readonly Request[] =>
  recent.filter((one) => one.session_id === request.session_id && one.created_at <= request.created_at).slice(0, most);
