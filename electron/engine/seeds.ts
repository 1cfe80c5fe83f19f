// skeleton: signatures first, filled in the next commits.
import type { RuleDraft } from '../../shared/schemas';

export function seededRules(): readonly RuleDraft[] {
  throw new Error('not built yet');
}
