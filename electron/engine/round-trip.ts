// The promise of a scope, tried out (spec 7): with what an answer would write, does the same call still ask? Every width that is
// offered and every answer that is taken has gone through here and through the engine's own decision.

import type { Grant, Rule } from '../../shared/model';
import type { Scope } from '../../shared/terms';
import { decide, type Outcomes } from './decide';
import type { CallFacts, Ruling, SessionFacts } from './facts';
import { type CompiledPolicy, compilePolicy } from './policy';
import { type Placed, placeRules, reachOf, refusalBehind, type Wanted } from './rule-place';
import { type Bindings, checkKey, type Part, type PartCheck, type PartWidth, type Picked, partsOf, type Target } from './scope-parts';
import { timeOf } from './time';

export type Remembered = Exclude<Scope, 'once'>;

/** Everything an answer is worked out from. */
export interface Asked {
  readonly call: CallFacts;
  readonly session: SessionFacts;
  readonly bindings: Bindings;
  readonly policy: CompiledPolicy;
  readonly nowMs: number;
  /** What hooks and reviewer said when the call came to the person: a hook that asks will ask again. */
  readonly outcomes: Outcomes;
}

/** What an answer writes, without what only the store knows. */
export type GrantDraft = Omit<Grant, 'id' | 'created_at' | 'request_id'>;

export const ruleAsked = ({ call, session, policy, nowMs, outcomes }: Asked): Ruling => decide(call, session, policy, nowMs, outcomes);

// ------------------------------------------------------------------ what has to be covered

/**
 * The session without the allows that do not last as long or reach as far as the new answer, so that the answer does not lean on
 * them: a call that a project answer covers is covered in every session of the project. Denials stay. `untilMs`: when a `timed`
 * answer would end.
 */
export function viewFor(scope: Remembered, untilMs: number, session: SessionFacts): SessionFacts {
  const grants = session.grants.filter((grant) => grant.action === 'deny' || outlasts(grant, scope, untilMs));
  return grants.length === session.grants.length ? session : { ...session, grants };
}

function outlasts(grant: Grant, scope: Remembered, untilMs: number): boolean {
  const endsMs = grant.expires_at === null ? Number.POSITIVE_INFINITY : timeOf(grant.expires_at, false);
  switch (scope) {
    case 'timed':
      return endsMs >= untilMs;
    case 'session':
      return endsMs === Number.POSITIVE_INFINITY;
    case 'ticket':
      return endsMs === Number.POSITIVE_INFINITY && (grant.scope === 'ticket' || grant.scope === 'project');
    case 'project':
      return endsMs === Number.POSITIVE_INFINITY && grant.scope === 'project';
    case 'always':
      return false;
  }
}

// ------------------------------------------------------------------ trying grants

/** The call with `targets` granted on top of what holds. */
export function rulingWithGrants(asked: Asked, targets: readonly Target[], action: Grant['action'] = 'allow'): Ruling {
  const grants = [...asked.session.grants, ...targets.map((target, index) => trialGrant(target, index, action))];
  return decide(asked.call, { ...asked.session, grants }, asked.policy, asked.nowMs);
}

function trialGrant({ surface, pattern, match, access }: Target, index: number, action: Grant['action']): Grant {
  return {
    id: `trial ${index}`,
    scope: 'session',
    session_id: null,
    ticket_id: null,
    project_id: null,
    surface,
    pattern,
    match,
    access,
    action,
    width: 'exact',
    expires_at: null,
    created_at: '',
    request_id: '',
    note: '',
  };
}

// ------------------------------------------------------------------ trying rules

/** Rules for `targets` and where they go; null when they cannot be written as rules that mean exactly that. */
export function placeTargets(
  asked: Asked,
  targets: readonly Target[],
  action: 'allow' | 'deny',
  text: { note: string; reason: string },
): Placed | null {
  const { call, policy, session, bindings } = asked;
  const wanted: Wanted[] = [];
  for (const target of targets) {
    const reach = reachOf(target, call);
    if (reach === null) return null;
    wanted.push({ reach, askedBy: target.askedBy });
  }
  return placeRules(wanted, policy, session, { action, groupId: bindings.groupId, ...text });
}

