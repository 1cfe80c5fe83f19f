// Questions that the live state cannot answer, asked of the database: history, ended sessions, messages not yet delivered.
// Reads only.

import type { JobRun, Mail, OutboxItem, Request, Session, Steering } from '../../shared/model';
import { numberOf, recordOf, toColumn } from './columns';
import type { Connection, Parameter } from './connection';
import type { Page, RequestFilter, SessionFilter } from './contract';
import { requestOf, SELECT_REQUEST, SELECT_SESSION, sessionOf } from './load';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const limitOf = (limit: number | undefined): number => Math.min(Math.max(limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);

export function requestById(connection: Connection, id: string): Request | undefined {
  const row = connection.get(`${SELECT_REQUEST} WHERE id = ?`, toColumn(id));
  return row && requestOf(row);
}

export function requestByCall(connection: Connection, sessionId: string, callId: string): Request | undefined {
  const row = connection.get(`${SELECT_REQUEST} WHERE session_id = ? AND call_id = ?`, toColumn(sessionId), toColumn(callId));
  return row && requestOf(row);
}

/** Rows that one page looks through at most, so that a rare filter over a long history does not hold up the process. */
const STRETCH = 20_000;

/**
 * The cursor is the place in the order of arrival; one that is no number finds nothing. A page may be short, even empty,
 * although `next` is set: then the stretch it looked through held no more.
 */
export function requestsPage(connection: Connection, filter: RequestFilter): Page<Request> {
  const limit = limitOf(filter.limit);
  const before = filter.before === undefined ? Number.MAX_SAFE_INTEGER : Number(filter.before);
  if (!Number.isInteger(before)) return { items: [], next: null };
  const where: string[] = ['seq < ?'];
  const parameters: Parameter[] = [before];
  const add = (condition: string, value: string | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    parameters.push(toColumn(value));
  };
  if (filter.status === 'pending' || filter.settled === false) where.push("status = 'pending'");
  if (filter.status !== 'pending') add('status = ?', filter.status);
  if (filter.settled === true) where.push("status <> 'pending'");
  add('tool = ?', filter.tool);
  add('agent = ?', filter.agent);
  add('created_at >= ?', filter.since);
  const isNarrow = filter.status === 'pending' || filter.settled === false;
  // The places are found in a narrow index first, and only those that are on the page are read whole.
  const index = isNarrow ? 'requests_pending' : filter.session_id === undefined ? 'requests_filter' : null;
  let first = 0;
  if (filter.session_id !== undefined) {
    add('session_id = ?', filter.session_id);
  } else if (!isNarrow) {
    const last = Number(connection.get('SELECT max(seq) AS last FROM requests')?.last ?? 0);
    first = Math.max(0, Math.min(before, last + 1) - STRETCH);
    where.push('seq >= ?');
    parameters.push(first);
  }
  const places = `SELECT seq FROM requests ${index ? `INDEXED BY ${index}` : ''} WHERE ${where.join(' AND ')} ORDER BY seq DESC LIMIT ?`;
  const rows = connection.all(`${SELECT_REQUEST} WHERE seq IN (${places}) ORDER BY seq DESC`, ...parameters, limit + 1);
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const next = rows.length > limit && last ? numberOf(last, 'seq') : first > 1 ? first : null;
  return { items: kept.map(requestOf), next: next === null ? null : String(next) };
}

export function sessionById(connection: Connection, id: string): Session | undefined {
  const row = connection.get(`${SELECT_SESSION} WHERE id = ?`, toColumn(id));
  return row && sessionOf(row);
}

export function sessionsOf(connection: Connection, filter: SessionFilter): readonly Session[] {
  const where: string[] = [];
  const parameters: Parameter[] = [];
  const equal = {
    project_id: filter.project_id,
    ticket_id: filter.ticket_id,
    parent_id: filter.parent_id,
    agent: filter.agent,
    external_id: filter.external_id,
  };
  for (const [column, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    where.push(`${column} = ?`);
    parameters.push(toColumn(value));
  }
  if (filter.ended !== undefined) where.push(filter.ended ? 'ended_at IS NOT NULL' : 'ended_at IS NULL');
  const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  return connection.all(`${SELECT_SESSION} ${condition} ORDER BY seq DESC LIMIT ?`, ...parameters, limitOf(filter.limit)).map(sessionOf);
}

export function outboxItemById(connection: Connection, id: string): OutboxItem | undefined {
  const row = connection.get('SELECT body FROM outbox WHERE id = ?', toColumn(id));
  return row && recordOf<OutboxItem>(row, 'body');
}

export function jobRunsOf(connection: Connection, jobId: string, limit: number | undefined): readonly JobRun[] {
  const sql = 'SELECT body FROM job_runs WHERE job_id = ? ORDER BY started_at DESC, id DESC LIMIT ?';
  return connection.all(sql, toColumn(jobId), limitOf(limit)).map((row) => recordOf<JobRun>(row, 'body'));
}

export function jobRunById(connection: Connection, id: string): JobRun | undefined {
  const row = connection.get('SELECT body FROM job_runs WHERE id = ?', toColumn(id));
  return row && recordOf<JobRun>(row, 'body');
}

export function undeliveredTo(connection: Connection, sessionId: string): { readonly mail: readonly Mail[]; readonly steering: readonly Steering[] } {
  const waiting = (table: 'mail' | 'steering') =>
    connection.all(`SELECT body FROM ${table} WHERE session_id = ? AND delivered_at IS NULL ORDER BY seq`, toColumn(sessionId));
  return {
    mail: waiting('mail').map((row) => recordOf<Mail>(row, 'body')),
    steering: waiting('steering').map((row) => recordOf<Steering>(row, 'body')),
  };
}
