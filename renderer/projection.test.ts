import { describe, expect, it } from 'vitest';
import type { Request } from '../shared/model';
import { applyChanges, type Projection, projectionOf, RECENT_KEPT } from './projection';
import { groupSample, requestSample, settingsSample, settledSample, snapshotSample } from './testing/samples';

const start = projectionOf(snapshotSample({ pending: [requestSample({ id: 'a' })], groups: [] }));
const ids = (projection: Projection | null | undefined): readonly string[] => [...(projection?.pending.keys() ?? [])];
const put = (value: Request) => ({ put: 'request', value }) as const;

describe('the projection', () => {
  it('appends a new request and never moves the others', () => {
    const next = applyChanges(start, { revision: 8, changes: [put(requestSample({ id: 'b' }))] });
    expect(ids(next)).toEqual(['a', 'b']);
  });

  it('moves a settled request to what was settled lately', () => {
    const next = applyChanges(start, { revision: 8, changes: [put(settledSample({ id: 'a' }))] });
    expect(ids(next)).toEqual([]);
    expect(next?.recent.map((request) => request.id)).toEqual(['a']);
  });

  it('replaces a waiting request in its place', () => {
    const two = applyChanges(start, { revision: 8, changes: [put(requestSample({ id: 'b' }))] });
    const next = two && applyChanges(two, { revision: 9, changes: [put(requestSample({ id: 'a', detached: true }))] });
    expect(ids(next)).toEqual(['a', 'b']);
    expect(next?.pending.get('a')?.detached).toBe(true);
  });

  it('asks for a new snapshot when a batch was missed, and ignores an old one', () => {
    expect(applyChanges(start, { revision: 9, changes: [] })).toBeNull();
    expect(applyChanges(start, { revision: 7, changes: [put(requestSample({ id: 'b' }))] })).toBe(start);
  });

  it('keeps and drops records by name, and leaves the one before as it was', () => {
    const group = groupSample({ id: 'g' });
    const with1 = applyChanges(start, { revision: 8, changes: [{ put: 'group', value: group }] });
    expect(with1?.groups.get('g')).toEqual(group);
    const removed = with1 && applyChanges(with1, { revision: 9, changes: [{ remove: 'group', id: 'g' }] });
    expect(removed?.groups.size).toBe(0);
    expect(with1?.groups.size).toBe(1);
    expect(start.groups.size).toBe(0);
  });

  it('leaves what a batch does not touch the same object, so that nothing is drawn anew for it', () => {
    const next = applyChanges(start, { revision: 8, changes: [{ settings: settingsSample({ theme: 'dark' }) }] });
    expect(next?.settings.theme).toBe('dark');
    expect(next?.pending).toBe(start.pending);
    expect(next?.recent).toBe(start.recent);
    expect(next?.sessions).toBe(start.sessions);
  });

  it('applies the changes of one batch in their order', () => {
    const next = applyChanges(start, {
      revision: 8,
      changes: [put(requestSample({ id: 'b' })), put(settledSample({ id: 'b' })), put(settledSample({ id: 'a' })), { remove: 'request', id: 'x' }],
    });
    expect(ids(next)).toEqual([]);
    expect(next?.recent.map((request) => request.id)).toEqual(['a', 'b']);
  });

  it('keeps at most fifty of what was settled, the last first, each once', () => {
    let now = start;
    for (let index = 0; index < RECENT_KEPT + 10; index += 1)
      now = applyChanges(now, { revision: now.revision + 1, changes: [put(settledSample({ id: `x${index}` }))] }) ?? now;
    now = applyChanges(now, { revision: now.revision + 1, changes: [put(settledSample({ id: 'x30' }))] }) ?? now;
    expect(now.recent).toHaveLength(RECENT_KEPT);
    expect(now.recent[0]?.id).toBe('x30');
    expect(now.recent.filter((request) => request.id === 'x30')).toHaveLength(1);
  });

  it('takes ten thousand requests in one batch quickly', () => {
    const changes = Array.from({ length: 10_000 }, (_, index) => put(requestSample({ id: `r${index}` })));
    const began = performance.now();
    expect(applyChanges(start, { revision: 8, changes })?.pending.size).toBe(10_001);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
