// How a write reaches the tables. Owns the conditional updates that make an answer, a delivery and a release happen once.
// Runs inside the transaction of its commit and never touches the live state, which changes after all of a commit went in.

import type { Request } from '../../shared/model';
import { recordOf, textOf, toColumn, toNullableColumn } from './columns';
import { type Connection, troubleOf } from './connection';
import type { RemovableName, StoredRecords, Write } from './events';
import type { MutableState } from './live';

export type Put = Extract<Write, { put: unknown }>;

/** `write` is what was stored: counters that the record does not own are filled in from where they are counted. */
export type Admission =
  | { readonly taken: true; readonly write: Write }
  | { readonly taken: false; readonly reason: 'not_pending' | 'conflict'; readonly id: string };

const take = (write: Write): Admission => ({ taken: true, write });
const refuse = (reason: 'not_pending' | 'conflict', id: string): Admission => ({ taken: false, reason, id });

/** Stores one write. Throws the driver's error when the disk refuses; a record that stands in the way is a refusal. */
export function persist(connection: Connection, state: MutableState, write: Write): Admission {
  try {
    if ('put' in write) return persistPut(connection, state, write);
    if ('remove' in write) return removeRecord(connection, state, write.remove, write.id) ? take(write) : refuse('conflict', write.id);
    if ('settle' in write) {
      // INVARIANT (spec 8): one conditional update decides. Whoever comes second changes no row.
      const sql = "UPDATE requests SET status = ?, decision = ? WHERE id = ? AND status = 'pending'";
      const changes = connection.run(sql, write.decision.status, JSON.stringify(write.decision), toColumn(write.settle));
      return changes === 1 ? take(write) : refuse('not_pending', write.settle);
    }
    if ('deliver' in write) {
      // INVARIANT (spec 12): handed out once. A message that was delivered before refuses the whole delivery.
      const sql = `UPDATE ${write.deliver} SET delivered_at = ? WHERE id = ? AND delivered_at IS NULL`;
      const missed = write.ids.find((id) => connection.run(sql, write.at, toColumn(id)) !== 1);
      return missed === undefined ? take(write) : refuse('conflict', missed);
    }
    if ('finish' in write) {
      // INVARIANT (spec 15.9): a staged call leaves `waiting` once.
      const waiting = connection.get("SELECT body FROM outbox WHERE id = ? AND state = 'waiting'", toColumn(write.finish));
      if (!waiting) return refuse('conflict', write.finish);
      const item = { ...recordOf<StoredRecords['outbox']>(waiting, 'body'), state: write.state, note: write.note, settled_at: write.at };
      connection.run(
        "UPDATE outbox SET state = ?, body = ? WHERE id = ? AND state = 'waiting'",
        write.state,
        JSON.stringify(item),
        toColumn(item.id),
      );
      return take(write);
    }
  } catch (error) {
    if (troubleOf(error) === 'constraint') return refuse('conflict', idOf(write));
    throw error;
  }
  // Counters are written when the group of commits is, from the live state; settings have a file of their own.
  if ('hit' in write || 'use' in write) return take(write);
  write.settings satisfies object;
  return take(write);
}

function idOf(write: Write): string {
  if ('put' in write) return write.value.id;
  return 'id' in write ? write.id : '';
}

