// A person's answer (spec 7, 8): checked against what was shown, judged once more against policy and disk as they are now, and
// written with what it remembers and what that settles, in one transaction. One conditional update decides who was first.

import { fail, ok, type Result } from '../../shared/failure';
import type { Answer, Decision, JsonObject, Request, Rule, ScopeOffer } from '../../shared/model';
import type { CallFacts, Ruling, SessionFacts } from '../engine/facts';
import { type AnswerWrites, grantsFor } from '../engine/grants';
import { deniedByPerson } from '../engine/messages';
import { foldersToSkip } from '../engine/recursive-read';
import { assessRisk } from '../engine/risk';
import { type Bindings, scopeOffers } from '../engine/scopes';
import type { StateEvent, Write } from '../store/events';
import { actorOf, type Caller } from './caller';
import type { Core } from './core';
import { draftOf, evaluate, type Ground, groundOf, judgeWhole, type TakenCall, takeInAgain } from './gate';
import { liveSession } from './lookup';
import { isSameInput } from './outbox-item';
import { callText, settleEvent } from './records';
import { commitChange, raisedBefore, settlementFor } from './redecide';
import { expireIfDue, findRequest, noRequest } from './requests';
import { newRule, refuseRule } from './rules';
import type { Standing } from './session-facts';

export type GivenAnswer = Answer & { readonly id: string };

/**
 * Failures: `not_found`; `settled` with the recorded status when something else was first; `stale` when another digest was
 * shown, or what the call would touch has changed since; `invalid` with `scope`, `choice`, `rule`, `duration_s` or `input` when
 * the answer asks for what is not offered. After a failure the request waits as before.
 */
export async function answerRequest(core: Core, answer: GivenAnswer, caller: Caller): Promise<Result<Request>> {
  const found = openFor(core, answer);
  if (found === 'settled') return repeated(core, answer);
  if (!found.ok) return found;
  const request = found.value;
  const by = actorOf(caller);
  if (answer.action === 'deny') return deny(core, request, answer, by);
  const edited = answer.input !== undefined && !isSameInput(answer.input, request.input) ? answer.input : null;
  return edited === null ? approve(core, request, answer, by) : approveEdited(core, request, answer, edited, by);
}

/** The request, when it waits, has not run out and is the one that was shown. */
function openFor(core: Core, { id, digest }: Pick<GivenAnswer, 'id' | 'digest'>): Result<Request> | 'settled' {
  const found = findRequest(core, id);
  if (!found.ok) return found;
  if (found.value.status !== 'pending' || expireIfDue(core, found.value)) return 'settled';
  return digest === found.value.digest ? found : stale('The answer is for another version of this request.');
}

const stale = (message: string) => fail('stale', message, { hint: 'Read the request again, then answer it.', subject: 'digest' });

// ------------------------------------------------------------------ second answers

/** Spec 8: repeating the same answer is success, a different one gets the winner. */
function repeated(core: Core, answer: GivenAnswer): Result<Request> {
  const request = core.store.request(answer.id);
  const decision = request?.decision ?? null;
  if (request === undefined) return noRequest(answer.id);
  if (decision === null) return fail('conflict', 'The request could not be settled.', { hint: 'Read it again, then answer it.', subject: 'id' });
  const { status, cause, resolved_by, resolved_at } = decision;
  const isSame =
    cause === 'human' &&
    status === (answer.action === 'approve' ? 'allowed' : 'denied') &&
    (decision.scope ?? 'once') === (answer.scope ?? 'once') &&
    isSameInput(decision.input ?? request.input, answer.input ?? decision.input ?? request.input);
  if (isSame) return ok(request);
  return fail('settled', `The request is settled already: ${status} (${cause}), by ${resolved_by}.`, {
    hint: 'Look at the decision.',
    subject: { status, cause, resolved_by, resolved_at },
  });
}

// ------------------------------------------------------------------ deny

