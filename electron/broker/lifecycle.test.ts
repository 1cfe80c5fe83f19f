import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
