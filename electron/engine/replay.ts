// Past calls against an edited policy (spec 13, replay): which would be answered differently. Reads the facts as they were
// recorded; hooks and reviewer do not run, on neither side (spec 4, finer points).

import type { ReplayChange } from '../../shared/model';
import { decide } from './decide';
import type { CallFacts, SessionFacts } from './facts';
import { callText } from './narrative';
import type { CompiledPolicy } from './policy';

export interface ReplayCall {
  readonly requestId: string;
  readonly call: CallFacts;
  /** The session as it was, or as it is where nothing older is known. */
  readonly session: SessionFacts;
}

/** Calls whose verdict differs, in the order given. `nowMs`: epoch milliseconds at which grants and rules are judged. */
export function replay(calls: readonly ReplayCall[], before: CompiledPolicy, after: CompiledPolicy, nowMs: number): readonly ReplayChange[] {
  const changes: ReplayChange[] = [];
  for (const { requestId, call, session } of calls) {
    const was = decide(call, session, before, nowMs).verdict;
    const is = decide(call, session, after, nowMs).verdict;
    if (was !== is) changes.push({ request_id: requestId, tool: call.tool, text: callText(call, session), before: was, after: is });
  }
  return changes;
}
