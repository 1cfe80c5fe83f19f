// What a person's answer writes (spec 7): session rules, grants of a ticket or project, or a rule of a group. Turns nothing that
// would not hold into a record; the broker commits what stands here together with the decision.

import { type Failure, fail, ok, type Result } from '../../shared/failure';
import type { Answer, Choice } from '../../shared/model';
import type { RuleDraft } from '../../shared/schemas';
import { EXTERNAL_DIRECTORY, type Scope, type Width } from '../../shared/terms';
import type { Outcomes } from './decide';
import type { CallFacts, Ruling, SessionFacts } from './facts';
import { handWritten } from './hand-rule';
import type { CompiledPolicy } from './policy';
import { assessRisk } from './risk';
import { type Asked, type GrantDraft, holdsIn, placeTargets, type Remembered, ruleAsked, rulingWithGrants, rulingWithRules } from './round-trip';
import type { Move } from './rule-place';
import { type Bindings, goesAlong, isPlainName, type Part, type PartWidth, type Picked, partsOf } from './scope-parts';
import { DEFAULT_DURATION_S, hasScope, LONGEST_DURATION_S, planScope, reasonForOnceOnly } from './scopes';

export type { GrantDraft } from './round-trip';
export type { Move } from './rule-place';

/** What has to be written with the answer, in one transaction. Empty for `once`. */
export interface AnswerWrites {
  readonly grants: readonly GrantDraft[];
  /** For `always`; the broker adds who made them (`request:<id>`). Made in this order, after every rule that exists. */
  readonly rules: readonly RuleDraft[];
  /** New priorities of existing rules that make room, when no number is free between two. Their order does not change. */
  readonly moves: readonly Move[];
}

/** The fields of an answer that decide what is remembered. */
export type AnswerFields = Pick<Answer, 'action' | 'scope' | 'duration_s' | 'choice' | 'rule' | 'note'>;

const NOTHING: AnswerWrites = { grants: [], rules: [], moves: [] };

/**
 * `invalid` with `subject` `scope`, `choice`, `duration_s` or `rule` when the answer asks for something that was not offered or
 * would not hold; then nothing may be written and the request stays. A call that is allowed meanwhile needs nothing. No choice means the narrowest width of every part; a single
 * width goes to the parts that have it, the others take their narrowest; a list grants only what it names, with the redirects
 * and outside paths of the units it names.
 */
export function grantsFor(
  answer: AnswerFields,
  call: CallFacts,
  session: SessionFacts,
  bindings: Bindings,
  policy: CompiledPolicy,
  nowMs: number,
  outcomes: Outcomes = {},
): Result<AnswerWrites> {
  const scope = answer.scope ?? 'once';
  const misfit = misfitOf(answer, scope, bindings);
  if (misfit !== null) return misfit;
  if (scope === 'once') return ok(NOTHING);
  const asked: Asked = { call, session, bindings, policy, nowMs, outcomes };
  return answer.action === 'approve' ? approved(answer, scope, asked) : denied(answer, scope, asked);
}

type Refused = { readonly ok: false; readonly failure: Failure };

/** Fields that do not go together. */
function misfitOf(answer: AnswerFields, scope: Scope, bindings: Bindings): Refused | null {
  if (answer.duration_s !== undefined) {
    if (scope !== 'timed') return invalid('duration_s', `A duration goes with scope \`timed\`, not with \`${scope}\`.`);
    if (answer.duration_s > LONGEST_DURATION_S) return invalid('duration_s', `\`timed\` is offered for up to ${LONGEST_DURATION_S} seconds.`);
  }
  if (answer.rule !== undefined && answer.choice !== undefined) return invalid('choice', 'The answer has a rule and a choice.', 'Give one of them.');
  if (scope === 'once') {
    const field = answer.rule !== undefined ? 'rule' : answer.choice !== undefined ? 'choice' : null;
    return field === null ? null : invalid(field, `An answer for this call only has no ${field}.`, 'Name the scope that it is for.');
  }
  if (hasScope(scope, bindings)) return null;
  return invalid('scope', `This session has no ${scope}, so an answer cannot be remembered for it.`, 'Choose a scope that was offered.');
}

