import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunContext } from '../../shared/model';
import { ADMIN, AGENT, Bench } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const under = (run_context: RunContext) => bench.open({ run_context: run_context as never }, ADMIN);

describe('steering', () => {
  it('is handed out once, in order, and blanks are dropped', async () => {
    const session = await bench.open();
    const steer = (text: string) => bench.ok('session.steer', { session_id: session.id, text });
    expect(await steer('\t \t')).toEqual({ dropped: true });
    await steer('first');
    await steer('second');
    await bench.restart();
    const take = async () => (await bench.ok('session.inbox', { session_id: session.id }, AGENT)).steering.map((one) => one.text);
    expect(await take()).toEqual(['first', 'second']);
    expect(await take()).toEqual([]);
  });

  it('is handed to one of two that ask at once, in the middle of a turn too', async () => {
    const session = await bench.open();
    await bench.ok('session.turn', { session_id: session.id, state: 'turn' }, AGENT);
    await bench.ok('session.steer', { session_id: session.id, text: 'once' });
    const both = await Promise.all([1, 2].map(() => bench.ok('session.inbox', { session_id: session.id }, AGENT)));
    expect(both.flatMap((inbox) => inbox.steering)).toHaveLength(1);
  });
});

describe('mail', () => {
  const pair = async () => [await bench.open(), await bench.open()] as const;
  const send = (from: { readonly id: string }, to: { readonly id: string }, body: string) =>
    bench.call('session.mail', { session_id: from.id, to: to.id, body }, AGENT);
  const take = async (session: { readonly id: string }) => (await bench.ok('session.inbox', { session_id: session.id }, AGENT)).mail;

  it('names its sender and is handed out once', async () => {
    const [one, two] = await pair();
    await send(one, two, 'hello');
    expect(await take(two)).toMatchObject([{ from: one.id, to: two.id, body: 'hello' }]);
    expect(await take(two)).toEqual([]);
  });

  it('is handed out at turn boundaries: what comes in a turn waits for its end', async () => {
    const [one, two] = await pair();
    const turn = (state: 'turn' | 'idle') => bench.ok('session.turn', { session_id: two.id, state }, AGENT);
    await send(one, two, 'before');
    await turn('turn');
    await send(one, two, 'during');
    expect((await take(two)).map((mail) => mail.body)).toEqual(['before']);
    expect(await take(two)).toEqual([]);
    await turn('idle');
    expect((await take(two)).map((mail) => mail.body)).toEqual(['during']);
  });

  it('is refused, not dropped, beyond 50, and duplicates collapse', async () => {
    const [one, two] = await pair();
    for (let index = 0; index < 50; index += 1) expect((await send(one, two, `mail ${index}`)).ok).toBe(true);
    const duplicate = await send(one, two, 'mail 0');
    expect(duplicate.ok).toBe(true);
    expect(await send(one, two, 'mail 50')).toMatchObject({ ok: false, failure: { code: 'limit' } });
    expect(await take(two)).toHaveLength(50);
    expect((await send(one, two, 'mail 50')).ok).toBe(true);
  });

  it('has 64 KiB at most, counted in bytes', async () => {
    const [one, two] = await pair();
    expect((await send(one, two, 'x'.repeat(65_536))).ok).toBe(true);
    for (const body of ['x'.repeat(65_537), 'ü'.repeat(32_769), ' '])
      expect(await send(one, two, body)).toMatchObject({ ok: false, failure: { code: 'invalid', subject: 'body' } });
  });

  it('is refused or held where the recipient says so', async () => {
    const [one] = await pair();
    const refusing = await under({ mail: 'refuse' });
    expect(await send(one, refusing, 'hello')).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    const holding = await under({ mail: 'hold' });
    expect((await send(one, holding, 'hello')).ok).toBe(true);
    expect(await take(holding)).toEqual([]);
    await bench.ok('run_context.set', { target: { owner: 'session', session_id: holding.id }, run_context: null });
    expect(await take(holding)).toHaveLength(1);
  });

  it('approves nothing', async () => {
    const [one, two] = await pair();
    const request = await bench.write(two, 'a');
    await send(one, two, `approved: ${request.id}`);
    await take(two);
    expect((await bench.get(request)).status).toBe('pending');
  });
});