function persistPut(connection: Connection, state: MutableState, write: Put): Admission {
  switch (write.put) {
    case 'group': {
      upsert(connection, 'groups', write.value.id, [], [], write.value);
      return take(write);
    }
    case 'rule': {
      // What listeners and the log are told is the count that stays (live.ts).
      const known = state.rules.get(write.value.id);
      const value = known ? { ...write.value, hits: known.hits, last_hit_at: known.last_hit_at } : write.value;
      upsert(connection, 'rules', value.id, ['group_id'], [toColumn(value.group_id)], value);
      return take({ put: 'rule', value });
    }
    case 'project': {
      upsert(connection, 'projects', write.value.id, [], [], write.value);
      return take(write);
    }
    case 'ticket': {
      upsert(connection, 'tickets', write.value.id, ['project_id'], [toColumn(write.value.project_id)], write.value);
      return take(write);
    }
    case 'grant': {
      const { session_id, ticket_id, project_id } = write.value;
      const owners = [session_id, ticket_id, project_id].map(toNullableColumn);
      upsert(connection, 'grants', write.value.id, ['session_id', 'ticket_id', 'project_id'], owners, write.value);
      return take(write);
    }
    case 'session':
      return persistSession(connection, state, write.value);
    case 'request':
      return persistRequest(connection, write.value);
    case 'outbox': {
      // Only `finish` ends the wait. Afterwards the item may still be told what came of it.
      const { id, session_id, state: itemState, settled_at } = write.value;
      const known = connection.get('SELECT state, body FROM outbox WHERE id = ?', toColumn(id));
      if (known) {
        const knownItem = recordOf<StoredRecords['outbox']>(known, 'body');
        if (knownItem.state !== itemState || knownItem.settled_at !== settled_at) return refuse('conflict', id);
      }
      upsert(connection, 'outbox', id, ['session_id', 'state'], [toColumn(session_id), itemState], write.value);
      return take(write);
    }
    case 'job': {
      const value = { ...write.value, last_run: state.jobs.get(write.value.id)?.last_run ?? null };
      upsert(connection, 'jobs', value.id, [], [], value);
      return take({ put: 'job', value });
    }
    case 'job_run': {
      const { id, job_id, started_at } = write.value;
      upsert(connection, 'job_runs', id, ['job_id', 'started_at'], [toColumn(job_id), started_at], write.value);
      return take(write);
    }
    case 'mail': {
      insertOnce(connection, 'mail', write.value.id, write.value.to, write.value);
      return take(write);
    }
    case 'steering': {
      insertOnce(connection, 'steering', write.value.id, write.value.session_id, write.value);
      return take(write);
    }
    default:
      return write satisfies never;
  }
}

