import { describe, expect, it } from 'vitest';
import { TestClock } from './test-clock';
import { GRACE_MS, Waiting } from './waiting';

const START = Date.parse('2026-12-01T08:00:00Z');
const inS = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

function bench() {
  const clock = new TestClock(START);
  const due: string[] = [];
  const moved: string[] = [];
  const waiting = new Waiting({
    now: clock.now,
    after: clock.after,
    onDue: (id, reason) => due.push(`${id} ${reason}`),
    onAttachment: (id) => moved.push(`${id} ${waiting.isDetached(id) ? 'gone' : 'back'}`),
  });
  return { clock, due, moved, waiting };
}

describe('waiting for an answer', () => {
  it('ends when the request is settled', async () => {
    const { waiting } = bench();
    waiting.track('a', null);
    const waited = waiting.wait('a', 1_000);
    waiting.settled('a');
    expect(await waited).toBe('settled');
  });

  it('ends after its time, and the request goes on', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null);
    const waited = waiting.wait('a', 1_000);
    await clock.advance(1_000);
    expect(await waited).toBe('time_out');
    expect(due).toEqual([]);
  });

  it('ends when the caller hangs up', async () => {
    const { waiting } = bench();
    waiting.track('a', null);
    const abort = new AbortController();
    const waited = waiting.wait('a', 1_000, abort.signal);
    abort.abort();
    expect(await waited).toBe('hung_up');
    expect(waiting.isAttached('a')).toBe(false);
  });

  it('does not begin for a caller that has hung up already', async () => {
    const { waiting } = bench();
    waiting.track('a', null);
    const abort = new AbortController();
    abort.abort();
    expect(await waiting.wait('a', 1_000, abort.signal)).toBe('hung_up');
  });

  it('tells everyone who waits for the same request', async () => {
    const { waiting } = bench();
    waiting.track('a', null);
    const both = [waiting.wait('a', 1_000), waiting.wait('a', 2_000)];
    waiting.settled('a');
    expect(await Promise.all(both)).toEqual(['settled', 'settled']);
  });

  it('returns at once for what is not pending', async () => {
    expect(await bench().waiting.wait('unknown', 1_000)).toBe('settled');
  });
});

describe('the grace', () => {
  it('is 60 s from the last contact', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null);
    await clock.advance(50_000);
    waiting.contact('a');
    await clock.advance(GRACE_MS - 1);
    expect(due).toEqual([]);
    await clock.advance(1);
    expect(due).toEqual(['a lost']);
  });

  it('does not run while somebody waits', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null);
    const waited = waiting.wait('a', 600_000);
    await clock.advance(599_999);
    expect(due).toEqual([]);
    await clock.advance(1);
    expect(await waited).toBe('time_out');
    await clock.advance(GRACE_MS);
    expect(due).toEqual(['a lost']);
  });

  it('starts when the connection is lost', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null);
    const abort = new AbortController();
    void waiting.wait('a', 600_000, abort.signal);
    await clock.advance(300_000);
    abort.abort();
    await clock.advance(GRACE_MS - 1);
    expect(due).toEqual([]);
    await clock.advance(1);
    expect(due).toEqual(['a lost']);
  });

  it('goes on while another one waits', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null);
    const abort = new AbortController();
    void waiting.wait('a', 600_000, abort.signal);
    void waiting.wait('a', 600_000);
    abort.abort();
    await clock.advance(GRACE_MS * 2);
    expect(due).toEqual([]);
  });

  it('begins anew when the machine slept through it', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null);
    clock.jump(8 * 3_600_000);
    await clock.advance(0);
    expect(due).toEqual([]);
    await clock.advance(5_000 + GRACE_MS);
    expect(due).toEqual(['a lost']);
  });

  it('begins anew for what a restart found, which is shown as left at once', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', null, true);
    expect(waiting.isDetached('a')).toBe(true);
    await clock.advance(GRACE_MS - 1);
    expect(due).toEqual([]);
    await clock.advance(1);
    expect(due).toEqual(['a lost']);
  });
});

describe('being shown as left', () => {
  it('takes a while, so that a poll does not flicker, and ends with the next contact', async () => {
    const { clock, moved, waiting } = bench();
    waiting.track('a', null);
    await clock.advance(4_999);
    expect(waiting.isDetached('a')).toBe(false);
    await clock.advance(1);
    expect(waiting.isDetached('a')).toBe(true);
    waiting.contact('a');
    expect(waiting.isDetached('a')).toBe(false);
    expect(moved).toEqual(['a gone', 'a back']);
  });
});

describe('the expiry', () => {
  it('comes by the clock, whether somebody waits or not', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', inS(10));
    waiting.track('b', inS(10));
    void waiting.wait('b', 600_000);
    await clock.advance(9_999);
    expect(due).toEqual([]);
    await clock.advance(1);
    expect(due.sort()).toEqual(['a expired', 'b expired']);
  });

  it('comes before the grace when it is earlier, and after it when it is later', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('early', inS(30));
    waiting.track('late', inS(90));
    await clock.advance(100_000);
    expect(due).toEqual(['early expired', 'late lost']);
  });

  it('counts while the machine sleeps', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', inS(10));
    void waiting.wait('a', 600_000);
    clock.jump(60_000);
    await clock.advance(0);
    expect(due).toEqual(['a expired']);
  });
});

describe('after commits were undone', () => {
  it('forgets what is not pending and keeps what is', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('kept', null);
    waiting.track('undone', null);
    const waited = waiting.wait('undone', 1_000);
    waiting.resync([
      { id: 'kept', expires_at: null },
      { id: 'back', expires_at: null },
    ]);
    expect(await waited).toBe('time_out');
    await clock.advance(GRACE_MS + 5_000);
    expect(due.sort()).toEqual(['back lost', 'kept lost']);
  });

  it('tries again to settle what was due', async () => {
    const { clock, due, waiting } = bench();
    waiting.track('a', inS(1));
    await clock.advance(1_000);
    waiting.resync([{ id: 'a', expires_at: inS(1) }]);
    await clock.advance(999);
    expect(due).toEqual(['a expired']);
    await clock.advance(1);
    expect(due).toEqual(['a expired', 'a expired']);
  });
});
