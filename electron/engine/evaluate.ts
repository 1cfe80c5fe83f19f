// Two small pure questions of the spec that stand on their own: what a list of surface rules says (5.6), and which pattern an
// approved path suggests (7). The gate itself matches session rules on paths as in 5.3; `evaluate` stays plain.

import type { SurfaceRule } from '../../shared/model';
import type { Action } from '../../shared/terms';
import { matchesWildcard } from './match';

/** Spec 5.6. The last rule whose surface and pattern both match decides; without one, `byDefault`. */
export function evaluate(surface: string, value: string, ruleset: readonly SurfaceRule[], byDefault: Action = 'require'): Action {
  const last = ruleset.findLast((rule) => matchesWildcard(rule.surface, surface) && matchesWildcard(rule.pattern, value));
  return last?.action ?? byDefault;
}

/**
 * Spec 7. `path/` becomes `path/*`, a file its directory `dirname/*`, the root `/*`. A Windows path keeps its backslashes; a bare
 * name means the directory it is in, `./*`.
 */
export function deriveApprovalPattern(path: string): string {
  const separator = path.includes('\\') && !path.includes('/') ? '\\' : '/';
  if (path.endsWith(separator)) return `${path.replace(/[\\/]+$/, '')}${separator}*`;
  const cut = path.lastIndexOf(separator);
  return cut < 0 ? `.${separator}*` : `${path.slice(0, cut)}${separator}*`;
}
