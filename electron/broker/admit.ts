// A call that arrives becomes a request (spec 3.2 and 8): judged whole, then written down in one commit with what it settles,
// counts and stages. Nobody is told before the disk has it. Waiting and delivery are requests.ts's.

import canonicalize from 'canonicalize';
import { fail, ok, type Result } from '../../shared/failure';
import type { Decision, JsonObject, Request, Session } from '../../shared/model';
import type { CallDraft } from '../../shared/schemas';
import type { CallFacts } from '../engine/facts';
import { assessRisk } from '../engine/risk';
import type { Write } from '../store/events';
import type { Core } from './core';
import { digestOfCall, type Judged, judgeWhole } from './gate';
import type { CallToTakeIn } from './intake';
import { liveSession } from './lookup';
import { oneCallGrant, stagedItem } from './outbox-item';
import { blockedDecision, callText, requestRecord, ruledDecision, settlementOf } from './records';

export type SubmittedCall = CallDraft & { readonly session_id: string };

/** Calls under way, by session and call id: a second delivery joins the first instead of being judged again. */
export type Arrivals = Map<string, { readonly call: SubmittedCall; readonly admitted: Promise<Result<Request>> }>;

/** Spec 3.2: the same call id with the same tool, input and working directory is the same request. */
export async function admit(core: Core, arrivals: Arrivals, call: SubmittedCall): Promise<Result<Request>> {
  const session = liveSession(core, call.session_id);
  if (!session.ok) return session;
  const key = JSON.stringify([call.session_id, call.call_id]);
  const arriving = arrivals.get(key);
  if (arriving !== undefined) {
    return isSameCall(call, arriving.call) ? arriving.admitted : conflict(call, null);
  }
  const known = core.store.requestByCall(call.session_id, call.call_id);
  if (known !== undefined) return again(core, session.value, known, call);
  const admitted = judgeAndRecord(core, call).finally(() => arrivals.delete(key));
  arrivals.set(key, { call, admitted });
  return admitted;
}

async function judgeAndRecord(core: Core, call: SubmittedCall): Promise<Result<Request>> {
  const id = core.newId('req');
  let recorded: Recorded;
  try {
    const judged = await judgeWhole(core, {
      session: () => liveSession(core, call.session_id),
      draft: toTakeIn(call),
      requestId: id,
      withReviewer: true,
    });
    if (!judged.ok) return judged;
    recorded = record(core, id, call, judged.value);
  } catch (error) {
    core.fault(error, 'request.submit');
    recorded = recordFault(core, id, call);
  }
  if (!recorded.ok) return recorded;
  // INVARIANT (spec 8): the row is written before anyone is told.
  await recorded.value.durable;
  return ok(recorded.value.request);
}

type Recorded = Result<{ readonly request: Request; readonly durable: Promise<void> }>;

/** A mistake of ours lets nothing through, and the call stands in the history as what it was. */
function recordFault(core: Core, id: string, submitted: SubmittedCall): Recorded {
  const session = liveSession(core, submitted.session_id);
  if (!session.ok) return session;
  const { agent, source } = session.value;
  const at = core.nowIso();
  const call: CallFacts = {
    tool: submitted.tool,
    mcp: null,
    agent,
    source,
    kind: 'other',
    paths: [],
    units: [],
    hosts: [],
    cwd: null,
    executes: false,
    readsBelow: false,
  };
  const made = {
    id,
    sessionId: submitted.session_id,
    callId: submitted.call_id,
    input: submitted.input,
    call,
    digest: digestOfCall(submitted.session_id, submitted, call),
    risk: { level: 'medium' as const, facts: [] },
    createdAt: at,
    expiresAt: null,
  };
  const request = requestRecord(made, blockedDecision('fault', 'gate', at, null), []);
  const result = core.commit([
    {
      type: 'request.settled',
      at,
      actor: 'gate',
      session_id: submitted.session_id,
      request_id: id,
      summary: `${submitted.tool}: blocked (fault).`,
      writes: [{ put: 'request', value: request }],
    },
  ]);
  return result.applied ? ok({ request, durable: result.durable }) : conflict(submitted, result.id);
}

function toTakeIn(call: SubmittedCall): CallToTakeIn {
  const { tool, input, cwd, kind, paths, hosts } = call;
  return {
    tool,
    input,
    ...(cwd === undefined ? {} : { cwd }),
    ...(kind === undefined ? {} : { kind }),
    ...(paths === undefined ? {} : { paths }),
    ...(hosts === undefined ? {} : { hosts }),
  };
}