const invalid = (subject: string, message: string, hint?: string): Refused =>
  fail('invalid', message, hint === undefined ? { subject } : { subject, hint });

// ------------------------------------------------------------------ allow

function approved(answer: AnswerFields, scope: Remembered, asked: Asked): Result<AnswerWrites> {
  if (ruleAsked(asked).verdict === 'allow') return ok(NOTHING);
  const reason = reasonForOnceOnly(asked, assessRisk(asked.call, asked.session));
  const plan = reason === null ? planScope(asked, scope) : null;
  if (plan === null) {
    const why = reason ?? 'no remembered answer of this scope would keep it from asking again';
    return invalid('scope', `\`${scope}\` is not offered for this call: ${why}.`, 'Allow it once, or deny it.');
  }
  const { asked: viewed, ruling, parts } = plan;
  const chosen = answer.rule === undefined ? picksOf(answer.choice, parts) : handWritten(answer.rule, 'allow', scope, viewed, parts);
  return chosen.ok ? writesOf(answer, 'allow', scope, viewed, ruling, chosen.value) : chosen;
}

function picksOf(choice: Choice | undefined, parts: readonly Part[]): Result<readonly Picked[]> {
  if (choice === undefined || typeof choice === 'string') {
    if (choice !== undefined && !parts.some((part) => widthIn(part, choice) !== undefined)) return notOffered(choice, parts);
    return ok(parts.map((part) => pickOf(part, choice)));
  }
  const picked = new Map<Part, Width>();
  for (const { unit, width } of choice) {
    const part = parts.find((one) => one.subject === unit);
    if (part === undefined) return invalid('choice', `\`${unit}\` is no part of this call that asks.`, 'Name the parts as they were offered.');
    if (picked.has(part)) return invalid('choice', `\`${unit}\` is chosen twice.`, 'Give each part one width.');
    if (widthIn(part, width) === undefined) return notOffered(width, [part]);
    picked.set(part, width);
  }
  const ticked = parts.filter((part) => picked.has(part) || goesAlong(part, [...picked.keys()], parts));
  return ok(ticked.map((part) => pickOf(part, picked.get(part))));
}

const widthIn = (part: Part, width: Width): PartWidth | undefined => part.widths.find((one) => one.width === width);

/** The width where the part has it, else its narrowest. */
function pickOf(part: Part, width: Width | undefined): Picked {
  const chosen = (width === undefined ? undefined : widthIn(part, width)) ?? part.widths[0];
  return { part, width: chosen?.width ?? 'exact', targets: chosen?.targets ?? [] };
}

function notOffered(width: Width, parts: readonly Part[]): Refused {
  const offered = [...new Set(parts.flatMap((part) => part.widths.map((one) => `\`${one.width}\``)))].join(', ');
  return invalid('choice', `The width \`${width}\` is not offered here; what is: ${offered}.`, 'Choose one that was offered.');
}

// ------------------------------------------------------------------ deny

/** A denial needs no offer: it only has to say something that can be remembered. */
function denied(answer: AnswerFields, scope: Remembered, asked: Asked): Result<AnswerWrites> {
  const ruling = ruleAsked(asked);
  if (ruling.verdict === 'deny') return ok(NOTHING);
  if (!isPlainName(asked.call.tool))
    return invalid('scope', `\`${asked.call.tool}\` means more than one tool, so a denial of it is not remembered.`, 'Deny it once.');
  const parts = partsOf(asked.call, asked.session, ruling.checks, asked.bindings);
  if (parts.length === 0) return invalid('scope', 'Nothing about this call asks, so there is nothing to deny for longer.', 'Write a rule instead.');
  const chosen = answer.rule === undefined ? picksOf(answer.choice, parts) : handWritten(answer.rule, 'deny', scope, asked, parts);
  return chosen.ok ? writesOf(answer, 'deny', scope, asked, ruling, answer.rule === undefined ? neededToDeny(chosen.value) : chosen.value) : chosen;
}

