// A hook route: where an agent's hook program or HTTP hook posts its event. The doors authenticate the caller (agent
// scope) and parse the body; a route turns the event into commands and the outcome into the agent's own answer.

import type { CommandName, Draft, Output } from '../../shared/commands';
import type { Result } from '../../shared/failure';
import type { JsonObject } from '../../shared/model';

export interface HookRoute {
  readonly method: 'POST';
  readonly path: string;
  /**
   * `body` is the parsed JSON, not validated. Answers the JSON object to send, or null for an empty 200 ("no opinion").
   * Never throws: a gating event that cannot be judged is answered with the agent's own refusal. `signal` aborts when the
   * agent hangs up.
   */
  handle(body: unknown, query: URLSearchParams, call: CallCommand, signal: AbortSignal): Promise<JsonObject | null>;
}

/** Runs a command in the name of the calling agent. */
export type CallCommand = <N extends CommandName>(name: N, input: Draft<N>) => Promise<Result<Output<N>>>;