function record(core: Core, id: string, submitted: SubmittedCall, judged: Judged): Recorded {
  const { ruling, facts, standing, taken } = judged;
  const { session } = standing;
  const at = core.nowIso();
  const { decision, writes } = outcomeOf(core, id, submitted, judged, at);
  const request = requestRecord(
    {
      id,
      sessionId: session.id,
      callId: submitted.call_id,
      input: submitted.input,
      call: taken.call,
      digest: taken.digest,
      risk: assessRisk(taken.call, facts),
      createdAt: at,
      expiresAt: submitted.expires_in_s === undefined ? null : new Date(core.nowMs() + submitted.expires_in_s * 1000).toISOString(),
    },
    decision,
    ruling.trace,
  );
  const result = core.commit([
    {
      type: decision === null ? 'request.received' : 'request.settled',
      at,
      actor: `agent:${session.id}`,
      session_id: session.id,
      request_id: id,
      summary:
        decision === null ? `${callText(taken.call)} waits for an answer.` : `${callText(taken.call)}: ${decision.status} (${decision.cause}).`,
      writes: [{ put: 'request', value: request }, { hit: ruling.matchedRuleIds, at }, ...countOf(core, session, decision), ...writes(request)],
      ...(judged.reviewer === null ? {} : { facts: { reviewer: { ...judged.reviewer } } }),
    },
  ]);
  if (!result.applied) return conflict(submitted, result.id);
  return ok({ request, durable: result.durable });
}

interface Outcome {
  readonly decision: Decision | null;
  /** What else is written with the request. */
  writes(request: Request): readonly Write[];
}

/** Null decision: a person is asked. A staged call that a person released before is the one call that the release was for. */
function outcomeOf(core: Core, id: string, submitted: SubmittedCall, { ruling, standing }: Judged, at: string): Outcome {
  const settlement = settlementOf(ruling);
  if (settlement === null) return { decision: null, writes: () => [] };
  const decision = ruledDecision(ruling, { ...settlement, by: 'gate', at });
  if (settlement.status !== 'staged') return { decision, writes: () => [] };
  const released = oneCallGrant(core.live, standing.session.id, submitted.tool, submitted.input);
  if (released === null) return { decision, writes: (request) => [{ put: 'outbox', value: stagedItem(core, request, at) }] };
  // INVARIANT (spec 15.6, 15.9): claimed in the same commit that allows the call, so that no second call finds it.
  return {
    decision: { ...decision, status: 'allowed', message: '', resolved_by: 'gate' },
    writes: () => [{ put: 'outbox', value: { ...released, result: { claimed_by: id } } }],
  };
}

/**
 * Every call that the run could still make counts, for the session and those it descends from: a budget is not enlarged by
 * children. What a used-up budget or a cancelled run turns away was no call any more.
 */
function countOf(core: Core, session: Session, decision: Decision | null): readonly Write[] {
  if (decision?.cause === 'budget' || decision?.cause === 'cancelled') return [];
  return lineOf(core, session).map((id) => ({ use: id, tool_calls: 1 }));
}

/** The session and its ancestors that still are in memory. */
export function lineOf(core: Core, session: Session): readonly string[] {
  const line: string[] = [session.id];
  let parent = session.parent_id;
  while (parent !== null && !line.includes(parent)) {
    const found = core.live.sessions.get(parent);
    if (found === undefined) break;
    line.push(found.id);
    parent = found.parent_id;
  }
  return line;
}

// ------------------------------------------------------------------ the same call again

function isSameCall(one: SubmittedCall, other: SubmittedCall): boolean {
  return one.tool === other.tool && (one.cwd ?? null) === (other.cwd ?? null) && isSameJson(one.input, other.input);
}

const isSameJson = (one: JsonObject, other: JsonObject): boolean => canonicalize(one) === canonicalize(other);

/** Spec: "Retries of a `call_id` compare tool, input and cwd." */
function again(core: Core, session: Session, known: Request, call: SubmittedCall): Result<Request> {
  const { facts } = core.standings.of(session);
  const given = call.cwd ?? null;
  const cwd = given === null ? facts.workingDirectory : core.deps.paths.canonical(given, facts.workingDirectory).path;
  if (known.tool !== call.tool || known.cwd !== cwd || !isSameJson(known.input, call.input)) return conflict(call, known.id);
  return ok(known);
}

const conflict = (call: SubmittedCall, requestId: string | null) =>
  fail('call_conflict', `The call id \`${call.call_id}\` of this session was used for another call.`, {
    hint: 'Send the call under an id of its own.',
    subject: requestId === null ? 'call_id' : { call_id: call.call_id, request_id: requestId },
  });
