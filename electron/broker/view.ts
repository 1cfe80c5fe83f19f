// The live state as it would stand after some writes, without committing them. Lets a change and what it settles be decided
// together and written in one transaction (spec 4, "Changing the policy"). Changes nothing.

import type { LiveState } from '../store/contract';
import type { RemovableName, StoredName, Write } from '../store/events';
import { apply } from '../store/live';

type MapName = Exclude<keyof LiveState, 'settings'>;

const PUT_TOUCHES: Readonly<Record<StoredName, readonly MapName[]>> = {
  session: ['sessions'],
  request: ['pending'],
  rule: ['rules'],
  group: ['groups'],
  project: ['projects'],
  ticket: ['tickets'],
  grant: ['grants'],
  outbox: ['outbox'],
  job: ['jobs'],
  job_run: ['jobs'],
  mail: [],
  steering: [],
};

/** With what goes along (store/live.ts): a project takes its tickets and grants with it. */
const REMOVE_TOUCHES: Readonly<Record<RemovableName, readonly MapName[]>> = {
  session: ['sessions', 'grants'],
  rule: ['rules'],
  group: ['groups', 'rules'],
  project: ['projects', 'tickets', 'grants'],
  ticket: ['tickets', 'grants'],
  grant: ['grants'],
  outbox: ['outbox'],
  job: ['jobs'],
  mail: [],
  steering: [],
};

function touchedBy(write: Write): readonly MapName[] {
  if ('put' in write) return PUT_TOUCHES[write.put];
  if ('remove' in write) return REMOVE_TOUCHES[write.remove];
  if ('settle' in write) return ['pending'];
  if ('hit' in write) return ['rules'];
  if ('use' in write) return ['sessions'];
  if ('finish' in write) return ['outbox'];
  return [];
}

/** A state of its own with `writes` applied; maps that no write touches are shared with `live`. */
export function afterWrites(live: LiveState, writes: readonly Write[]): LiveState {
  const touched = new Set(writes.flatMap(touchedBy));
  const copy = <K, V>(name: MapName, map: ReadonlyMap<K, V>): Map<K, V> => (touched.has(name) ? new Map(map) : (map as Map<K, V>));
  const next = {
    sessions: copy('sessions', live.sessions),
    rules: copy('rules', live.rules),
    groups: copy('groups', live.groups),
    projects: copy('projects', live.projects),
    tickets: copy('tickets', live.tickets),
    grants: copy('grants', live.grants),
    outbox: copy('outbox', live.outbox),
    jobs: copy('jobs', live.jobs),
    pending: copy('pending', live.pending),
    settings: live.settings,
  };
  for (const write of writes) apply(next, write);
  return next;
}

/** What a verdict can depend on. Counts, messages and history do not. */
export function changesVerdicts(write: Write): boolean {
  if ('settings' in write) return true;
  const name = 'put' in write ? write.put : 'remove' in write ? write.remove : null;
  switch (name) {
    case 'session':
    case 'rule':
    case 'group':
    case 'project':
    case 'ticket':
    case 'grant':
      return true;
    case 'request':
    case 'outbox':
    case 'job':
    case 'job_run':
    case 'mail':
    case 'steering':
    case null:
      return false;
  }
}

export const changesRules = (write: Write): boolean =>
  ('put' in write && write.put === 'rule') || ('remove' in write && (write.remove === 'rule' || write.remove === 'group'));
