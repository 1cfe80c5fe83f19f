import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Request } from '../../shared/model';
import { createPaths, type Paths } from './paths';
import { ADMIN, AGENT, Bench, outcome } from './test-bench';
import { turns } from './test-clock';
import { GRACE_MS } from './waiting';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('one call id', () => {
  const again = { call_id: 'k' };

  it('is one request, before and after its answer', async () => {
    const session = await bench.open();
    const first = await bench.write(session, 'a', again);
    expect((await bench.write(session, 'a', again)).id).toBe(first.id);
    await bench.approve(first);
    const third = await bench.write(session, 'a', again);
    expect([third.id, outcome(third)]).toEqual([first.id, 'allowed human']);
  });

  it('does not care for the order of keys', async () => {
    const session = await bench.open();
    const first = await bench.submit(session, 'alpha', { one: 1, two: { a: 1, b: 2 } }, again);
    const second = await bench.submit(session, 'alpha', { two: { b: 2, a: 1 }, one: 1 }, again);
    expect(second.id).toBe(first.id);
  });

  it.each([
    ['another tool', { tool: 'Edit', input: { file_path: 'a', content: 'x' } }],
    ['another input', { tool: 'Write', input: { file_path: 'b', content: 'x' } }],
    ['another directory', { tool: 'Write', input: { file_path: 'a', content: 'x' }, cwd: 'ext' }],
  ])('is refused for %s', async (_, other) => {
    const session = await bench.open();
    await bench.write(session, 'a', again);
    const { tool, input } = other;
    const cwd = 'cwd' in other ? { cwd: bench.path(other.cwd) } : {};
    const failure = await bench.fails('request.submit', { session_id: session.id, call_id: 'k', tool, input, ...cwd }, AGENT);
    expect(failure.code).toBe('call_conflict');
  });

  it('is one request when it arrives three times at once, and a hook hears of it once', async () => {
    const marks = bench.file('marks', '');
    const session = await bench.open({ run_context: { hooks: [{ event: 'pre_tool', command: `echo called >> ${marks}` }] } }, ADMIN);
    const requests = await Promise.all([1, 2, 3].map(() => bench.write(session, 'a', again)));
    expect(new Set(requests.map((request) => request.id)).size).toBe(1);
    expect(readFileSync(marks, 'utf8')).toBe('called\n');
  });

  it('belongs to its session: the same id in another one is another request', async () => {
    const [one, other] = [await bench.open(), await bench.open()];
    expect((await bench.write(one, 'a', again)).id).not.toBe((await bench.write(other, 'a', again)).id);
  });

  it('is not counted twice', async () => {
    await bench.rule({ tool_pattern: '*', action: 'allow' });
    const session = await bench.open({ run_context: { budget: { max_tool_calls: 1 } } }, ADMIN);
    for (let round = 0; round < 3; round += 1) expect(outcome(await bench.write(session, 'a', again))).toBe('allowed rule');
    expect(outcome(await bench.write(session, 'b'))).toBe('denied budget');
  });
});

describe('an unknown or ended session', () => {
  it('is an error, not a decision', async () => {
    const call = { call_id: 'k', tool: 'Write', input: { file_path: 'a' } };
    expect((await bench.fails('request.submit', { session_id: 'nope', ...call }, AGENT)).code).toBe('not_found');
    const session = await bench.open();
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    expect(await bench.fails('request.submit', { session_id: session.id, ...call }, AGENT)).toMatchObject({
      code: 'conflict',
      subject: { state: 'ended' },
    });
  });
});

