// skeleton: signatures first, filled in the next commits.
import type { SurfaceRule } from '../../shared/model';
import type { Action } from '../../shared/terms';

export function evaluate(_surface: string, _value: string, _ruleset: readonly SurfaceRule[], _byDefault: Action = 'require'): Action {
  throw new Error('not built yet');
}
export function deriveApprovalPattern(_path: string): string {
  throw new Error('not built yet');
}
