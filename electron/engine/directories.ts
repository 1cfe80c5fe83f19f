// skeleton: signatures first, filled in the next commits.
import type { AccessEntry } from '../../shared/model';
import type { Access } from '../../shared/terms';
import type { PlatformFacts, SessionFacts } from './facts';

/** Mode of the most specific directory-access entry over `path`, the implicit root included; null: outside of all. */
export function directoryMode(_path: string, _session: SessionFacts): Access | null {
  throw new Error('not built yet');
}
/** Entry that decides for `path`, without the implicit root. */
export function directoryEntry(_path: string, _entries: readonly AccessEntry[], _platform: PlatformFacts): AccessEntry | null {
  throw new Error('not built yet');
}
/** Inside session root, working directory, directory access or run context roots (spec 11). */
export function isInsideBoundary(_path: string, _session: SessionFacts): boolean {
  throw new Error('not built yet');
}