describe('waiting', () => {
  it('ends with the answer as soon as the disk has it', async () => {
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { call_id: 'k', wait_ms: 600_000 });
    await turns();
    const [pending] = (await bench.ok('inbox.list', {})).items;
    expect(pending?.detached).toBe(false);
    if (pending) await bench.approve(pending);
    expect(outcome(await waiting)).toBe('allowed human');
  });

  it('returns what is pending when its time is over', async () => {
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { wait_ms: 300 });
    await turns();
    await bench.clock.advance(300);
    expect((await waiting).status).toBe('pending');
  });

  it('is detached by a lost connection, and the request is withdrawn 60 s later', async () => {
    const session = await bench.open();
    const abort = new AbortController();
    const waiting = bench.submit(session, 'Write', { file_path: 'a' }, { wait_ms: 600_000 }, { ...AGENT, signal: abort.signal });
    await turns();
    abort.abort();
    const request = await waiting;
    await bench.clock.advance(GRACE_MS - 1);
    expect(bench.store.request(request.id)?.status).toBe('pending');
    await bench.clock.advance(1);
    const ended = await bench.get(request);
    expect(outcome(ended)).toBe('blocked withdrawn');
    expect(ended.decision?.message).not.toMatch(/denied/i);
  });

  it('goes on when the agent comes back with its call id', async () => {
    const session = await bench.open();
    const first = await bench.write(session, 'a', { call_id: 'k' });
    await bench.clock.advance(GRACE_MS - 1);
    const waiting = bench.write(session, 'a', { call_id: 'k', wait_ms: 600_000 });
    await turns();
    await bench.clock.advance(GRACE_MS * 3);
    await bench.approve(first);
    expect(outcome(await waiting)).toBe('allowed human');
  });

  it('is not prolonged by a person who looks', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.clock.advance(GRACE_MS - 1);
    await bench.get(request, ADMIN);
    await bench.clock.advance(1);
    expect(outcome(await bench.get(request))).toBe('blocked withdrawn');
  });

  it('shows who has left, and who came back', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.clock.advance(10_000);
    expect((await bench.get(request, ADMIN)).detached).toBe(true);
    expect((await bench.get(request)).detached).toBe(false);
  });
});

describe('expiry', () => {
  it('comes by the clock and says that nobody answered', async () => {
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { expires_in_s: 30, wait_ms: 600_000 });
    await turns();
    await bench.clock.advance(30_000);
    const request = await waiting;
    expect(outcome(request)).toBe('blocked expired');
    expect(request.decision?.message).toMatch(/nobody answered/i);
    expect((await bench.ok('inbox.list', {})).items).toEqual([]);
  });

  it('counts before its timer has fired: an answer that is late changes nothing', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a', { expires_in_s: 1 });
    bench.clock.jump(1_000);
    const failure = await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve' });
    expect(failure).toMatchObject({ code: 'settled', subject: { status: 'blocked', cause: 'expired' } });
  });

  it('does not undo an answer that came in time', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a', { expires_in_s: 2 });
    await bench.approve(request);
    await bench.clock.advance(5_000);
    expect(outcome(await bench.get(request))).toBe('allowed human');
  });
});

describe('withdrawal', () => {
  it('blocks, and is repeated without an error', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    for (let round = 0; round < 2; round += 1) {
      expect(outcome(await bench.ok('request.withdraw', { id: request.id }, AGENT))).toBe('blocked withdrawn');
    }
  });

  it('does not undo an answer', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.approve(request);
    expect(outcome(await bench.ok('request.withdraw', { id: request.id }, AGENT))).toBe('allowed human');
  });

  it('comes with the end of the session', async () => {
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { wait_ms: 600_000 });
    await turns();
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    expect(outcome(await waiting)).toBe('blocked withdrawn');
  });
});

