// The activity log on disk: appends entries to the hash chain (spec 14) and keeps its head. Owns the order of entries;
// reading is in activity-list.ts, checking in activity-verify.ts.

import { type Entry, hashOf } from './activity-entry';
import { searchTextOf } from './activity-search';
import { numberOf, type Row, textOf, toColumn, toNullableColumn } from './columns';
import type { Connection } from './connection';
import { SEARCH_TABLE } from './migrations';

/** Where the chain ends. Kept in a row of its own, so that entries cut off at the end are missed. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
  /** Highest time of any entry so far, epoch milliseconds: never falls, though the clock may. */
  readonly clock: number;
  /** Furthest that an entry's time ever lay behind the highest before it. */
  readonly regressionMs: number;
  /** Entries up to here are in the search index. */
  readonly searchable: number;
}

export class ActivityAppender {
  readonly #connection: Connection;
  #head: Head;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#head = readHead(connection);
  }

  get head(): Head {
    return this.#head;
  }

  /** Takes the head back to an earlier one: the entries after it were rolled back. */
  rewind(head: Head): void {
    this.#head = head;
  }

  reload(): void {
    this.#head = readHead(this.#connection);
  }

  /**
   * What is wrong with the end of the log, null when nothing is; `verify` looks at all of it. Entries behind the end are
   * counted past, so that the log goes on and keeps showing the break.
   */
  checkEnd(): string | null {
    const { seq, hash } = this.#head;
    const last = lastSeq(this.#connection);
    if (last > seq) {
      this.#head = { ...this.#head, seq: last };
      return `Entries were added behind the end of the activity log, from entry ${seq + 1} on.`;
    }
    if (last < seq) return `The activity log ended with entry ${seq}, and now entries from ${last + 1} on are missing.`;
    const row = this.#connection.get('SELECT hash FROM activity WHERE seq = ?', seq);
    return seq === 0 || row?.hash === hash ? null : `Entry ${seq} is not the entry that the activity log ended with.`;
  }

  append(entry: Entry): void {
    const head = this.#head;
    const hash = hashOf(head.hash, entry);
    const at = timeOf(entry.at);
    const clock = Math.max(head.clock, at);
    this.#connection.run(
      'INSERT INTO activity (seq, at, clock, type, actor, session_id, request_id, agent, cause, summary, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      entry.seq,
      toColumn(entry.at),
      clock,
      toColumn(entry.type),
      toColumn(entry.actor),
      toNullableColumn(entry.session_id),
      toNullableColumn(entry.request_id),
      toNullableColumn(entry.agent),
      toNullableColumn(entry.cause),
      toColumn(entry.summary),
      entry.data,
      hash,
    );
    this.#head = { ...head, seq: entry.seq, hash, clock, regressionMs: Math.max(head.regressionMs, clock - at) };
  }

  /** Writes the head. Called once per group of commits, in their transaction. */
  saveHead(): void {
    const { seq, hash, clock, regressionMs, searchable } = this.#head;
    const sql = 'UPDATE activity_head SET seq = ?, hash = ?, clock = ?, regression_ms = ?, searchable = ? WHERE id = 1';
    this.#connection.run(sql, seq, hash, clock, regressionMs, searchable);
  }

  /** Adds up to `limit` entries to the search index, inside the caller's transaction. */
  makeSearchable(limit: number): void {
    // The index can be made again at any time, so trouble with it must not stop the log.
    this.#connection.beginPart();
    try {
      this.#index(limit);
      this.#connection.keepPart();
    } catch {
      this.#connection.dropPart();
      this.#connection.exec(`DROP TABLE IF EXISTS activity_search; ${SEARCH_TABLE}`);
      this.#head = { ...this.#head, searchable: 0 };
      this.#index(limit);
    }
  }

  #index(limit: number): void {
    const from = this.#head.searchable;
    const rows = this.#connection.all('SELECT seq, actor, summary, data FROM activity WHERE seq > ? ORDER BY seq LIMIT ?', from, limit);
    for (const row of rows) this.#connection.run('INSERT INTO activity_search (rowid, text) VALUES (?, ?)', numberOf(row, 'seq'), searchTextOf(row));
    const last = rows.at(-1);
    if (last) this.#head = { ...this.#head, searchable: numberOf(last, 'seq') };
  }
}

export function readHead(connection: Connection): Head {
  const row: Row | undefined = connection.get('SELECT seq, hash, clock, regression_ms, searchable FROM activity_head WHERE id = 1');
  if (!row) throw new TypeError('the activity log has no head');
  return {
    seq: numberOf(row, 'seq'),
    hash: textOf(row, 'hash'),
    clock: numberOf(row, 'clock'),
    regressionMs: numberOf(row, 'regression_ms'),
    searchable: numberOf(row, 'searchable'),
  };
}

export function lastSeq(connection: Connection): number {
  const row = connection.get('SELECT max(seq) AS last FROM activity');
  return row && typeof row.last === 'number' ? row.last : 0;
}

/** Epoch milliseconds of an ISO time; a text that is none counts as the beginning of time. */
export function timeOf(iso: string): number {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? 0 : time;
}
