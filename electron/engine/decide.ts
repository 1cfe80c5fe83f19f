// skeleton: signatures first, filled in the next commits.
import type { CallFacts, HookOutcome, ReviewerOutcome, Ruling, SessionFacts } from './facts';
import type { CompiledPolicy } from './policy';

export interface Outcomes {
  readonly hook?: HookOutcome;
  readonly reviewer?: ReviewerOutcome;
}
export function decide(_call: CallFacts, _session: SessionFacts, _policy: CompiledPolicy, _nowMs: number, _outcomes?: Outcomes): Ruling {
  throw new Error('not built yet');
}