function deny(core: Core, request: Request, answer: GivenAnswer, by: string): Result<Request> {
  const judged = judgeAgain(core, request, groundOf(core));
  const remembered = judged === null ? ok(NOTHING) : remember(core, request, answer, judged);
  if (!remembered.ok) return remembered;
  const note = noteOf(answer);
  return settle(core, request, answer, remembered.value, {
    ...personal(core, answer, by, remembered.value),
    status: 'denied',
    message: deniedByPerson(note),
    trace: judged?.ruling.trace ?? request.trace ?? [],
  });
}

// ------------------------------------------------------------------ approve

interface JudgedAgain {
  readonly standing: Standing;
  readonly taken: TakenCall;
  readonly ruling: Ruling;
  readonly facts: SessionFacts;
}

/** Null: its input can no longer be read. */
function judgeAgain(core: Core, request: Request, ground: Ground): JudgedAgain | null {
  const again = takeInAgain(core, request, ground);
  if (!again.ok) return null;
  const { standing, taken } = again.value;
  const hook = raisedBefore(request);
  return { standing, taken, ...evaluate(core, standing, taken.call, ground, { isCounted: true, ...(hook === null ? {} : { hook }) }) };
}

function approve(core: Core, request: Request, answer: GivenAnswer, by: string): Result<Request> {
  const ground = groundOf(core);
  const judged = judgeAgain(core, request, ground);
  if (judged === null) return fail('invalid', 'The call can no longer be read, so it cannot be allowed.', { hint: 'Deny it.', subject: 'input' });
  // INVARIANT (spec 4): a person relaxes what asks, never what is denied.
  if (judged.ruling.verdict === 'deny' || judged.ruling.verdict === 'stage') {
    const event = settlementFor(core, request, ground);
    if (event !== null) core.commit([event]);
    return repeated(core, answer);
  }
  if (judged.taken.digest !== request.digest) {
    core.commit([shownAnew(core, request, judged)]);
    return stale('What this call would touch has changed since it was shown.');
  }
  const remembered = remember(core, request, answer, judged);
  if (!remembered.ok) return remembered;
  return settle(core, request, answer, remembered.value, allowed(core, answer, by, judged, ground, remembered.value, null));
}

/** Spec 8: edited input is judged before it is released, as a call of its own, hooks included. */
async function approveEdited(core: Core, request: Request, answer: GivenAnswer, input: JsonObject, by: string): Promise<Result<Request>> {
  const judged = await judgeWhole(core, {
    session: () => liveSession(core, request.session_id),
    draft: { ...draftOf(request), input },
    isCounted: true,
    requestId: request.id,
    withReviewer: false,
  });
  if (!judged.ok) return judged;
  const found = openFor(core, answer);
  if (found === 'settled') return repeated(core, answer);
  if (!found.ok) return found;
  const { ruling } = judged.value;
  if (ruling.verdict === 'deny' || ruling.verdict === 'stage') {
    return fail('invalid', `The edited call cannot be allowed: ${ruling.message}`, { hint: 'Edit it again, or deny the request.', subject: 'input' });
  }
  const remembered = remember(core, request, answer, judged.value);
  if (!remembered.ok) return remembered;
  return settle(core, request, answer, remembered.value, allowed(core, answer, by, judged.value, groundOf(core), remembered.value, input));
}

function allowed(
  core: Core,
  answer: GivenAnswer,
  by: string,
  { ruling, taken, facts }: Pick<JudgedAgain, 'ruling' | 'taken' | 'facts'>,
  ground: Ground,
  remembered: AnswerRecords,
  input: JsonObject | null,
): Decision {
  const note = noteOf(answer);
  const exclude = foldersToSkip(taken.call, facts, ground.policy, core.nowMs());
  return {
    ...personal(core, answer, by, remembered),
    status: 'allowed',
    message: note === null ? '' : `A person allowed this call. Their note: ${note}`,
    trace: ruling.trace,
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(input === null ? {} : { input }),
  };
}

/** The record as it has to be shown now: other places, another digest. */
function shownAnew(core: Core, request: Request, { taken, ruling, facts }: JudgedAgain): StateEvent {
  const { call, digest } = taken;
  return {
    type: 'request.changed',
    at: core.nowIso(),
    actor: 'gate',
    session_id: request.session_id,
    request_id: request.id,
    summary: `${callText(call)}: what it would touch has changed while it waited.`,
    writes: [
      {
        put: 'request',
        value: { ...request, paths: call.paths, units: call.units, hosts: call.hosts, digest, risk: assessRisk(call, facts), trace: ruling.trace },
      },
    ],
  };
}

