// Opens the database file or makes a new one. Owns what counts as damaged, and that a damaged file is moved aside and
// reported, never overwritten and never half trusted (spec 14).

import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BareConnection, Connection, troubleOf, withBareConnection } from './connection';
import { type StoreProblem, StoreUnavailable } from './contract';
import { FILES, makePrivate, moveAside, readIfPresent, syncFolder, unavailable, writePrivate } from './data-folder';
import { type Migration, type MigrationOutcome, migrate, tablesOf } from './migrations';
import type { Start } from './seed';

/** A larger file is checked in full only after it gave cause for it; its small tables are checked at every start. */
const FULL_CHECK_BYTES = 32 * 1024 * 1024;
/** What decides calls, and what is loaded at start. */
const CHECKED_TABLES = ['meta', 'groups', 'rules', 'projects', 'tickets', 'grants', 'outbox', 'jobs', 'activity_head'];
const COMPANIONS = ['-wal', '-shm', '-journal'];

export interface DatabaseParts {
  readonly dataDir: string;
  readonly nowMs: number;
  readonly migrations: readonly Migration[];
  /** Reads everything that is needed from it; throws when it cannot. */
  load(connection: Connection): void;
  /** Fills a new database whose tables are there. */
  seed(connection: Connection, start: Start): void;
}

/** Throws `StoreUnavailable` when the disk refuses or another process has the database open. */
export function openDatabase(parts: DatabaseParts): { readonly connection: Connection; readonly problem: StoreProblem | null } {
  try {
    return open(join(parts.dataDir, FILES.database), parts);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (troubleOf(error) === 'busy') throw inUse(parts.dataDir, error);
    throw unavailable(parts.dataDir, error);
  }
}

function open(path: string, parts: DatabaseParts): { readonly connection: Connection; readonly problem: StoreProblem | null } {
  const begun = startedCreation(path);
  if (begun) return { connection: create(path, parts, begun), problem: null };
  const isThere = existsSync(path);
  if (!isThere && !existsSync(`${path}-wal`)) return { connection: create(path, parts, 'first'), problem: null };
  const examined = isThere ? examine(path, parts) : { fault: 'the file is gone and only its log is left' };
  if ('connection' in examined) return { connection: examined.connection, problem: null };
  const aside = moveAside(path, parts.nowMs, COMPANIONS);
  return { connection: create(path, parts, 'after_damage'), problem: problemOf(examined.fault, basename(aside)) };
}

/** The database, open and loaded, or why the file cannot be used. */
function examine(path: string, parts: DatabaseParts): { readonly connection: Connection } | { readonly fault: string } {
  for (const suffix of ['', ...COMPANIONS]) if (existsSync(path + suffix)) makePrivate(path + suffix);
  if (statSync(path).size === 0) return { fault: 'the file is empty' };
  let connection: Connection | null = null;
  try {
    const fault = withBareConnection(path, (bare) => faultOf(bare, path, parts));
    rmSync(suspectMark(path), { force: true });
    if (fault !== null) return { fault };
    connection = new Connection(path);
    parts.load(connection);
    return { connection };
  } catch (error) {
    connection?.close();
    const trouble = troubleOf(error);
    if (error instanceof StoreUnavailable || trouble === 'busy' || trouble === 'storage' || isSystemError(error)) throw error;
    return { fault: error instanceof Error ? error.message : 'it cannot be read' };
  }
}

function faultOf(bare: BareConnection, path: string, parts: DatabaseParts): string | null {
  const outcome = migrated(bare, parts);
  if (outcome === 'newer') return NEWER;
  if (outcome === 'foreign') return 'it is no database of Gatehouse';
  const tables = new Set(bare.values('name', "sqlite_schema WHERE type = 'table'"));
  const missing = tablesOf(parts.migrations).find((table) => !tables.has(table));
  if (missing !== undefined) return `the table ${missing} is missing`;
  // A disk that takes no writes is not a damaged database.
  bare.exec('BEGIN IMMEDIATE; COMMIT');
  // `quick_check` covers the CHECK constraints, so that every record is JSON.
  const isChecked = statSync(path).size <= FULL_CHECK_BYTES || existsSync(suspectMark(path));
  const checks = isChecked ? ['pragma_quick_check'] : CHECKED_TABLES.map((table) => `pragma_quick_check('${table}')`);
  const found = checks.flatMap((check) => bare.values('quick_check', check)).find((result) => result !== 'ok');
  return found === undefined ? null : String(found);
}

/** A migration that fails is a mistake of ours, not damage: the file stays where it is and Gatehouse does not start. */
function migrated(bare: BareConnection, parts: DatabaseParts): MigrationOutcome {
  try {
    return migrate(bare, parts.migrations);
  } catch (error) {
    if (troubleOf(error) !== null) throw error;
    const failure = {
      code: 'fault' as const,
      message: `The database in \`${parts.dataDir}\` could not be brought to this version: ${error instanceof Error ? error.message : String(error)}.`,
      hint: 'Start the version that wrote it, and report this.',
      subject: parts.dataDir,
    };
    throw new StoreUnavailable(failure, { cause: error });
  }
}

/**
 * Makes a new database. A mark stands beside it until it is whole: what a crash leaves half made is made again, and an empty
 * file without the mark is a damaged one.
 */
function create(path: string, parts: DatabaseParts, start: Start): Connection {
  writePrivate(creationMark(path), start);
  for (const suffix of ['', ...COMPANIONS]) rmSync(path + suffix, { force: true });
  // SQLite gives the files beside it the same rights.
  closeSync(openSync(path, 'wx', 0o600));
  withBareConnection(path, (bare) => migrate(bare, parts.migrations));
  const connection = new Connection(path);
  try {
    parts.seed(connection, start);
    parts.load(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  rmSync(creationMark(path));
  syncFolder(dirname(path));
  return connection;
}

const creationMark = (path: string): string => `${path}.creating`;

function startedCreation(path: string): Start | null {
  const mark = readIfPresent(creationMark(path));
  if (mark === null) return null;
  return mark === 'first' ? 'first' : 'after_damage';
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

const NEWER = 'a later version of Gatehouse wrote it';

const problemOf = (fault: string, aside: string): StoreProblem =>
  fault === NEWER
    ? {
        code: 'database_newer',
        message: `The database was written by a later version of Gatehouse and was moved aside to \`${aside}\`. A new one was started that asks for everything.`,
        hint: 'Start the later version with the old file put back, or set up your rules again.',
      }
    : {
        code: 'database_damaged',
        message: `The database was damaged (\`${fault}\`) and was moved aside to \`${aside}\`. A new one was started that asks for everything.`,
        hint: 'Put a backup back while Gatehouse is closed, or set up your rules again.',
      };

const inUse = (dataDir: string, error: unknown): StoreUnavailable =>
  new StoreUnavailable(
    {
      code: 'in_use',
      message: `The data folder \`${dataDir}\` is used by another Gatehouse.`,
      hint: 'Close the other one, or start with another folder by `--data-dir`.',
      subject: dataDir,
    },
    { cause: error },
  );

const suspectMark = (path: string): string => `${path}.suspect`;

/** Makes the next start check the whole file, whatever its size. */
export function suspect(dataDir: string): void {
  writeFileSync(suspectMark(join(dataDir, FILES.database)), '', { mode: 0o600 });
}
