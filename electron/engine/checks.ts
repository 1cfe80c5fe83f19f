// The checks of a request (spec 4): what the gate has to answer about it, one by one. Says nothing about the answers.

import type { Check } from '../../shared/model';
import { EXTERNAL_DIRECTORY, type Kind } from '../../shared/terms';
import { isInsideRoots } from './directories';
import type { CallFacts, SessionFacts } from './facts';

/**
 * One check per shell unit, per path that the call names or redirects to or from, per path outside the roots, and one with
 * the tool alone where nothing else stands for it. Values: unit text; canonical path (the raw one where it could not be
 * resolved); the tool's name for the check with the tool alone.
 *
 * Other operands of shell text only add their outside check; floors and rules look at them apart (judge.ts).
 */
export function checksOf(call: CallFacts, session: SessionFacts): readonly Check[] {
  const checks: Check[] = [];
  for (let unit = 0; unit < call.units.length; unit++) checks.push({ surface: call.tool, value: call.units[unit]?.text ?? '', unit });
  for (let index = 0; index < call.paths.length; index++) {
    const path = call.paths[index];
    if (path === undefined) continue;
    const { access, canonical } = path;
    if (path.origin !== 'operand') checks.push({ surface: call.tool, value: canonical ?? path.raw, access, path: index });
    if (canonical !== null && !isInsideRoots(canonical, session)) checks.push({ surface: EXTERNAL_DIRECTORY, value: canonical, access, path: index });
  }
  if (call.units.length === 0 && !isSpokenForByPaths(call)) checks.push({ surface: call.tool, value: call.tool });
  return checks;
}

/**
 * A file tool does what its paths say. Of any other tool the paths are only a part, and paths that the caller merely declared
 * can add checks but never remove the one for the tool (spec 3.3).
 */
function isSpokenForByPaths(call: CallFacts): boolean {
  return isFileKind(call.kind) && call.paths.some((path) => path.origin === 'argument');
}

export function isFileKind(kind: Kind): boolean {
  switch (kind) {
    case 'read':
    case 'search':
    case 'edit':
    case 'delete':
      return true;
    case 'execute':
    case 'fetch':
    case 'message':
    case 'other':
      return false;
  }
}
