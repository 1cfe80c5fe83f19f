// SQLite connections with the settings that durability rests on. Owns how the database is opened and how the driver's errors
// are told apart; nothing outside this room sees a driver. The driver has the API of `node:sqlite`.

import { DatabaseSync } from '@photostructure/sqlite';
import type { Row } from './columns';

export type Parameter = string | number | null;

/** A prepared statement. */
export interface Statement {
  run(...parameters: Parameter[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(...parameters: Parameter[]): Row | undefined;
  all(...parameters: Parameter[]): readonly Row[];
}

const BUSY_TIMEOUT_MS = 2000;

/** The connection of a running store. */
export class Connection {
  readonly #database: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<string, Statement>();

  /**
   * INVARIANT (spec 8, 14): write-ahead log with `synchronous = FULL`, so a commit that returned is on disk, and
   * `locking_mode = EXCLUSIVE`, so no second process can write beside the state that this one holds in memory.
   */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
    try {
      // The lock mode comes after the first use of the log: only then can it be given back at the end.
      this.exec(`
        PRAGMA journal_mode = WAL;
        SELECT count(*) FROM sqlite_schema;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA recursive_triggers = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -16000;
        PRAGMA journal_size_limit = 67108864;
        BEGIN IMMEDIATE;
        COMMIT;
      `);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Prepares once and keeps the statement for the life of the connection. */
  prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement: Statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  get(sql: string, ...parameters: Parameter[]): Row | undefined {
    return this.prepare(sql).get(...parameters);
  }

  all(sql: string, ...parameters: Parameter[]): readonly Row[] {
    return this.prepare(sql).all(...parameters);
  }

  run(sql: string, ...parameters: Parameter[]): number {
    return this.prepare(sql).run(...parameters).changes;
  }

  begin(): void {
    this.run('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.run('COMMIT');
  }

  /** Starts a part of the transaction that can be taken back on its own. */
  beginPart(): void {
    this.run('SAVEPOINT part');
  }

  keepPart(): void {
    this.run('RELEASE part');
  }

  dropPart(): void {
    this.run('ROLLBACK TO part');
    this.run('RELEASE part');
  }

  /** Ends a transaction that cannot go on. SQLite has often ended it already. */
  rollback(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.exec('ROLLBACK');
  }

  /** Folds the write-ahead log into the database, so that one file is left, and gives the file back. */
  close(): void {
    if (!this.#database.isOpen) return;
    try {
      // The driver ends a connection only when its statements are collected. Until then one with a write-ahead log would
      // keep its lock; one without it has none.
      this.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = DELETE;');
    } catch (error) {
      if (troubleOf(error) === null) throw error;
    } finally {
      this.#statements.clear();
      this.#database.close();
    }
  }
}

/** A connection to look a file over or to make its tables. It prepares nothing, so that its end lets go of the file at once. */
export interface BareConnection {
  exec(sql: string): void;
  /** One column of a query: `values('name', 'sqlite_schema')`. */
  values(expression: string, from: string): readonly unknown[];
  isInTransaction(): boolean;
}

export function withBareConnection<T>(path: string, use: (bare: BareConnection) => T): T {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  try {
    let collected: unknown[] = [];
    database.function('collect', (value: unknown) => {
      collected.push(value);
      return null;
    });
    return use({
      exec: (sql) => {
        database.exec(sql);
      },
      values: (expression, from) => {
        collected = [];
        database.exec(`SELECT collect(${expression}) FROM ${from}`);
        return collected;
      },
      isInTransaction: () => database.isTransaction,
    });
  } finally {
    database.close();
  }
}

/**
 * What a driver error means for whoever called: `constraint` a record stands in the way, `damage` the file is not what it
 * should be, `busy` another process has it, `storage` the disk refuses. Null: a mistake of our own.
 */
export type SqliteTrouble = 'constraint' | 'damage' | 'busy' | 'storage' | null;

const FOREIGN_KEY = 787;
const PRIMARY_KEY = 1555;
const UNIQUE = 2067;

export function troubleOf(error: unknown): SqliteTrouble {
  const code = sqliteCodeOf(error);
  if (code === null) return null;
  if (code === FOREIGN_KEY || code === PRIMARY_KEY || code === UNIQUE) return 'constraint';
  switch (code & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
      return 'busy';
    case 11: // CORRUPT
    case 24: // FORMAT
    case 26: // NOTADB
      return 'damage';
    case 3: // PERM
    case 7: // NOMEM
    case 8: // READONLY
    case 10: // IOERR
    case 13: // FULL
    case 14: // CANTOPEN
      return 'storage';
    default:
      return null;
  }
}

function sqliteCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return sqliteCodeOfOpen(error);
  return typeof error.errcode === 'number' ? error.errcode : null;
}

/** Errors of opening carry `sqliteExtendedCode` alone. */
function sqliteCodeOfOpen(error: unknown): number | null {
  if (!(error instanceof Error) || !('sqliteExtendedCode' in error)) return null;
  return typeof error.sqliteExtendedCode === 'number' ? error.sqliteExtendedCode : null;
}
