import { describe, expect, it } from 'vitest';
import type { Settings } from '../shared/model';
import type { Snapshot } from '../shared/projection';
import { applyChanges, projectionOf } from './projection';
import { requestSample, settledSample } from './samples';

const snapshot: Snapshot = {
  revision: 7,
  pending: [requestSample({ id: 'a' })],
  recent: [],
  sessions: [],
  groups: [],
  rules: [],
  projects: [],
  tickets: [],
  grants: [],
  outbox: [],
  jobs: [],
  settings: { theme: 'system' } as Settings,
  health: { status: 'ok', version: '0', pid: 1, started_at: '', pending: 1, problems: [] },
};
const start = projectionOf(snapshot);

describe('the projection', () => {
  it('appends a new request and never moves the others', () => {
    const next = applyChanges(start, { revision: 8, changes: [{ put: 'request', value: requestSample({ id: 'b' }) }] });
    expect(next?.pending.map((request) => request.id)).toEqual(['a', 'b']);
  });

  it('moves a settled request to what was settled lately', () => {
    const next = applyChanges(start, { revision: 8, changes: [{ put: 'request', value: settledSample({ id: 'a' }) }] });
    expect(next?.pending).toEqual([]);
    expect(next?.recent.map((request) => request.id)).toEqual(['a']);
  });

  it('replaces a waiting request in its place', () => {
    const two = applyChanges(start, { revision: 8, changes: [{ put: 'request', value: requestSample({ id: 'b' }) }] });
    const next = two && applyChanges(two, { revision: 9, changes: [{ put: 'request', value: requestSample({ id: 'a', detached: true }) }] });
    expect(next?.pending.map((request) => [request.id, request.detached])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('asks for a new snapshot when a batch was missed, and ignores an old one', () => {
    expect(applyChanges(start, { revision: 9, changes: [] })).toBeNull();
    expect(applyChanges(start, { revision: 7, changes: [{ put: 'request', value: requestSample({ id: 'b' }) }] })).toBe(start);
  });

  it('keeps and drops records by name', () => {
    const group = { id: 'g', name: 'g', description: '', created_at: '' };
    const put = applyChanges(start, { revision: 8, changes: [{ put: 'group', value: group }] });
    expect(put?.groups.get('g')).toEqual(group);
    const removed = put && applyChanges(put, { revision: 9, changes: [{ remove: 'group', id: 'g' }] });
    expect(removed?.groups.size).toBe(0);
    expect(put?.groups.size).toBe(1);
  });

  it('keeps at most fifty of what was settled', () => {
    let now = start;
    for (let index = 0; index < 60; index += 1) {
      now = applyChanges(now, { revision: now.revision + 1, changes: [{ put: 'request', value: settledSample({ id: `x${index}` }) }] }) ?? now;
    }
    expect(now.recent).toHaveLength(50);
    expect(now.recent[0]?.id).toBe('x59');
  });
});
