import { describe, expect, it } from 'vitest';
import { sessionRows, stateWord } from './session-rows';
import { sessionSample } from './testing/samples';

const at = (minute: number): string => `2026-12-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

describe('sessions as rows', () => {
  it('stand the latest first, children under their parents, those that ended at the end', () => {
    const rows = sessionRows([
      sessionSample({ id: 'old', created_at: at(1) }),
      sessionSample({ id: 'child', parent_id: 'old', created_at: at(9) }),
      sessionSample({ id: 'new', created_at: at(5) }),
      sessionSample({ id: 'over', state: 'ended', created_at: at(8) }),
    ]);
    expect(rows.map(({ session, level, isFirstEnded }) => [session.id, level, isFirstEnded])).toEqual([
      ['new', 0, false],
      ['old', 0, false],
      ['child', 1, false],
      ['over', 0, true],
    ]);
  });

  it('show a child by itself when its parent has ended', () => {
    const rows = sessionRows([sessionSample({ id: 'p', state: 'ended' }), sessionSample({ id: 'c', parent_id: 'p' })]);
    expect(rows.map(({ session, level }) => [session.id, level])).toEqual([
      ['c', 0],
      ['p', 0],
    ]);
  });

  it('say in one word what each is doing', () => {
    expect(stateWord(sessionSample({ state: 'turn' }), false)).toBe('working');
    expect(stateWord(sessionSample({ state: 'turn', pending: 1 }), false)).toBe('waiting');
    expect(stateWord(sessionSample({ state: 'idle', pending: 1 }), true)).toBe('held');
    expect(stateWord(sessionSample({ cancelled: true }), false)).toBe('cancelled');
  });
});
