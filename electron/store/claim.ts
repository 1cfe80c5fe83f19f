// One owner per data folder (spec 14). The claim is a file lock that SQLite holds for us: the system drops it when the
// process ends, however it ends, so a killed owner never stands in the way and two starts never both win.

import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makePrivate, prepareFolder, unavailable } from './data-folder';

const LOCK_FILE = 'gatehouse.lock';

export interface Claim {
  release(): void;
}

/** Null when another process owns the folder. Throws `StoreUnavailable` when the folder cannot be used. */
export function claimDataDir(dataDir: string): Claim | null {
  prepareFolder(dataDir);
  const path = join(dataDir, LOCK_FILE);
  try {
    return claim(path);
  } catch (error) {
    if (!isNoDatabase(error)) throw unavailable(dataDir, error);
  }
  try {
    // Emptied in place: a file of that name that is taken away could be locked by somebody, and there would be two owners.
    truncateSync(path);
    return claim(path);
  } catch (error) {
    throw unavailable(dataDir, error);
  }
}

function claim(path: string): Claim | null {
  const lock = new DatabaseSync(path);
  try {
    makePrivate(path);
    lock.exec(
      'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS owner (pid INTEGER)',
    );
  } catch (error) {
    lock.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return null;
    throw error;
  }
  return {
    release() {
      lock.exec('ROLLBACK');
      lock.close();
    },
  };
}

/** The lock file holds nothing of worth, so one that is damaged is made anew. */
function isNoDatabase(error: unknown): boolean {
  return error instanceof Error && /not a database|malformed/i.test(error.message);
}
