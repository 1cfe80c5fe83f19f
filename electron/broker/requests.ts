// The life of a request after it was written (spec 8): waiting for its answer, delivering it, withdrawing, expiring, and what
// a restart finds. A lost connection ends nothing; every ending but an answer is `blocked` and says so.

import { fail, ok, type Result } from '../../shared/failure';
import type { Decision, Request } from '../../shared/model';
import { type Arrivals, admit, type SubmittedCall } from './admit';
import { actorOf, type Caller, isOperator } from './caller';
import { type Core, committed } from './core';
import { evaluate, groundOf, takeInAgain } from './gate';
import { hooksFor, runObservingHooks, sessionPayload } from './hooks';
import { liveSession } from './lookup';
import { type BlockedCause, blockedDecision, callText, ruledDecision, settleEvent } from './records';

export function findRequest(core: Core, id: string): Result<Request> {
  const request = core.store.request(id);
  return request === undefined ? noRequest(id) : ok(request);
}

export const noRequest = (id: string) => fail('not_found', `There is no request \`${id}\`.`, { subject: 'id' });

/** With what no record holds: whether its agent still waits. */
export function withAttachment(core: Core, request: Request): Request {
  const detached = request.status === 'pending' && core.waiting.isDetached(request.id);
  return request.status === 'pending' && request.detached !== detached ? { ...request, detached } : request;
}

/** Spec 13: the request, with its decision when that falls within `wait_ms`. */
export async function submit(core: Core, arrivals: Arrivals, call: SubmittedCall, caller: Caller): Promise<Result<Request>> {
  core.contacts.set(call.session_id, core.nowMs());
  const admitted = await admit(core, arrivals, call);
  if (!admitted.ok) return admitted;
  return awaitAnswer(core, admitted.value.id, call.wait_ms ?? 0, caller);
}

/** Waits, as the agent that asked. Every read of a pending request is a contact. */
export async function awaitAnswer(core: Core, id: string, waitMs: number, caller: Caller): Promise<Result<Request>> {
  const found = findRequest(core, id);
  if (!found.ok || found.value.status !== 'pending') return found.ok ? collect(core, found.value) : found;
  core.contacts.set(found.value.session_id, core.nowMs());
  await core.waiting.wait(id, waitMs, caller.signal);
  const now = findRequest(core, id);
  if (!now.ok) return now;
  return now.value.status === 'pending' ? ok(withAttachment(core, now.value)) : collect(core, now.value);
}

export async function readRequest(
  core: Core,
  input: { readonly id: string; readonly wait_ms?: number | undefined },
  caller: Caller,
): Promise<Result<Request>> {
  const found = findRequest(core, input.id);
  if (!found.ok) return found;
  if (!mayRead(caller, found.value)) return noRequest(input.id);
  // A person who looks is no agent that comes back.
  if (isOperator(caller) && (input.wait_ms ?? 0) === 0) return ok(withAttachment(core, found.value));
  return awaitAnswer(core, input.id, input.wait_ms ?? 0, caller);
}

export const mayRead = (caller: Caller, request: Request): boolean => caller.sessionIds === undefined || caller.sessionIds.has(request.session_id);

// ------------------------------------------------------------------ delivery

/**
 * Hands a settled request to its agent. INVARIANT (spec 8): an allow that was given while nobody was there to take it is
 * looked at again before it goes out; what is denied by now, or would touch other places than were approved, is not delivered.
 */
async function collect(core: Core, request: Request): Promise<Result<Request>> {
  const { decision } = request;
  if (request.status !== 'allowed' || !request.detached || decision === null) return ok(request);
  const refusal = refusalOf(core, request, decision);
  if (refusal !== null) {
    const refused = { ...request, status: refusal.status, decision: refusal };
    if (core.undelivered.get(request.id) === refusal.cause) return ok(refused);
    core.undelivered.set(request.id, refusal.cause);
    await committed(
      core.commit([
        {
          type: 'request.refused',
          at: refusal.resolved_at,
          actor: 'gate',
          session_id: request.session_id,
          request_id: request.id,
          summary: `${callText(request)} was allowed, but is not let through: ${refusal.status} (${refusal.cause}).`,
          writes: [],
          facts: { status: refusal.status, cause: refusal.cause, message: refusal.message },
        },
      ]),
    );
    return ok(refused);
  }
  core.undelivered.delete(request.id);
  const collected = { ...request, detached: false };
  const result = core.commit([
    {
      type: 'request.collected',
      at: core.nowIso(),
      actor: `agent:${request.session_id}`,
      session_id: request.session_id,
      request_id: request.id,
      summary: `${callText(request)}: the agent came back for the answer.`,
      writes: [{ put: 'request', value: collected }],
    },
  ]);
  await committed(result);
  return ok(collected);
}