/**
 * One denied check denies the call. So the outside check stays out where the tool's own check is denied, and paths of shell text
 * where a command is: a denial says no to the call, not to a folder for every tool.
 */
function neededToDeny(picks: readonly Picked[]): readonly Picked[] {
  const parts = picks.map((pick) => pick.part);
  const units = parts.filter((part) => part.about === 'unit');
  return picks
    .filter(({ part }) => units.length === 0 || (part.units.length === 0 ? part.about !== 'path' : !goesAlong(part, units, parts)))
    .map((pick) => {
      const own = pick.targets.filter((target) => target.surface !== EXTERNAL_DIRECTORY);
      return own.length === 0 ? pick : { ...pick, targets: own };
    });
}

// ------------------------------------------------------------------ writing

function writesOf(
  answer: AnswerFields,
  action: 'allow' | 'deny',
  scope: Remembered,
  asked: Asked,
  ruling: Ruling,
  picks: readonly Picked[],
): Result<AnswerWrites> {
  const note = answer.note ?? '';
  const targets = picks.flatMap((pick) => pick.targets);
  const field = answer.rule === undefined ? 'scope' : 'rule';
  if (scope === 'always') {
    const placed = placeTargets(asked, targets, action, action === 'deny' ? { note: '', reason: note } : { note, reason: '' });
    if (placed === null) return invalid(field, 'No rule can say exactly this.', 'Choose another scope, or write the rule by hand.');
    if (!keepsPromise(action, picks, rulingWithRules(asked, placed, ruling))) return wouldNotHold(field);
    return ok({ grants: [], rules: placed.drafts, moves: placed.moves });
  }
  if (!keepsPromise(action, picks, rulingWithGrants(asked, targets, action))) return wouldNotHold(field);
  const grants = new Map<string, GrantDraft>();
  for (const { width, targets: own } of picks) {
    for (const { surface, pattern, match, access } of own) {
      const key = JSON.stringify([surface, pattern, match, access]);
      if (grants.has(key)) continue;
      grants.set(key, { ...ownerOf(scope, answer, asked), surface, pattern, match, access, action, width, note });
    }
  }
  return ok({ grants: [...grants.values()], rules: [], moves: [] });
}

/** INVARIANT (spec 7, round trip): nothing is written that does not do what was answered. */
function keepsPromise(action: 'allow' | 'deny', picks: readonly Picked[], after: Ruling): boolean {
  return action === 'deny' ? after.verdict === 'deny' : holdsIn(after)(picks.flatMap(({ part }) => part.checks));
}

const wouldNotHold = (field: string): Refused =>
  invalid(field, 'With this answer the same call would still ask.', field === 'rule' ? 'Write a rule that covers the call.' : 'Allow it once.');

/** INVARIANT: one owner. A grant of a ticket is not one of its project, and a session rule belongs to its session alone. */
function ownerOf(
  scope: Exclude<Remembered, 'always'>,
  answer: AnswerFields,
  { session, bindings, nowMs }: Asked,
): Pick<GrantDraft, 'scope' | 'session_id' | 'ticket_id' | 'project_id' | 'expires_at'> {
  const nobody = { session_id: null, ticket_id: null, project_id: null, expires_at: null };
  switch (scope) {
    case 'timed': {
      const endsMs = nowMs + Math.round((answer.duration_s ?? DEFAULT_DURATION_S) * 1000);
      return { ...nobody, scope, session_id: session.id, expires_at: new Date(endsMs).toISOString() };
    }
    case 'session':
      return { ...nobody, scope, session_id: session.id };
    case 'ticket':
      return { ...nobody, scope, ticket_id: bindings.ticketId };
    case 'project':
      return { ...nobody, scope, project_id: bindings.projectId };
  }
}