/**
 * The call with the placed rules in force. Decides over the rules that matter, which gives what the whole policy
 * would give: for each check the rule that comes first now, and what comes anew.
 */
export function rulingWithRules(asked: Asked, placed: Placed, ruling: Ruling): Ruling {
  const { call, session, policy, nowMs } = asked;
  const first = new Set(ruling.matchedRuleIds);
  const moved = new Map(placed.moves.map((move) => [move.id, move.priority]));
  const rules: Rule[] = policy.rules.filter((rule) => first.has(rule.id)).map((rule) => ({ ...rule, priority: moved.get(rule.id) ?? rule.priority }));
  return decide(call, session, compilePolicy([...rules, ...placed.rules], policy.options), nowMs);
}

// ------------------------------------------------------------------ offers

export const NO_TEXT = { note: '', reason: '' } as const;

/**
 * The parts of the call with the widths that keep the promise. Null: the scope cannot hold it at all, because a part is left
 * without its narrowest width. `asked.session` is the view for the scope.
 */
export function keptParts(asked: Asked, scope: Remembered, ruling: Ruling): readonly Part[] | null {
  const parts = partsOf(asked.call, asked.session, ruling.checks, asked.bindings);
  const depth = Math.max(0, ...parts.map((part) => part.widths.length));
  const kept = parts.map((): PartWidth[] => []);
  // All parts at once, from the narrowest width outwards: what one part covers is its own checks, so they do not help each other.
  for (let level = 0; level < depth; level++) {
    const widths = parts.map((part) => part.widths[Math.min(level, part.widths.length - 1)]);
    const holds = scope === 'always' ? holdAsRules(asked, widths, ruling) : holdAsGrants(asked, widths);
    parts.forEach((part, index) => {
      const width = part.widths[level];
      if (width !== undefined && holds(part.checks) && !(scope === 'always' && reachesRefusal(asked, width))) kept[index]?.push(width);
    });
  }
  const whole = parts.map((part, index) => ({ ...part, widths: kept[index] ?? [] }));
  return whole.every((part, index) => part.widths[0] !== undefined && part.widths[0] === parts[index]?.widths[0]) ? whole : null;
}

/** Whether none of these checks asks any more. */
export type Holds = (checks: readonly PartCheck[]) => boolean;

export function holdsIn(ruling: Ruling): Holds {
  if (ruling.verdict === 'deny') return NOTHING_HOLDS;
  const open = new Set(ruling.checks.filter((one) => one.verdict !== 'allow').map((one) => checkKey(one.check)));
  return (checks) => !checks.some((check) => open.has(check.key));
}
const NOTHING_HOLDS: Holds = () => false;

function holdAsGrants(asked: Asked, widths: readonly (PartWidth | undefined)[]): Holds {
  return holdsIn(rulingWithGrants(asked, targetsOf(widths)));
}

function holdAsRules(asked: Asked, widths: readonly (PartWidth | undefined)[], ruling: Ruling): Holds {
  const placed = placeTargets(asked, targetsOf(widths), 'allow', NO_TEXT);
  return placed === null ? NOTHING_HOLDS : holdsIn(rulingWithRules(asked, placed, ruling));
}

const targetsOf = (widths: readonly (PartWidth | undefined)[]): readonly Target[] => widths.flatMap((width) => width?.targets ?? []);

/** A rule must not get ahead of what refuses its neighbours, or the same call of somebody else. */
export function reachesRefusal({ call, session, policy, nowMs, bindings }: Asked, { targets, width }: Pick<Picked, 'targets' | 'width'>): boolean {
  const isExact = width === 'exact' || width === 'file';
  return targets.some((target) => {
    const reach = reachOf(target, call);
    return reach === null || refusalBehind({ reach, askedBy: target.askedBy }, isExact, call, session, policy, nowMs, bindings.groupId) !== null;
  });
}
