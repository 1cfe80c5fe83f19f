// One owner per data folder (spec 14). The claim is a file lock that SQLite holds for us: the system drops it when the
// process ends, however it ends, so a killed owner never stands in the way and two starts never both win.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { prepareFolder } from './data-folder';

const LOCK_FILE = 'gatehouse.lock';

export interface Claim {
  release(): void;
}

/** Null when another process owns the folder. Throws `StoreUnavailable` when the folder cannot be used. */
export function claimDataDir(dataDir: string): Claim | null {
  prepareFolder(dataDir);
  const path = join(dataDir, LOCK_FILE);
  const lock = new DatabaseSync(path);
  try {
    lock.exec(
      'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS owner (pid INTEGER)',
    );
    if (process.platform !== 'win32') chmodSync(path, 0o600);
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
