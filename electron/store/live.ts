// The state in memory and the one function that changes it. Owns what a write means for the live state; the same write
// reaches the database in writes.ts first. Reads no clock and no disk.

import type { Grant, Group, Job, JobRun, OutboxItem, Project, Request, Rule, Session, Settings, Ticket, Usage } from '../../shared/model';
import type { LiveState } from './contract';
import type { RemovableName, StoredName, StoredRecords, Write } from './events';

/** The same maps as `LiveState`, writable. Stays inside this room. */
export interface MutableState extends LiveState {
  readonly sessions: Map<string, Session>;
  readonly rules: Map<string, Rule>;
  readonly groups: Map<string, Group>;
  readonly projects: Map<string, Project>;
  readonly tickets: Map<string, Ticket>;
  readonly grants: Map<string, Grant>;
  readonly outbox: Map<string, OutboxItem>;
  readonly jobs: Map<string, Job>;
  readonly pending: Map<string, Request>;
  settings: Settings;
}

export function emptyState(settings: Settings): MutableState {
  return {
    sessions: new Map(),
    rules: new Map(),
    groups: new Map(),
    projects: new Map(),
    tickets: new Map(),
    grants: new Map(),
    outbox: new Map(),
    jobs: new Map(),
    pending: new Map(),
    settings,
  };
}

export function clear(state: MutableState): void {
  state.sessions.clear();
  state.rules.clear();
  state.groups.clear();
  state.projects.clear();
  state.tickets.clear();
  state.grants.clear();
  state.outbox.clear();
  state.jobs.clear();
  state.pending.clear();
}

/**
 * INVARIANT (house, state): live state changes here and nowhere else, after the database took the same write. A state that
 * was loaded from the database equals the one that grew by these calls.
 */
export function apply(state: MutableState, write: Write): void {
  if ('put' in write) put(state, write.put, write.value);
  else if ('remove' in write) remove(state, write.remove, write.id);
  else if ('settle' in write) state.pending.delete(write.settle);
  else if ('hit' in write) {
    for (const id of write.hit) {
      const rule = state.rules.get(id);
      if (rule) state.rules.set(id, { ...rule, hits: rule.hits + 1, last_hit_at: write.at });
    }
  } else if ('use' in write) {
    const session = state.sessions.get(write.use);
    if (session) state.sessions.set(write.use, { ...session, usage: addUse(session.usage, write) });
  } else if ('finish' in write) {
    const item = state.outbox.get(write.finish);
    if (item) state.outbox.set(item.id, { ...item, state: write.state, note: write.note, settled_at: write.at });
  } else if ('settings' in write) state.settings = write.settings;
  // Mail and steering wait on disk only.
  else write.deliver satisfies 'mail' | 'steering';
}

const addUse = (usage: Usage, use: Partial<Usage>): Usage => ({
  turns: usage.turns + (use.turns ?? 0),
  tool_calls: usage.tool_calls + (use.tool_calls ?? 0),
  output_tokens: usage.output_tokens + (use.output_tokens ?? 0),
  cost_usd: usage.cost_usd + (use.cost_usd ?? 0),
});

function put<N extends StoredName>(state: MutableState, name: N, value: StoredRecords[N]): void;
function put(state: MutableState, name: StoredName, value: StoredRecords[StoredName]): void {
  const record = { name, value } as { [N in StoredName]: { name: N; value: StoredRecords[N] } }[StoredName];
  switch (record.name) {
    // INVARIANT: counters only grow by `hit` and `use`. A copy of a record that is put back late loses no count.
    case 'session': {
      const usage = state.sessions.get(record.value.id)?.usage ?? record.value.usage;
      state.sessions.set(record.value.id, { ...record.value, usage });
      return;
    }
    case 'request':
      if (record.value.status === 'pending') state.pending.set(record.value.id, record.value);
      return;
    case 'rule': {
      const { hits, last_hit_at } = state.rules.get(record.value.id) ?? record.value;
      state.rules.set(record.value.id, { ...record.value, hits, last_hit_at });
      return;
    }
    case 'group':
      state.groups.set(record.value.id, record.value);
      return;
    case 'project':
      state.projects.set(record.value.id, record.value);
      return;
    case 'ticket':
      state.tickets.set(record.value.id, record.value);
      return;
    case 'grant':
      state.grants.set(record.value.id, record.value);
      return;
    case 'outbox':
      state.outbox.set(record.value.id, record.value);
      return;
    case 'job': {
      const last_run = state.jobs.get(record.value.id)?.last_run ?? null;
      state.jobs.set(record.value.id, { ...record.value, last_run });
      return;
    }
    case 'job_run': {
      const job = state.jobs.get(record.value.job_id);
      if (job && isLastRun(record.value, job.last_run)) state.jobs.set(job.id, { ...job, last_run: record.value });
      return;
    }
    case 'mail':
    case 'steering':
      return;
    default:
      record satisfies never;
  }
}

/** Runs are ordered by their start, then their id; an older run that is put again does not become the last one. */
const isLastRun = (run: JobRun, last: JobRun | null): boolean =>
  !last || last.id === run.id || last.started_at < run.started_at || (last.started_at === run.started_at && last.id < run.id);

/** Removes a record and what cannot be without it: the same cascades as the foreign keys of the tables. */
function remove(state: MutableState, name: RemovableName, id: string): void {
  switch (name) {
    case 'group':
      state.groups.delete(id);
      for (const rule of state.rules.values()) if (rule.group_id === id) state.rules.delete(rule.id);
      return;
    case 'project':
      state.projects.delete(id);
      for (const ticket of state.tickets.values()) if (ticket.project_id === id) remove(state, 'ticket', ticket.id);
      for (const grant of state.grants.values()) if (grant.project_id === id) state.grants.delete(grant.id);
      return;
    case 'ticket':
      state.tickets.delete(id);
      for (const grant of state.grants.values()) if (grant.ticket_id === id) state.grants.delete(grant.id);
      return;
    case 'session':
      state.sessions.delete(id);
      for (const grant of state.grants.values()) if (grant.session_id === id) state.grants.delete(grant.id);
      return;
    case 'rule':
      state.rules.delete(id);
      return;
    case 'grant':
      state.grants.delete(id);
      return;
    case 'outbox':
      state.outbox.delete(id);
      return;
    case 'job':
      state.jobs.delete(id);
      return;
    case 'mail':
    case 'steering':
      return;
    default:
      name satisfies never;
  }
}
