// Requests and decisions as records (spec 2): what stands in them, made from what intake and engine found. Writes nothing.

import type { Decision, JsonObject, Request, Risk, TraceStep } from '../../shared/model';
import type { Cause, SettledStatus } from '../../shared/terms';
import type { CallFacts, Ruling } from '../engine/facts';
import { blockedMessage } from '../engine/messages';
import type { StateEvent, Write } from '../store/events';

export type BlockedCause = Parameters<typeof blockedMessage>[0];

/** Longest part of a call in a summary. */
const SUMMARY_CHARS = 160;

/** The call in a few words, for the log: the command, the first path, or the tool alone. */
export function callText(call: { readonly tool: string; readonly paths: CallFacts['paths']; readonly units: CallFacts['units'] }): string {
  const [unit] = call.units;
  const [path] = call.paths;
  const about = unit?.text ?? path?.canonical ?? path?.raw;
  if (about === undefined) return call.tool;
  const more = call.units.length > 1 ? ` and ${call.units.length - 1} more` : '';
  return `${call.tool} \`${about.length > SUMMARY_CHARS ? `${about.slice(0, SUMMARY_CHARS)}…` : about}\`${more}`;
}

export interface Settlement {
  readonly status: SettledStatus;
  readonly cause: Cause;
  readonly by: string;
  readonly at: string;
}

/** Null: a person has to be asked. */
export function settlementOf(ruling: Ruling): Pick<Settlement, 'status' | 'cause'> | null {
  switch (ruling.verdict) {
    case 'allow':
      return { status: 'allowed', cause: ruling.cause ?? 'rule' };
    case 'deny':
      return { status: 'denied', cause: ruling.cause ?? 'rule' };
    case 'stage':
      return { status: 'staged', cause: 'outbox' };
    case 'require':
      return ruling.cause === 'headless' ? { status: 'blocked', cause: 'headless' } : null;
  }
}

/** A decision that the engine came to by itself. */
export function ruledDecision(ruling: Ruling, settlement: Settlement): Decision {
  return {
    status: settlement.status,
    cause: settlement.cause,
    scope: null,
    rule_id: ruling.ruleId,
    note: null,
    message: ruling.message,
    trace: ruling.trace,
    resolved_by: settlement.by,
    resolved_at: settlement.at,
    ...(settlement.status === 'allowed' && ruling.exclude.length > 0 ? { exclude: ruling.exclude } : {}),
  };
}

/** Nobody said no (spec 8): time ran out, the agent left, the run was cancelled, we failed. */
export function blockedDecision(cause: BlockedCause, by: string, at: string, trace: readonly TraceStep[] | null): Decision {
  return {
    status: 'blocked',
    cause,
    scope: null,
    rule_id: null,
    note: null,
    message: blockedMessage(cause),
    trace: trace ?? [],
    resolved_by: by,
    resolved_at: at,
  };
}

export interface NewRequest {
  readonly id: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly input: JsonObject;
  readonly call: CallFacts;
  readonly digest: string;
  readonly risk: Risk;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export function requestRecord(made: NewRequest, decision: Decision | null, trace: readonly TraceStep[]): Request {
  const { call } = made;
  return {
    id: made.id,
    session_id: made.sessionId,
    call_id: made.callId,
    agent: call.agent,
    source: call.source,
    tool: call.tool,
    input: made.input,
    kind: call.kind,
    paths: call.paths,
    units: call.units,
    hosts: call.hosts,
    cwd: call.cwd,
    digest: made.digest,
    risk: made.risk,
    status: decision?.status ?? 'pending',
    decision,
    trace: decision === null ? trace : null,
    created_at: made.createdAt,
    expires_at: made.expiresAt,
    detached: false,
  };
}

/**
 * The event that settles a waiting request. INVARIANT (spec 8): an allow that nobody is there to take is marked as not
 * collected (`detached`), so that floors are looked at again before it is delivered.
 */
export function settleEvent(
  request: Request,
  decision: Decision,
  isAttached: boolean,
  more: { readonly writes?: readonly Write[]; readonly facts?: JsonObject } = {},
): StateEvent {
  const uncollected = decision.status === 'allowed' && !isAttached;
  return {
    type: 'request.settled',
    at: decision.resolved_at,
    actor: decision.resolved_by,
    session_id: request.session_id,
    request_id: request.id,
    summary: `${callText(request)}: ${decision.status} (${decision.cause}).`,
    writes: [
      ...(uncollected ? [{ put: 'request' as const, value: { ...request, detached: true } }] : []),
      { settle: request.id, decision },
      ...(more.writes ?? []),
    ],
    ...(more.facts === undefined ? {} : { facts: more.facts }),
  };
}
