import { describe, expect, it } from 'vitest';
import { isUnanswered, settledBetween } from './inbox-view';
import { projectionOf } from './projection';
import { requestSample, settledSample, snapshotSample } from './testing/samples';

describe('what has left the queue', () => {
  const before = projectionOf(snapshotSample({ pending: [requestSample({ id: 'a' }), requestSample({ id: 'b' })] }));

  it('is what waited and is settled now', () => {
    const after = projectionOf(snapshotSample({ pending: [requestSample({ id: 'b' })], recent: [settledSample({ id: 'a' })] }));
    expect(settledBetween(before, after).map(({ id }) => id)).toEqual(['a']);
  });

  it('is not what a rule settled at once', () => {
    const after = { ...before, recent: [settledSample({ id: 'never waited' })] };
    expect(settledBetween(before, after)).toEqual([]);
  });

  it('is kept where nobody answered it', () => {
    expect(isUnanswered(settledSample({}, { status: 'blocked', cause: 'withdrawn' }))).toBe(true);
    expect(isUnanswered(settledSample({}, { status: 'denied', cause: 'human' }))).toBe(false);
  });
});
