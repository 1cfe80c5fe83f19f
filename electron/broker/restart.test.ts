import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Request } from '../../shared/model';
import { ADMIN, AGENT, Bench, outcome } from './test-bench';
import { turns } from './test-clock';
import { GRACE_MS } from './waiting';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

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
