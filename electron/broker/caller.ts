// Who calls a command, and what that person or program may do (spec 13). Owns the scopes and their implications; the doors
// authenticate and fill the record in.

import type { TokenScope } from '../../shared/terms';

export type Door = 'window' | 'http' | 'socket' | 'websocket' | 'cli' | 'hook' | 'internal';

export interface Caller {
  readonly scopes: ReadonlySet<TokenScope>;
  readonly door: Door;
  /** For the log: a token's name, `desktop`, an agent. */
  readonly name: string;
  /**
   * The sessions this caller has opened or joined, when the door knows: a WebSocket connection, the process behind an MCP
   * proxy. An agent that is bound so sees nothing of other sessions. Absent: a bearer of the agent token, who knows the ids
   * it was given.
   */
  readonly sessionIds?: ReadonlySet<string>;
  /** Aborts when the caller hangs up: whatever it waits for is detached, not ended (spec 8). */
  readonly signal?: AbortSignal;
}

/** Spec 13: `operator.admin` implies the other operator scopes; any operator may also call what agents call. */
export function hasScope(caller: Caller, scope: TokenScope): boolean {
  if (caller.scopes.has(scope)) return true;
  if (scope === 'agent') return isOperator(caller);
  return caller.scopes.has('operator.admin');
}

export function isOperator(caller: Caller): boolean {
  for (const scope of caller.scopes) if (scope !== 'agent') return true;
  return false;
}

/** How the log and a decision name who acted: `person:<door>` for an operator, `agent:<session>` for an agent, `clock` for a job. */
export function actorOf(caller: Caller, sessionId: string | null = null): string {
  if (caller.door === 'internal') return 'clock';
  if (isOperator(caller)) return `person:${caller.door}`;
  return `agent:${sessionId ?? caller.name}`;
}