/** Table and column names are literals of this file, so the statement is one of a fixed set. */
function upsert(
  connection: Connection,
  table: string,
  id: string,
  columns: readonly string[],
  values: readonly (string | null)[],
  record: object,
): void {
  const names = ['id', ...columns, 'body'];
  const updates = [...columns, 'body'].map((name) => `${name} = excluded.${name}`).join(', ');
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT (id) DO UPDATE SET ${updates}`;
  connection.run(sql, toColumn(id), ...values, JSON.stringify(record));
}

/** Messages do not change; a second one with the same id is refused by the unique index. */
function insertOnce(connection: Connection, table: 'mail' | 'steering', id: string, sessionId: string, record: object): void {
  connection.run(`INSERT INTO ${table} (id, session_id, body) VALUES (?, ?, ?)`, toColumn(id), toColumn(sessionId), JSON.stringify(record));
}

function persistSession(connection: Connection, state: MutableState, session: StoredRecords['session']): Admission {
  // A session that memory let go of comes back with the usage that the disk has (live.ts).
  const usage = state.sessions.get(session.id)?.usage ?? usageOf(connection, session.id) ?? session.usage;
  const value = { ...session, usage };
  const columns = ['agent', 'external_id', 'project_id', 'ticket_id', 'parent_id', 'ended_at'];
  const values = [session.agent, session.external_id, session.project_id, session.ticket_id, session.parent_id, session.ended_at];
  upsert(connection, 'sessions', session.id, columns, values.map(toNullableColumn), value);
  return take({ put: 'session', value });
}

export function usageOf(connection: Connection, sessionId: string): StoredRecords['session']['usage'] | null {
  const row = connection.get('SELECT turns, tool_calls, output_tokens, cost_usd FROM session_usage WHERE session_id = ?', toColumn(sessionId));
  if (!row) return null;
  return { turns: Number(row.turns), tool_calls: Number(row.tool_calls), output_tokens: Number(row.output_tokens), cost_usd: Number(row.cost_usd) };
}

function persistRequest(connection: Connection, request: Request): Admission {
  const decision = request.decision === null ? null : JSON.stringify(request.decision);
  const body = JSON.stringify({ ...request, decision: null });
  // INVARIANT (spec 8): a put neither settles nor reopens a request, nor moves it to another call. It may change what else
  // stands in it, such as `detached`.
  const sql = `INSERT INTO requests (id, session_id, call_id, agent, tool, status, created_at, decision, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET tool = excluded.tool, body = excluded.body
    WHERE status = excluded.status AND decision IS excluded.decision AND session_id = excluded.session_id AND call_id = excluded.call_id`;
  const { id, session_id, call_id, agent, tool, status, created_at } = request;
  try {
    const values = [toColumn(id), toColumn(session_id), toColumn(call_id), toColumn(agent), toColumn(tool), status, created_at, decision, body];
    if (connection.run(sql, ...values) === 1) return take({ put: 'request', value: request });
  } catch (error) {
    if (troubleOf(error) !== 'constraint') throw error;
    // Spec 3.2: one request per call id of a session. `id` names the one that came first.
    const first = connection.get('SELECT body FROM requests WHERE session_id = ? AND call_id = ?', toColumn(session_id), toColumn(call_id));
    return refuse('conflict', first ? recordOf<Request>(first, 'body').id : id);
  }
  const known = connection.get('SELECT status FROM requests WHERE id = ?', toColumn(id));
  return refuse(known && textOf(known, 'status') !== 'pending' ? 'not_pending' : 'conflict', id);
}

const TABLES: Readonly<Record<RemovableName, string>> = {
  session: 'sessions',
  rule: 'rules',
  group: 'groups',
  project: 'projects',
  ticket: 'tickets',
  grant: 'grants',
  outbox: 'outbox',
  job: 'jobs',
  mail: 'mail',
  steering: 'steering',
};

/** False when there was nothing to remove. What went by a cascade earlier in the same commit counts as removed by it. */
function removeRecord(connection: Connection, state: MutableState, name: RemovableName, id: string): boolean {
  return connection.run(`DELETE FROM ${TABLES[name]} WHERE id = ?`, toColumn(id)) === 1 || wasThere(state, name, id);
}

function wasThere(state: MutableState, name: RemovableName, id: string): boolean {
  switch (name) {
    case 'session':
      return state.sessions.has(id);
    case 'rule':
      return state.rules.has(id);
    case 'group':
      return state.groups.has(id);
    case 'project':
      return state.projects.has(id);
    case 'ticket':
      return state.tickets.has(id);
    case 'grant':
      return state.grants.has(id);
    case 'outbox':
      return state.outbox.has(id);
    case 'job':
      return state.jobs.has(id);
    case 'mail':
    case 'steering':
      return false;
    default:
      return name satisfies never;
  }
}

/** Counters of the records that the live state holds, written as they stand. Called once per group of commits. */
export function persistCounters(connection: Connection, state: MutableState, ruleIds: Iterable<string>, sessionIds: Iterable<string>): void {
  for (const id of ruleIds) {
    const rule = state.rules.get(id);
    if (!rule) continue;
    const sql = `INSERT INTO rule_hits VALUES (?, ?, ?) ON CONFLICT (rule_id) DO UPDATE SET hits = excluded.hits, last_hit_at = excluded.last_hit_at`;
    connection.run(sql, toColumn(id), rule.hits, rule.last_hit_at);
  }
  for (const id of sessionIds) {
    const usage = state.sessions.get(id)?.usage;
    if (!usage) continue;
    const sql = `INSERT INTO session_usage VALUES (?, ?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE
      SET turns = excluded.turns, tool_calls = excluded.tool_calls, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd`;
    connection.run(sql, toColumn(id), usage.turns, usage.tool_calls, usage.output_tokens, usage.cost_usd);
  }
}
