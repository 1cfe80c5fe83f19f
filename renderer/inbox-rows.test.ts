import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Request } from '../shared/model';
import { type InboxView, inboxRows, nextSelection, nextWaiting, requestIds } from './inbox-rows';
import { requestSample, settledSample } from './testing/samples';

const at = (minute: number): string => `2026-12-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const request = (id: string, session_id: string, minute: number) => requestSample({ id, session_id, created_at: at(minute) });
const rowsOf = (pending: readonly Request[], more: Partial<InboxView> = {}) =>
  inboxRows({ pending, lingering: [], aside: new Map(), asideIsOpen: false, ...more });

describe('rows of the inbox', () => {
  it('stand oldest first within a session, sessions by their oldest request', () => {
    const rows = rowsOf([request('a', 's1', 1), request('b', 's2', 2), request('c', 's1', 3)]);
    expect(rows.map((row) => (row.type === 'session' ? row.sessionId : row.type === 'request' ? row.request.id : ''))).toEqual([
      's1',
      'a',
      'c',
      's2',
      'b',
    ]);
  });

  it('keep what was just settled in its place, and count what waits', () => {
    const rows = rowsOf([request('a', 's1', 1), request('c', 's1', 3)], { lingering: [settledSample({ id: 'b', created_at: at(2) })] });
    expect(rows[0]).toEqual({ type: 'session', sessionId: 's1', waiting: 2 });
    expect(requestIds(rows)).toEqual(['a', 'b', 'c']);
  });

  it('keep the order of what is shown when something arrives', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('s1', 's2', 's3'), { minLength: 1, maxLength: 12 }), (sessions) => {
        const all = sessions.map((session, index) => request(`r${String(index).padStart(2, '0')}`, session, 10 + index));
        const before = requestIds(rowsOf(all));
        const after = requestIds(rowsOf([...all, request('zz', 's2', 59)])).filter((id) => id !== 'zz');
        expect(after).toEqual(before);
      }),
    );
  });

  it('put what was put aside at the end, folded until it is opened', () => {
    const pending = [request('a', 's1', 1), request('b', 's1', 2)];
    const aside = new Map([['a', requestSample().digest]]);
    expect(requestIds(rowsOf(pending, { aside }))).toEqual(['b']);
    expect(rowsOf(pending, { aside }).at(-1)).toEqual({ type: 'aside', count: 1, isOpen: false });
    expect(requestIds(rowsOf(pending, { aside, asideIsOpen: true }))).toEqual(['b', 'a']);
  });

  it('bring back what was put aside once it has changed', () => {
    expect(requestIds(rowsOf([request('a', 's1', 1)], { aside: new Map([['a', 'another digest']]) }))).toEqual(['a']);
  });
});

describe('the selection', () => {
  const three = [request('a', 's1', 1), request('b', 's1', 2), request('c', 's1', 3)];
  const rows = rowsOf(three);
  const without = (id: string) => rowsOf(three.filter((one) => one.id !== id));

  it('stays where it is when something arrives', () => {
    expect(nextSelection(rows, rowsOf([request('0', 's0', 0), ...three]), 'b')).toBe('b');
  });

  it('moves to the following request when its own has left, at the end to the one before', () => {
    expect(nextSelection(rows, without('b'), 'b')).toBe('c');
    expect(nextSelection(rows, without('c'), 'c')).toBe('b');
  });

  it('begins at the first and ends with the last', () => {
    expect(nextSelection([], rows, null)).toBe('a');
    expect(nextSelection(rows, [], 'a')).toBeNull();
  });

  it('goes on after an answer to the next that waits, over what is settled already', () => {
    const mixed = rowsOf([request('a', 's1', 1), request('c', 's1', 3)], { lingering: [settledSample({ id: 'b', created_at: at(2) })] });
    expect(nextWaiting(mixed, 'a')).toBe('c');
    expect(nextWaiting(mixed, 'c')).toBe('a');
    expect(nextWaiting(rowsOf([request('a', 's1', 1)]), 'a')).toBeNull();
  });
});