describe('a restart', () => {
  it('keeps what waits under its id, marked detached, in the inbox', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.restart();
    const { items } = await bench.ok('inbox.list', {});
    expect(items.map((item) => [item.id, item.status, item.detached])).toEqual([[request.id, 'pending', true]]);
  });

  it('gives the agent the whole grace to come back, however long the gate was down', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a');
    await bench.restart(3_600_000);
    await bench.clock.advance(GRACE_MS - 1);
    expect((await bench.ok('inbox.list', {})).items).toHaveLength(1);
    await bench.clock.advance(1);
    expect(outcome(await bench.get(request))).toBe('blocked withdrawn');
  });

  it('delivers an answer that was given before the agent came back', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a', { call_id: 'k' });
    await bench.restart();
    await bench.approve(request);
    const back = await bench.write(session, 'a', { call_id: 'k' });
    expect([back.id, outcome(back), back.detached]).toEqual([request.id, 'allowed human', false]);
  });

  it('keeps an answer that was given before it and collected after it', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a', { call_id: 'k' });
    await bench.approve(request);
    await bench.restart();
    expect(outcome(await bench.write(session, 'a', { call_id: 'k' }))).toBe('allowed human');
  });

  it('expires what ran out while the gate was down', async () => {
    const session = await bench.open();
    const request = await bench.write(session, 'a', { expires_in_s: 60 });
    await bench.restart(61_000);
    expect(outcome(await bench.get(request))).toBe('blocked expired');
  });

  it('keeps what was settled, and the answers that last', async () => {
    const session = await bench.open();
    const denied = await bench.write(session, 'a');
    await bench.deny(denied, { note: 'not that' });
    const asked = await bench.write(session, 'b');
    await bench.approve(asked, { scope: 'session' });
    await bench.restart();
    expect((await bench.get(denied)).decision).toMatchObject({ status: 'denied', cause: 'human', note: 'not that' });
    expect(outcome(await bench.write(session, 'b'))).toBe('allowed session_rule');
  });

  it('while a hook is thinking ends the hook and records nothing: the call is judged anew when it comes again', async () => {
    const late = bench.path('late');
    const began = bench.path('began');
    const hook = `touch ${began}; while [ ! -e ${bench.path('go')} ]; do sleep 0.02; done; touch ${late}`;
    const session = await bench.open({ run_context: { hooks: [{ event: 'pre_tool', command: hook }] } }, ADMIN);
    const call = { session_id: session.id, call_id: 'k', tool: 'Write', input: { file_path: 'a' } };
    const cutOff = bench.call('request.submit', call, AGENT);
    await vi.waitFor(() => expect(existsSync(began)).toBe(true));
    await bench.restart();
    expect(await cutOff).toMatchObject({ ok: false, failure: { code: 'unavailable' } });
    expect((await bench.ok('request.list', {})).items).toEqual([]);
    bench.file('go');
    expect(outcome(await bench.ok('request.submit', call, AGENT))).toBe('pending');
    expect(existsSync(late)).toBe(true);
  });

  it('keeps a staged call, what was released and not claimed, and undelivered messages', async () => {
    const session = await bench.open({ run_context: { outbox: ['send_*'] } }, ADMIN);
    for (const name of ['send_a', 'send_b']) await bench.submit(session, name, {});
    const [second] = (await bench.ok('outbox.list', {})).items;
    await bench.ok('outbox.release', { id: second?.id ?? '' });
    await bench.restart();
    expect((await bench.ok('outbox.list', {})).items.map((item) => [item.tool, item.state])).toEqual([
      ['send_b', 'released'],
      ['send_a', 'waiting'],
    ]);
    expect((await bench.ok('session.inbox', { session_id: session.id }, AGENT)).steering).toHaveLength(1);
    expect(outcome(await bench.submit(session, 'send_b', {}))).toBe('allowed outbox');
    expect(outcome(await bench.submit(session, 'send_a', {}))).toBe('staged outbox');
  });

  it('ends a wait without ending the request', async () => {
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { call_id: 'k', wait_ms: 600_000 });
    await turns();
    await bench.restart();
    expect((await waiting).status).toBe('pending');
    expect((await bench.write(session, 'a', { call_id: 'k' })).status).toBe('pending');
  });
});

describe('delivery of an answer that nobody was there to take', () => {
  async function answeredWhileAway(): Promise<Request> {
    const session = await bench.open();
    const request = await bench.write(session, 'a', { call_id: 'k' });
    await bench.approve(request);
    return request;
  }

  it('is refused when a floor stands against it by now, and the refusal is in the log', async () => {
    const request = await answeredWhileAway();
    await bench.rule({ tool_pattern: 'Write', action: 'deny', hard: true, reason: 'closed meanwhile' });
    const delivered = await bench.get(request);
    expect(outcome(delivered)).toBe('denied floor');
    expect(delivered.decision?.message).toContain('closed meanwhile');
    const { items } = await bench.ok('activity.list', { request_id: request.id, type: 'request.refused' });
    expect(items).toHaveLength(1);
  });

  it('is refused every time it is asked for, and logged once', async () => {
    const request = await answeredWhileAway();
    await bench.rule({ tool_pattern: 'Write', action: 'deny', hard: true });
    for (let round = 0; round < 3; round += 1) expect(outcome(await bench.get(request))).toBe('denied floor');
    expect((await bench.ok('activity.list', { request_id: request.id, type: 'request.refused' })).items).toHaveLength(1);
  });

  it('is refused after the run was cancelled', async () => {
    const request = await answeredWhileAway();
    await bench.ok('session.cancel', { session_id: request.session_id });
    expect(outcome(await bench.get(request))).toBe('denied cancelled');
  });

  it('is refused after the session has ended', async () => {
    const request = await answeredWhileAway();
    await bench.ok('session.end', { session_id: request.session_id }, AGENT);
    expect(outcome(await bench.get(request))).toBe('blocked withdrawn');
  });

  it('is refused when the path leads elsewhere by now', async () => {
    bench.dirs('app/real', 'app/other');
    bench.link('app/link', bench.path('app/real'));
    const session = await bench.open();
    const request = await bench.write(session, 'link/a');
    await bench.approve(request);
    bench.link('app/link', bench.path('app/other'));
    const delivered = await bench.get(request);
    expect(outcome(delivered)).toBe('blocked fault');
    expect(delivered.decision?.message).not.toMatch(/denied/i);
  });

  it('is final once it went out: a later floor does not change what was told', async () => {
    const request = await answeredWhileAway();
    expect(outcome(await bench.get(request))).toBe('allowed human');
    await bench.rule({ tool_pattern: 'Write', action: 'deny', hard: true });
    expect(outcome(await bench.get(request))).toBe('allowed human');
  });

  it('does not count the call against its own budget', async () => {
    const session = await bench.open({ run_context: { budget: { max_tool_calls: 1 } } }, ADMIN);
    const request = await bench.write(session, 'a');
    await bench.approve(request);
    expect(outcome(await bench.get(request))).toBe('allowed human');
  });
});

