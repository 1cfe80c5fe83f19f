// Step 10 of spec 4: what may turn a soft require into allow, and nothing else. One check at a time, in the spec's order:
// directory access, run context roots, session rules and grants, the mode's own file access, mode `full`.

import type { Check, Grant, RequestPath, ShellUnit } from '../../shared/model';
import { EXTERNAL_DIRECTORY } from '../../shared/terms';
import { directoryEntry, directoryRuling, isInsideBoundary, isInsideWritableBoundary, rootOver } from './directories';
import type { SessionFacts } from './facts';

export type Relaxer = {
  /**
   * Asks for nothing of its own, and so does not name the cause beside another check: a leading `cd` into a readable directory,
   * and the outside check of a path in an authorised directory, which counts as inside (spec 10).
   */
  readonly isNeutral: boolean;
} & (
  | { readonly cause: 'directory' | 'run_context'; readonly over: string }
  | { readonly cause: 'session_rule' | 'grant'; readonly grant: Grant }
  | { readonly cause: 'mode' }
);

export interface SoftCheck {
  readonly check: Check;
  readonly path: RequestPath | null;
  readonly unit: ShellUnit | null;
}

/** `grant`: the allow of a person that covers this check, if there is one. */
export function relaxerFor(soft: SoftCheck, session: SessionFacts, grant: Grant | null): Relaxer | null {
  return (
    byDirectory(soft, session) ??
    byRunContext(soft, session) ??
    (grant === null ? null : { cause: grant.scope === 'session' || grant.scope === 'timed' ? 'session_rule' : 'grant', grant, isNeutral: false }) ??
    byMode(soft, session)
  );
}

/**
 * Spec 10. Reads inside the session root or an entry; writes there follow the mode and the rules. What is inside an entry
 * counts as inside the roots; a write in a read entry was denied at step 5. INVARIANT (15.1): a deny or a hard require on
 * `external_directory` still holds there, which is why the outside check is made and relaxed rather than left out.
 */
function byDirectory({ check, path, unit }: SoftCheck, session: SessionFacts): Relaxer | null {
  if (path !== null && path.canonical !== null && check.surface === EXTERNAL_DIRECTORY) {
    const entry = directoryEntry(path.canonical, session.access, session.platform);
    return entry === null ? null : { cause: 'directory', over: entry.path, isNeutral: true };
  }
  const place = readPlace(check, path, unit);
  if (place === null) return null;
  const ruling = directoryRuling(place, session);
  return ruling === null ? null : { cause: 'directory', over: ruling.path, isNeutral: unit !== null };
}

/** Reads in the working directory and the run context's roots, writes in its write roots (spec 9). Both checks of an outside path. */
function byRunContext({ check, path, unit }: SoftCheck, session: SessionFacts): Relaxer | null {
  const { workingDirectory, writeRoots, readRoots, platform } = session;
  const place = readPlace(check, path, unit) ?? (path !== null && path.access === 'read' ? path.canonical : null);
  if (place !== null) {
    const over =
      rootOver(place, workingDirectory === null ? [] : [workingDirectory], platform) ??
      rootOver(place, writeRoots, platform) ??
      rootOver(place, readRoots, platform);
    return over === null ? null : { cause: 'run_context', over, isNeutral: unit !== null };
  }
  if (path === null || path.canonical === null || path.access !== 'write') return null;
  const over = rootOver(path.canonical, writeRoots, platform);
  return over === null ? null : { cause: 'run_context', over, isNeutral: false };
}

/** The place that a check reads, where location alone can answer for it: a path that is read, or the target of a leading `cd` (spec 6). */
function readPlace(check: Check, path: RequestPath | null, unit: ShellUnit | null): string | null {
  if (unit !== null) return unit.cd ?? null;
  return path !== null && path.access === 'read' && check.surface !== EXTERNAL_DIRECTORY ? path.canonical : null;
}

/**
 * Spec 11. `full` answers for everything that is soft. The others for reading in the boundary, and for writing in the part of it
 * that may be written (read-only has denied every write before), and with that for the outside check of the same path.
 */
function byMode({ path, unit }: SoftCheck, session: SessionFacts): Relaxer | null {
  const { mode } = session;
  if (mode === null) return null;
  if (mode === 'full') return BY_MODE;
  if (unit !== null || path === null || path.canonical === null) return null;
  if (path.access === 'read') return isInsideBoundary(path.canonical, session) ? BY_MODE : null;
  return isInsideWritableBoundary(path.canonical, session) ? BY_MODE : null;
}

const BY_MODE: Relaxer = { cause: 'mode', isNeutral: false };
