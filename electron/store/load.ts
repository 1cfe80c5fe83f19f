// Reads the live state from the database, at start and after a group of commits had to be undone.

import type { Grant, Group, Job, JobRun, OutboxItem, Project, Request, Rule, Session, Ticket } from '../../shared/model';
import { fromColumn, nullableTextOf, numberOf, type Row, recordOf, textOf, toColumn } from './columns';
import type { Connection } from './connection';
import { clear, type MutableState } from './live';

/** How long an ended session stays in memory. */
export const ENDED_KEPT_MS = 3_600_000;
/** How many settled outbox items stay in memory. */
export const OUTBOX_KEPT = 200;

/** Fills `state`, keeping its maps. Settings are not in the database. Throws when a row is not what this room writes. */
export function loadState(connection: Connection, state: MutableState, nowMs: number): void {
  clear(state);
  const fill = <T extends { readonly id: string }>(
    map: Map<string, T>,
    sql: string,
    read: (row: Row) => T,
    ...parameters: (string | number)[]
  ): void => {
    for (const row of connection.all(sql, ...parameters)) {
      const record = read(row);
      map.set(record.id, record);
    }
  };
  const body =
    <T extends object>() =>
    (row: Row): T =>
      recordOf<T>(row, 'body');

  fill(state.groups, 'SELECT body FROM groups ORDER BY seq', body<Group>());
  fill(state.rules, 'SELECT body, hits, last_hit_at FROM rules LEFT JOIN rule_hits ON rule_id = id ORDER BY seq', ruleOf);
  fill(state.projects, 'SELECT body FROM projects ORDER BY seq', body<Project>());
  fill(state.tickets, 'SELECT body FROM tickets ORDER BY seq', body<Ticket>());
  const endedAfter = new Date(nowMs - ENDED_KEPT_MS).toISOString();
  fill(state.sessions, `${SELECT_SESSION} WHERE ended_at IS NULL OR ended_at > ? ORDER BY seq`, sessionOf, endedAfter);
  fill(state.grants, 'SELECT body FROM grants ORDER BY seq', body<Grant>());
  const outbox = `SELECT body FROM outbox WHERE state = 'waiting' OR seq IN (SELECT seq FROM outbox WHERE state <> 'waiting' ORDER BY seq DESC LIMIT ?) ORDER BY seq`;
  fill(state.outbox, outbox, body<OutboxItem>(), OUTBOX_KEPT);
  fill(state.jobs, 'SELECT body FROM jobs ORDER BY seq', (row) => ({ ...recordOf<Job>(row, 'body'), last_run: null }));
  for (const job of state.jobs.values()) state.jobs.set(job.id, { ...job, last_run: lastRun(connection, job.id) });
  fill(state.pending, `${SELECT_REQUEST} WHERE status = 'pending' ORDER BY seq`, requestOf);
}

export const SELECT_SESSION = `SELECT body, turns, tool_calls, output_tokens, cost_usd FROM sessions LEFT JOIN session_usage ON session_id = id`;
export const SELECT_REQUEST = 'SELECT seq, status, decision, body FROM requests';

export function sessionOf(row: Row): Session {
  const session = recordOf<Session>(row, 'body');
  if (row.turns === null) return session;
  const usage = {
    turns: numberOf(row, 'turns'),
    tool_calls: numberOf(row, 'tool_calls'),
    output_tokens: numberOf(row, 'output_tokens'),
    cost_usd: numberOf(row, 'cost_usd'),
  };
  return { ...session, usage };
}

/** A request whose status and decision come from their columns, where the conditional update writes them. */
export function requestOf(row: Row): Request {
  const request = recordOf<Request>(row, 'body');
  if (row.decision === null) return request;
  return { ...request, status: textOf(row, 'status') as Request['status'], decision: recordOf(row, 'decision'), trace: null };
}

function ruleOf(row: Row): Rule {
  const rule = recordOf<Rule>(row, 'body');
  if (row.hits === null) return rule;
  return { ...rule, hits: numberOf(row, 'hits'), last_hit_at: nullableTextOf(row, 'last_hit_at') };
}

function lastRun(connection: Connection, jobId: string): JobRun | null {
  const row = connection.get('SELECT body FROM job_runs WHERE job_id = ? ORDER BY started_at DESC, id DESC LIMIT 1', toColumn(jobId));
  return row ? recordOf<JobRun>(row, 'body') : null;
}

/** Value of a key in `meta`. */
export function metaOf(connection: Connection, key: string): string | null {
  const row = connection.get('SELECT value FROM meta WHERE key = ?', key);
  return row ? fromColumn(textOf(row, 'value')) : null;
}

export function setMeta(connection: Connection, key: string, value: string): void {
  connection.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, toColumn(value));
}
