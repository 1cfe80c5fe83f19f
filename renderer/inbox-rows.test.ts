import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inboxRows, nextSelection, requestIds } from './inbox-rows';
import { requestSample, settledSample } from './samples';

const at = (minute: number): string => `2026-12-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const request = (id: string, session_id: string, minute: number) => requestSample({ id, session_id, created_at: at(minute) });

describe('rows of the inbox', () => {
  it('stand oldest first within a session, sessions by their oldest request', () => {
    const rows = inboxRows([request('a', 's1', 1), request('b', 's2', 2), request('c', 's1', 3)], []);
    expect(rows.map((row) => (row.type === 'session' ? row.sessionId : row.request.id))).toEqual(['s1', 'a', 'c', 's2', 'b']);
  });

  it('count what waits, not what lingers', () => {
    const rows = inboxRows([request('a', 's1', 1)], [settledSample({ id: 'b', created_at: at(2) })]);
    expect(rows[0]).toEqual({ type: 'session', sessionId: 's1', waiting: 1 });
    expect(requestIds(rows)).toEqual(['a', 'b']);
  });

  it('keep the order of what is shown when something arrives', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('s1', 's2', 's3'), fc.nat(20)), { minLength: 1, maxLength: 12 }), (given) => {
        const all = given.map(([session, minute], index) => request(`r${String(index).padStart(2, '0')}`, session, 10 + minute));
        const arrival = request('zz', 's2', 59);
        const before = requestIds(inboxRows(all, []));
        const after = requestIds(inboxRows([...all, arrival], [])).filter((id) => id !== 'zz');
        expect(after).toEqual(before);
      }),
    );
  });
});

describe('the selection', () => {
  const rows = inboxRows([request('a', 's1', 1), request('b', 's1', 2), request('c', 's1', 3)], []);

  it('stays where it is when something arrives', () => {
    const more = inboxRows([request('0', 's0', 0), request('a', 's1', 1), request('b', 's1', 2), request('c', 's1', 3)], []);
    expect(nextSelection(rows, more, 'b')).toBe('b');
  });

  it('moves to the following request when its own has left, at the end to the last', () => {
    const without = (id: string) =>
      inboxRows(
        [request('a', 's1', 1), request('b', 's1', 2), request('c', 's1', 3)].filter((one) => one.id !== id),
        [],
      );
    expect(nextSelection(rows, without('b'), 'b')).toBe('c');
    expect(nextSelection(rows, without('c'), 'c')).toBe('b');
  });

  it('begins at the first and ends with the last', () => {
    expect(nextSelection([], rows, null)).toBe('a');
    expect(nextSelection(rows, [], 'a')).toBeNull();
  });
});