describe('two operators', () => {
  it('race on 1,000 requests: exactly one wins each, and the loser is told who', async () => {
    const session = await bench.open();
    const requests = await Promise.all(Array.from({ length: 1_000 }, (_, index) => bench.write(session, `file-${index}`)));
    const answers = await Promise.all(
      requests.map(async ({ id, digest }, index) => {
        const approve = () => bench.call('request.resolve', { id, digest, action: 'approve' }, { ...ADMIN, door: 'window' });
        const deny = () => bench.call('request.resolve', { id, digest, action: 'deny' }, { ...ADMIN, door: 'http' });
        return index % 2 === 0 ? Promise.all([approve(), deny()]) : Promise.all([deny(), approve()]);
      }),
    );
    for (const [index, pair] of answers.entries()) {
      const winners = pair.filter((result) => result.ok);
      const [loser] = pair.filter((result) => !result.ok);
      expect(winners).toHaveLength(1);
      const recorded = bench.store.request(requests[index]?.id ?? '');
      expect(loser).toMatchObject({
        failure: { code: 'settled', subject: { status: recorded?.status, cause: 'human', resolved_by: recorded?.decision?.resolved_by } },
      });
    }
    expect((await bench.ok('inbox.list', {})).items).toEqual([]);
  }, 60_000);
});

describe('an allow for this call only', () => {
  it('is consumed once under any interleaving of retries, polls, answers and other calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const one = new Bench();
        try {
          const session = await one.open();
          const asked = await one.write(session, 'a', { call_id: 'asked' });
          const other = await one.write(session, 'a', { call_id: 'other' });
          const step = <T>(work: () => Promise<T>): Promise<T> => scheduler.schedule(Promise.resolve()).then(work);
          const seen = await Promise.all([
            step(() => one.approve(asked)),
            step(() => one.write(session, 'a', { call_id: 'asked' })),
            step(() => one.get(asked)),
            step(() => one.write(session, 'a', { call_id: 'asked' })),
            step(() => one.write(session, 'a', { call_id: 'third' })),
            step(() => one.get(other)),
            scheduler.waitAll(),
          ]);
          // Whatever was told allowed was told so of the one request that was answered.
          const allowed = seen.flatMap((request) => (request?.status === 'allowed' ? [request.id] : []));
          expect(new Set(allowed)).toEqual(new Set([asked.id]));
          expect(one.store.requests({ status: 'allowed' }).items.map((request) => request.id)).toEqual([asked.id]);
          expect((await one.ok('inbox.list', {})).items).toHaveLength(2);
        } finally {
          await one.close();
        }
      }),
      { numRuns: process.env.GATEHOUSE_DEEP ? 200 : 15 },
    );
  }, 60_000);
});

describe('a mistake of ours', () => {
  it('lets nothing through and stands in the history as a fault', async () => {
    await bench.close();
    const real = createPaths({ home: '/' });
    let isBroken = false;
    const linkAt: Paths['linkAt'] = () => {
      if (isBroken) throw new Error('nobody foresaw this');
      return null;
    };
    bench = new Bench({ paths: { ...real, linkAt } });
    await bench.rule({ tool_pattern: '*', path_pattern: 'src/*', action: 'allow' });
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { wait_ms: 600_000 });
    await turns();
    isBroken = true;
    expect(outcome(await bench.write(session, 'src/a'))).toBe('blocked fault');
    // What waits is refused as well when it has to be judged again and cannot be.
    await bench.rule({ tool_pattern: 'Edit', action: 'allow' });
    expect(outcome(await waiting)).toBe('blocked fault');
    expect(bench.faults.length).toBeGreaterThan(1);
  });
});
