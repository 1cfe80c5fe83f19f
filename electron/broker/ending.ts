// How a session ends or is stopped (spec 8, 12): its end, which withdraws what waits and forgets its answers, and the
// cancellation of a run with every session that shares its token.

import { ok, type Result } from '../../shared/failure';
import type { Session } from '../../shared/model';
import type { StateEvent, Write } from '../store/events';
import { actorOf, type Caller } from './caller';
import { type Core, committed } from './core';
import { runObservingHooks, sessionPayload } from './hooks';
import { anySession } from './lookup';
import { type BlockedCause, blockedDecision, settleEvent } from './records';

/** Ending one that has ended is success. Spec 7: session rules die with the session. */
export function endSession(core: Core, id: string, caller: Caller, reason: string | null = null): Result<Session> {
  const found = anySession(core, id);
  if (!found.ok || found.value.ended_at !== null) return found;
  const session = found.value;
  const standing = core.standings.of(session);
  const at = core.nowIso();
  const ended: Session = { ...session, state: 'ended', ended_at: at, last_contact_at: heardOf(core, session) };
  const forgotten = [...core.live.grants.values()].filter((grant) => grant.session_id === id);
  const actor = actorOf(caller, id);
  const event: StateEvent = {
    type: 'session.ended',
    at,
    actor,
    session_id: id,
    summary: `The session of ${session.agent} ended${reason === null ? '' : `: ${reason}`}.`,
    writes: [{ put: 'session', value: ended }, ...forgotten.map((grant): Write => ({ remove: 'grant', id: grant.id }))],
  };
  const durable = committed(core.commit([event, ...blocking(core, (request) => request.session_id === id, 'withdrawn', actor)]));
  core.contacts.delete(id);
  const hooks = standing.hooks.filter((hook) => hook.event === 'session_end');
  if (hooks.length > 0) {
    const payload = {
      event: 'session_end' as const,
      tool: null,
      input: null,
      cwd: standing.facts.workingDirectory ?? session.root,
      session: sessionPayload(session, standing.mode),
    };
    durable.then(() => runObservingHooks(hooks, payload, core.programs)).catch((error: unknown) => core.fault(error, 'session_end hook'));
  }
  return ok(ended);
}

/**
 * Spec 12: one sticky token per run, or shared by several sessions. What comes is denied by the gate, what waits is settled as
 * `cancelled`: nobody denied it.
 */
export function cancelRun(core: Core, session: Session, caller: Caller): Result<Session> {
  const at = core.nowIso();
  const actor = actorOf(caller, session.id);
  const together = [...core.live.sessions.values()].filter(
    (one) => one.cancel_token === session.cancel_token && !one.cancelled && one.ended_at === null,
  );
  const ids = new Set(together.map((one) => one.id));
  const events: readonly StateEvent[] = together.map((one) => ({
    type: 'session.cancelled',
    at,
    actor,
    session_id: one.id,
    summary: `The run of ${one.agent} was cancelled.`,
    writes: [{ put: 'session', value: { ...one, cancelled: true } }],
  }));
  if (events.length > 0) {
    void committed(core.commit([...events, ...blocking(core, (request) => ids.has(request.session_id), 'cancelled', actor)])).catch(() => undefined);
  }
  return anySession(core, session.id);
}

function blocking(
  core: Core,
  concerns: (request: { readonly session_id: string }) => boolean,
  cause: BlockedCause,
  actor: string,
): readonly StateEvent[] {
  const at = core.nowIso();
  return [...core.live.pending.values()]
    .filter(concerns)
    .map((request) => settleEvent(request, blockedDecision(cause, actor, at, request.trace), core.waiting.isAttached(request.id)));
}

function heardOf(core: Core, session: Session): string {
  const heard = core.contacts.get(session.id);
  return heard === undefined ? session.last_contact_at : new Date(heard).toISOString();
}
