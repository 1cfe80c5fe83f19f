// A staged call as a record (spec 12), and which released one a new call may claim. Writes nothing.

import canonicalize from 'canonicalize';
import type { JsonObject, OutboxItem, Request } from '../../shared/model';
import type { LiveState } from '../store/contract';
import type { Core } from './core';
import { callText } from './records';

export function stagedItem(core: Core, request: Pick<Request, 'id' | 'session_id' | 'tool' | 'input' | 'paths' | 'units'>, at: string): OutboxItem {
  return {
    id: core.newId('out'),
    request_id: request.id,
    session_id: request.session_id,
    tool: request.tool,
    input: request.input,
    edited_input: null,
    summary: callText(request),
    state: 'waiting',
    note: null,
    result: null,
    created_at: at,
    settled_at: null,
  };
}

/** What the agent has to send: the edited arguments where there are any. */
export const inputToSend = (item: OutboxItem): JsonObject => item.edited_input ?? item.input;

export const isSameInput = (one: JsonObject, other: JsonObject): boolean => canonicalize(one) === canonicalize(other);

/**
 * The one-call grant that covers this call: a released item of the session with the same tool and arguments that no call has
 * claimed yet. Spec 15.9: once claimed, `result` names the request.
 */
export function oneCallGrant(view: LiveState, sessionId: string, tool: string, input: JsonObject): OutboxItem | null {
  for (const item of view.outbox.values()) {
    if (item.state !== 'released' || item.result !== null || item.session_id !== sessionId || item.tool !== tool) continue;
    if (isSameInput(inputToSend(item), input)) return item;
  }
  return null;
}
