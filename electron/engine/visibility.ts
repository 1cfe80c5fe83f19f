// skeleton: signatures first, filled in the next commits.
import type { Kind } from '../../shared/terms';
import type { SessionFacts } from './facts';
import type { CompiledPolicy } from './policy';

export function isHidden(
  _tool: string,
  _session: SessionFacts,
  _policy: CompiledPolicy,
  _agent: string,
  _source: string,
  _nowMs: number,
  _kindOf: (tool: string) => Kind,
): boolean {
  throw new Error('not built yet');
}
