// Reads the activity log: pages newest first, and everything in order for an export. Owns that a page over a million entries
// never holds up the process: it looks through bounded stretches and lets other work run in between.

import type { Activity, Json } from '../../shared/model';
import { type Head, timeOf } from './activity-log';
import { searchQueryOf } from './activity-search';
import { fromColumn, nullableTextOf, numberOf, type Row, textOf, toColumn } from './columns';
import type { Connection, Parameter } from './connection';
import type { ActivityFilter, Page } from './contract';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Entries looked through at a time, at first; doubled while it is quick. */
const STRETCH = 4096;
const MAX_STRETCH = 1 << 20;
/** A stretch that took longer is followed by a shorter one. */
const QUICK_MS = 4;

interface Selection {
  readonly where: readonly string[];
  readonly parameters: readonly Parameter[];
  /** First and last `seq` that can match. */
  readonly first: number;
  readonly last: number;
}

const NOTHING: Page<Activity> = { items: [], next: null };
const COLUMNS = 'a.seq, a.at, a.type, a.actor, a.session_id, a.request_id, a.agent, a.cause, a.summary, a.data, a.hash';

export async function listActivity(connection: Connection, head: Head, filter: ActivityFilter): Promise<Page<Activity>> {
  const limit = Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const selection = select(connection, head, filter);
  if (!selection) return NOTHING;
  const items: Activity[] = [];
  for await (const rows of stretches(connection, selection, 'DESC', limit + 1)) {
    items.push(...rows.map(activityOf));
    if (items.length > limit) break;
  }
  const kept = items.slice(0, limit);
  const last = kept.at(-1);
  return { items: kept, next: items.length > limit && last ? String(last.seq) : null };
}

/** Every entry that matches, oldest first, in bounded lots. */
export async function* allActivity(connection: Connection, head: Head, filter: ActivityFilter): AsyncGenerator<readonly Activity[]> {
  const selection = select(connection, head, { ...filter, before: undefined });
  if (!selection) return;
  for await (const rows of stretches(connection, selection, 'ASC', 500)) yield rows.map(activityOf);
}

function select(connection: Connection, head: Head, filter: ActivityFilter): Selection | null {
  const where: string[] = [];
  const parameters: Parameter[] = [];
  const equal = { session_id: filter.session_id, request_id: filter.request_id, type: filter.type, agent: filter.agent, cause: filter.cause };
  for (const [column, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    where.push(`a.${column} = ?`);
    parameters.push(toColumn(value));
  }
  if (filter.search !== undefined && filter.search.trim() !== '') {
    const query = searchQueryOf(filter.search);
    if (query === null) return null;
    where.push('activity_search MATCH ?');
    parameters.push(query);
  }
  let first = 1;
  let last = head.seq;
  if (filter.before !== undefined) last = Math.min(last, Number.parseInt(filter.before, 10) - 1);
  // Times are compared as instants, since ISO texts may differ in offset and precision.
  if (filter.since !== undefined) {
    where.push('julianday(a.at) >= julianday(?)');
    parameters.push(filter.since);
    first = firstSeqAt(connection, head, timeOf(filter.since));
  }
  if (filter.until !== undefined) {
    where.push('julianday(a.at) <= julianday(?)');
    parameters.push(filter.until);
    last = Math.min(last, firstSeqAt(connection, head, timeOf(filter.until) + head.regressionMs + 1) - 1);
  }
  return Number.isNaN(last) || last < first ? null : { where, parameters, first, last };
}

/**
 * First `seq` whose `clock` is at least `time`; one past the end when there is none. `clock` never falls, so halving finds
 * it. An entry's own time is at most its clock and at least its clock less the regression, which bounds both ends.
 */
function firstSeqAt(connection: Connection, head: Head, time: number): number {
  let low = 1;
  let high = head.seq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = connection.get('SELECT clock FROM activity WHERE seq = ?', middle);
    if (!row || numberOf(row, 'clock') < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pageSql(where: readonly string[], order: 'ASC' | 'DESC'): string {
  const has = (column: string): boolean => where.some((condition) => condition.startsWith(column));
  const isSearch = has('activity_search');
  const seq = isSearch ? 'activity_search.rowid' : 'a.seq';
  const conditions = [`${seq} BETWEEN ? AND ?`, ...where].join(' AND ');
  // Without a session or a request to start from, the narrow copy of the columns is looked through, in order of arrival.
  const isScan = !has('a.session_id') && !has('a.request_id') && (has('a.type') || has('a.agent') || has('a.cause'));
  let from = 'activity AS a';
  if (isSearch) from = 'activity_search CROSS JOIN activity AS a ON a.seq = activity_search.rowid';
  else if (isScan) from = 'activity AS a INDEXED BY activity_filter';
  return `SELECT ${COLUMNS} FROM ${from} WHERE ${conditions} ORDER BY ${seq} ${order} LIMIT ?`;
}

async function* stretches(
  connection: Connection,
  { where, parameters, first, last }: Selection,
  order: 'ASC' | 'DESC',
  limit: number,
): AsyncGenerator<readonly Row[]> {
  const statement = connection.prepare(pageSql(where, order));
  let low = first;
  let high = last;
  let stretch = STRETCH;
  while (low <= high) {
    const bounds: [number, number] = order === 'ASC' ? [low, Math.min(high, low + stretch - 1)] : [Math.max(low, high - stretch + 1), high];
    const started = performance.now();
    const rows = statement.all(...bounds, ...parameters, limit);
    const took = performance.now() - started;
    if (rows.length > 0) yield rows;
    const lastRow = rows.at(-1);
    // A full lot may have left entries of this stretch behind: go on right after its last one.
    if (rows.length === limit && lastRow) {
      const reached = numberOf(lastRow, 'seq');
      if (order === 'ASC') low = reached + 1;
      else high = reached - 1;
    } else if (order === 'ASC') low = bounds[1] + 1;
    else high = bounds[0] - 1;
    stretch = took > QUICK_MS ? Math.max(256, stretch >> 1) : Math.min(MAX_STRETCH, stretch * 2);
    if (low <= high) await new Promise((resume) => setImmediate(resume));
  }
}

function activityOf(row: Row): Activity {
  const data: Json = JSON.parse(textOf(row, 'data'));
  return {
    seq: numberOf(row, 'seq'),
    at: fromColumn(textOf(row, 'at')),
    type: fromColumn(textOf(row, 'type')),
    actor: fromColumn(textOf(row, 'actor')),
    session_id: nullableTextOf(row, 'session_id'),
    request_id: nullableTextOf(row, 'request_id'),
    agent: nullableTextOf(row, 'agent'),
    cause: nullableTextOf(row, 'cause'),
    summary: fromColumn(textOf(row, 'summary')),
    data,
    hash: textOf(row, 'hash'),
  };
}
