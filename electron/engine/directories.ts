// Directory access (spec 10) and the boundary (spec 11): which entry decides for a path, and what counts as inside. Pure
// questions about canonical paths; adding, removing and saving entries is the broker's.

import type { AccessEntry } from '../../shared/model';
import type { Access } from '../../shared/terms';
import type { PlatformFacts, SessionFacts } from './facts';
import { comparable, within } from './path-text';

/** Entry that decides for `path`: the deepest directory that holds it. Without the implicit root. */
export function directoryEntry(path: string, entries: readonly AccessEntry[], platform: PlatformFacts): AccessEntry | null {
  const text = comparable(path, platform);
  let best: AccessEntry | null = null;
  let depth = -1;
  for (const entry of entries) {
    const dir = comparable(entry.path, platform);
    if (dir.length > depth && within(dir, text)) {
      best = entry;
      depth = dir.length;
    }
  }
  return best;
}

export interface DirectoryRuling {
  readonly mode: Access;
  readonly path: string;
  /** The session root, writable unless an entry for the same directory says otherwise. */
  readonly isImplicitRoot: boolean;
}

/** Most specific directory over `path`, the implicit root included; null: outside of all. An entry on the root itself wins over it. */
export function directoryRuling(path: string, session: Pick<SessionFacts, 'root' | 'access' | 'platform'>): DirectoryRuling | null {
  const { root, access, platform } = session;
  const entry = access.length === 0 ? null : directoryEntry(path, access, platform);
  const text = comparable(path, platform);
  const rootText = root === null ? null : comparable(root, platform);
  const rootHolds = rootText !== null && within(rootText, text);
  if (entry !== null && (!rootHolds || comparable(entry.path, platform).length >= rootText.length))
    return { mode: entry.mode, path: entry.path, isImplicitRoot: false };
  return rootHolds && root !== null ? { mode: 'write', path: root, isImplicitRoot: true } : null;
}

/** Mode of the most specific directory-access entry over `path`, the implicit root included; null: outside of all. */
export function directoryMode(path: string, session: Pick<SessionFacts, 'root' | 'access' | 'platform'>): Access | null {
  return directoryRuling(path, session)?.mode ?? null;
}

/** A read entry at or below `path`: removing or moving `path` would write there. */
export function readEntryBelow(path: string, entries: readonly AccessEntry[], platform: PlatformFacts): AccessEntry | null {
  const text = comparable(path, platform);
  return entries.find((entry) => entry.mode === 'read' && within(text, comparable(entry.path, platform))) ?? null;
}

/** Inside the roots for the outside check (spec 4): session root, effective working directory. */
export function isInsideRoots(path: string, session: SessionFacts): boolean {
  const { root, workingDirectory, platform } = session;
  const text = comparable(path, platform);
  if (root !== null && within(comparable(root, platform), text)) return true;
  return workingDirectory !== null && within(comparable(workingDirectory, platform), text);
}

/** First of `dirs` that holds `path`, or null. */
export function rootOver(path: string, dirs: readonly string[], platform: PlatformFacts): string | null {
  if (dirs.length === 0) return null;
  const text = comparable(path, platform);
  return dirs.find((dir) => within(comparable(dir, platform), text)) ?? null;
}

/**
 * The boundary of spec 11: session root, directory access, run context roots, the working directory among them.
 */
export function isInsideBoundary(path: string, session: SessionFacts): boolean {
  return (
    isInsideRoots(path, session) ||
    directoryEntry(path, session.access, session.platform) !== null ||
    rootOver(path, session.writeRoots, session.platform) !== null ||
    rootOver(path, session.readRoots, session.platform) !== null
  );
}

/** The part of the boundary in which guarded and workspace write without a question. */
export function isInsideWritableBoundary(path: string, session: SessionFacts): boolean {
  const { workingDirectory, writeRoots, platform } = session;
  const ruling = directoryRuling(path, session);
  if (ruling !== null) return ruling.mode === 'write';
  if (workingDirectory !== null && rootOver(path, [workingDirectory], platform) !== null) return true;
  return rootOver(path, writeRoots, platform) !== null;
}
