// skeleton: signatures first, filled in the next commits.
import type { Check } from '../../shared/model';
import type { CallFacts, SessionFacts } from './facts';

/** Values: unit text, canonical path (raw when unresolvable), tool name for the check with the tool alone. */
export function checksOf(_call: CallFacts, _session: SessionFacts): readonly Check[] {
  throw new Error('not built yet');
}
