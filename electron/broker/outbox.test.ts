import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, RunContext } from '../../shared/model';
import { ADMIN, AGENT, Bench, outcome } from './test-bench';
import { turns } from './test-clock';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const under = (run_context: RunContext) => bench.open({ run_context: run_context as never }, ADMIN);
const allowAll = () => bench.rule({ tool_pattern: '*', action: 'allow' });

describe('the outbox', () => {
  const mail = { to: 'team@example.com', body: 'hello' };
  const staging = () => under({ outbox: ['send_*'] });
  const items = async () => (await bench.ok('outbox.list', {})).items;

  it('stages a call once for its call id, whatever rules allow, with nobody there too', async () => {
    await allowAll();
    const session = await bench.open({ headless: true, run_context: { outbox: ['send_*'] } }, ADMIN);
    for (let round = 0; round < 2; round += 1) {
      const request = await bench.submit(session, 'send_mail', mail, { call_id: 'k' });
      expect(outcome(request)).toBe('staged outbox');
      expect(request.decision?.message).toMatch(/not sent/);
    }
    expect(await items()).toMatchObject([{ tool: 'send_mail', input: mail, state: 'waiting', session_id: session.id }]);
  });

  it('hands a release to the agent as one call and a message', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const [item] = await items();
    const released = await bench.ok('outbox.release', { id: item?.id ?? '' });
    expect(released.state).toBe('released');
    const inbox = await bench.ok('session.inbox', { session_id: session.id }, AGENT);
    expect(inbox.steering[0]?.text).toContain('send_mail');
    expect(outcome(await bench.submit(session, 'send_mail', { ...mail, body: 'other' }))).toBe('staged outbox');
    const sent = await bench.submit(session, 'send_mail', mail, { call_id: 'sent' });
    expect(outcome(sent)).toBe('allowed outbox');
    expect(outcome(await bench.submit(session, 'send_mail', mail, { call_id: 'sent' }))).toBe('allowed outbox');
    expect(outcome(await bench.submit(session, 'send_mail', mail))).toBe('staged outbox');
  });

  it('gives the one call to one of several that arrive together, also after a restart', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const [item] = await items();
    await bench.ok('outbox.release', { id: item?.id ?? '' });
    await bench.restart();
    const sent = await Promise.all(Array.from({ length: 10 }, () => bench.submit(session, 'send_mail', mail)));
    expect(sent.filter((request) => request.status === 'allowed')).toHaveLength(1);
    expect(sent.filter((request) => request.status === 'staged')).toHaveLength(9);
  });

  it('releases once when two people release, and not what was rejected', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const [first] = await items();
    const both = await Promise.all([1, 2].map(() => bench.call('outbox.release', { id: first?.id ?? '' })));
    expect(both.filter((result) => result.ok)).toHaveLength(1);
    await bench.submit(session, 'send_chat', mail);
    const [second] = await items();
    expect(await bench.ok('outbox.reject', { id: second?.id ?? '', note: 'not now' })).toMatchObject({ state: 'rejected', note: 'not now' });
    expect(await bench.fails('outbox.release', { id: second?.id ?? '' })).toMatchObject({ code: 'settled', subject: { status: 'rejected' } });
    expect((await bench.ok('session.inbox', { session_id: session.id }, AGENT)).steering.map((one) => one.text).join()).toContain('not now');
    expect(outcome(await bench.submit(session, 'send_chat', mail))).toBe('staged outbox');
  });

  it('keeps the original beside the edit, sends the edit, and takes no edit once it is over', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const id = (await items())[0]?.id ?? '';
    const edited = { ...mail, body: 'better' };
    expect(await bench.ok('outbox.edit', { id, input: edited })).toMatchObject({ input: mail, edited_input: edited });
    await bench.ok('outbox.release', { id });
    expect((await bench.fails('outbox.edit', { id, input: mail })).code).toBe('settled');
    expect(outcome(await bench.submit(session, 'send_mail', mail))).toBe('staged outbox');
    expect(outcome(await bench.submit(session, 'send_mail', edited))).toBe('allowed outbox');
  });

  it('judges again at release: what is denied by now, by a rule or a hook, stays where it is', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const id = (await items())[0]?.id ?? '';
    const rule = await bench.rule({ tool_pattern: 'send_*', action: 'deny' });
    expect(await bench.fails('outbox.release', { id })).toMatchObject({ code: 'conflict', subject: { cause: 'rule' } });
    await bench.ok('rule.delete', { id: rule.id });
    const target = { owner: 'session' as const, session_id: session.id };
    await bench.ok('run_context.set', { target, run_context: { outbox: ['send_*'], hooks: [{ event: 'pre_tool', command: 'exit 2' }] } });
    expect(await bench.fails('outbox.release', { id })).toMatchObject({ code: 'conflict', subject: { cause: 'hook' } });
    await bench.ok('run_context.set', { target, run_context: { outbox: ['send_*'] } });
    await bench.ok('outbox.release', { id });
  });

  it('does not release what was edited while it was judged: nobody has judged the edit', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const id = (await items())[0]?.id ?? '';
    const hook = `while [ ! -e ${bench.path('go')} ]; do sleep 0.02; done`;
    const target = { owner: 'session' as const, session_id: session.id };
    await bench.ok('run_context.set', { target, run_context: { outbox: ['send_*'], hooks: [{ event: 'pre_tool', command: hook }] } });
    const release = bench.call('outbox.release', { id });
    await turns();
    await bench.ok('outbox.edit', { id, input: { ...mail, body: 'edited meanwhile' } });
    bench.file('go');
    expect(await release).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    expect((await items())[0]?.state).toBe('waiting');
  });

  it('does not deny a released call less than any other: a floor still holds for it', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    await bench.ok('outbox.release', { id: (await items())[0]?.id ?? '' });
    await bench.rule({ tool_pattern: 'send_*', action: 'deny', hard: true });
    expect(outcome(await bench.submit(session, 'send_mail', mail))).toBe('denied floor');
  });

  it('is not released for a session that has ended', async () => {
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    expect((await bench.fails('outbox.release', { id: (await items())[0]?.id ?? '' })).code).toBe('conflict');
  });

  it('runs the call itself where it is the executor, once, and keeps what came of it', async () => {
    await bench.close();
    const runs: JsonObject[] = [];
    bench = new Bench({
      executorOf: () => async (input) => {
        runs.push(input);
        if (input.body === 'bad') throw new Error('refused by the server');
        return { message_id: 7 };
      },
    });
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const id = (await items())[0]?.id ?? '';
    const both = await Promise.all([1, 2, 3].map(() => bench.call('outbox.release', { id })));
    expect(both.filter((result) => result.ok)).toHaveLength(1);
    expect(runs).toEqual([mail]);
    expect((await items())[0]).toMatchObject({ state: 'released', result: { state: 'done', output: { message_id: 7 } } });
    // The run was the call: no second one is granted.
    expect(outcome(await bench.submit(session, 'send_mail', mail))).toBe('staged outbox');
    await bench.submit(session, 'send_mail', { ...mail, body: 'bad' });
    expect(await bench.ok('outbox.release', { id: (await items())[0]?.id ?? '' })).toMatchObject({
      result: { state: 'failed', error: 'refused by the server' },
    });
  });

  it('does not run again what a crash cut off', async () => {
    await bench.close();
    let runs = 0;
    bench = new Bench({
      executorOf: () => () => {
        runs += 1;
        return new Promise(() => undefined);
      },
    });
    const session = await staging();
    await bench.submit(session, 'send_mail', mail);
    const id = (await items())[0]?.id ?? '';
    void bench.call('outbox.release', { id });
    await turns(10);
    await bench.restart();
    expect((await items())[0]).toMatchObject({ state: 'released', result: { state: 'interrupted' } });
    expect((await bench.fails('outbox.release', { id })).code).toBe('settled');
    expect(outcome(await bench.submit(session, 'send_mail', mail))).toBe('staged outbox');
    expect(runs).toBe(1);
  });
});