function refusalOf(core: Core, request: Request, decision: Decision): Decision | null {
  const ground = groundOf(core);
  const asked = decision.input === undefined ? request : { ...request, input: decision.input };
  const again = takeInAgain(core, asked, ground);
  const at = core.nowIso();
  if (!again.ok) return blockedDecision('fault', 'gate', at, null);
  const { standing, taken } = again.value;
  if (standing.session.ended_at !== null) return blockedDecision('withdrawn', 'gate', at, null);
  const { ruling } = evaluate(core, standing, taken.call, ground, { isCounted: true });
  if (ruling.verdict === 'deny') return ruledDecision(ruling, { status: 'denied', cause: ruling.cause ?? 'rule', by: 'gate', at });
  if (decision.input === undefined && taken.digest !== request.digest) {
    const blocked = blockedDecision('fault', 'gate', at, ruling.trace);
    return { ...blocked, message: 'Blocked: what this call would touch has changed since it was allowed. Ask again if it is still needed.' };
  }
  return null;
}

// ------------------------------------------------------------------ endings that nobody chose

/** Settles what waits as blocked. Nothing happens when something else came first. */
export function block(core: Core, requestIds: readonly string[], cause: BlockedCause, actor: string): Promise<void> {
  const at = core.nowIso();
  const events = requestIds.flatMap((id) => {
    const request = core.live.pending.get(id);
    return request === undefined ? [] : [settleEvent(request, blockedDecision(cause, actor, at, request.trace), core.waiting.isAttached(id))];
  });
  if (events.length === 0) return Promise.resolve();
  const result = core.commit(events);
  return result.applied ? result.durable : Promise.resolve();
}

export function onDue(core: Core, requestId: string, reason: 'expired' | 'lost'): void {
  void block(core, [requestId], reason === 'expired' ? 'expired' : 'withdrawn', 'clock').catch(() => undefined);
}

/** True when its time is over; it is settled then, whoever asks first (spec 8). */
export function expireIfDue(core: Core, request: Request): boolean {
  if (request.expires_at === null || Date.parse(request.expires_at) > core.nowMs()) return false;
  onDue(core, request.id, 'expired');
  return true;
}

/** Spec 8, restart: what waits survives, marked detached, with the same grace; what expired meanwhile says so. */
export function recover(core: Core): void {
  for (const request of [...core.live.pending.values()]) {
    if (!expireIfDue(core, request)) core.waiting.track(request.id, request.expires_at, true);
  }
}

export async function withdraw(core: Core, id: string, caller: Caller): Promise<Result<Request>> {
  const found = findRequest(core, id);
  if (!found.ok) return found;
  if (!mayRead(caller, found.value)) return noRequest(id);
  if (found.value.status === 'pending') await block(core, [id], 'withdrawn', actorOf(caller, found.value.session_id));
  return findRequest(core, id);
}

// ------------------------------------------------------------------ after the call

export interface Report {
  readonly session_id: string;
  readonly call_id: string;
  readonly output?: string | undefined;
  readonly failed?: boolean | undefined;
}

/** The agent says that an allowed call has run: post_tool hooks hear of it (spec 12). They observe; nobody waits for them. */
export async function report(core: Core, input: Report, caller: Caller): Promise<Result<Request>> {
  const session = liveSession(core, input.session_id);
  if (!session.ok) return session;
  const request = core.store.requestByCall(input.session_id, input.call_id);
  if (request === undefined || !mayRead(caller, request)) {
    return fail('not_found', `The session has no call \`${input.call_id}\`.`, { subject: 'call_id' });
  }
  core.contacts.set(input.session_id, core.nowMs());
  if (request.status !== 'allowed') {
    return fail('conflict', `The call \`${input.call_id}\` was not allowed, so it cannot have run.`, { subject: { status: request.status } });
  }
  const standing = core.standings.of(session.value);
  const hooks = standing.hooks.filter((hook) => hook.event === 'post_tool');
  if (hooks.length === 0) return ok(request);
  const taken = takeInAgain(core, request, groundOf(core));
  const heard = taken.ok ? hooksFor(hooks, 'post_tool', taken.value.taken.call) : hooks;
  runObservingHooks(
    heard,
    {
      event: 'post_tool',
      tool: request.tool,
      input: request.decision?.input ?? request.input,
      cwd: request.cwd,
      session: sessionPayload(session.value, standing.mode),
      request: { id: request.id },
      result: { output: input.output ?? null, failed: input.failed ?? false },
    },
    core.programs,
  ).catch((error: unknown) => core.fault(error, 'post_tool hook'));
  return ok(request);
}