// ------------------------------------------------------------------ what is remembered and written

interface AnswerRecords {
  readonly writes: readonly Write[];
  readonly ruleId: string | null;
}
const NOTHING: AnswerRecords = { writes: [], ruleId: null };

function remember(
  core: Core,
  request: Request,
  answer: GivenAnswer,
  { standing, taken, facts }: Pick<JudgedAgain, 'standing' | 'taken' | 'facts'>,
): Result<AnswerRecords> {
  const hook = raisedBefore(request);
  const { policy } = groundOf(core);
  const made = grantsFor(answer, taken.call, facts, bindingsOf(core, standing), policy, core.nowMs(), hook === null ? {} : { hook });
  if (!made.ok) return made;
  return recordsOf(core, request, made.value);
}

function recordsOf(core: Core, request: Request, { grants, rules, moves }: AnswerWrites): Result<AnswerRecords> {
  const created_at = core.nowIso();
  const moved = moves.flatMap(({ id, priority }): Rule[] => {
    const rule = core.live.rules.get(id);
    return rule === undefined ? [] : [{ ...rule, priority }];
  });
  const made = rules.map((draft) => newRule(core, draft, `request:${request.id}`));
  for (const rule of made) {
    const refused = refuseRule(rule, core.live);
    if (refused !== null) return refused;
  }
  return ok({
    writes: [
      ...grants.map((grant): Write => ({ put: 'grant', value: { ...grant, id: core.newId('grant'), created_at, request_id: request.id } })),
      ...[...moved, ...made].map((value): Write => ({ put: 'rule', value })),
    ],
    ruleId: made[0]?.id ?? null,
  });
}

function personal(core: Core, answer: GivenAnswer, by: string, remembered: AnswerRecords): Omit<Decision, 'status' | 'message' | 'trace'> {
  return {
    cause: 'human',
    scope: answer.scope ?? 'once',
    rule_id: remembered.ruleId,
    note: noteOf(answer),
    resolved_by: by,
    resolved_at: core.nowIso(),
  };
}

const noteOf = ({ note }: GivenAnswer): string | null => (note === undefined || note.trim() === '' ? null : note);

/** A grant is a policy change (spec 4): what else it settles is settled with it. */
function settle(core: Core, request: Request, answer: GivenAnswer, { writes }: AnswerRecords, decision: Decision): Result<Request> {
  const changed = commitChange(core, [settleEvent(request, decision, core.waiting.isAttached(request.id), { writes })]);
  if (!changed.ok) return repeated(core, answer);
  return findRequest(core, request.id);
}

// ------------------------------------------------------------------ what could be answered

export function bindingsOf(core: Core, { session, facts }: Standing): Bindings {
  const folder = session.project_id === null ? null : (core.live.projects.get(session.project_id)?.folder ?? null);
  return {
    ticketId: session.ticket_id !== null && core.live.tickets.has(session.ticket_id) ? session.ticket_id : null,
    projectId: session.project_id !== null && core.live.projects.has(session.project_id) ? session.project_id : null,
    groupId: facts.groupId !== null && core.live.groups.has(facts.groupId) ? facts.groupId : null,
    projectFolder: folder === null ? null : core.deps.paths.canonical(folder, null).path,
  };
}

/** The grant dial (spec 7): empty for what is settled. */
export function scopesOf(core: Core, id: string): Result<readonly ScopeOffer[]> {
  const found = findRequest(core, id);
  if (!found.ok) return found;
  const request = found.value;
  if (request.status !== 'pending') return ok([]);
  const ground = groundOf(core);
  const judged = judgeAgain(core, request, ground);
  if (judged === null) return ok([]);
  const { standing, taken, facts } = judged;
  const call: CallFacts = taken.call;
  const hook = raisedBefore(request);
  return ok(
    scopeOffers(call, facts, bindingsOf(core, standing), ground.policy, core.nowMs(), assessRisk(call, facts), hook === null ? {} : { hook }),
  );
}
