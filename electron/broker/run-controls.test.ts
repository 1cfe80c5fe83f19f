import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunContext } from '../../shared/model';
import { ADMIN, AGENT, Bench, outcome } from './test-bench';
import { turns } from './test-clock';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const under = (run_context: RunContext) => bench.open({ run_context: run_context as never }, ADMIN);
const allowAll = () => bench.rule({ tool_pattern: '*', action: 'allow' });

describe('the budget', () => {
  it.each([
    ['max_turns', { turns: 3 }, 3],
    ['max_output_tokens', { output_tokens: 1_000 }, 1_000],
    ['max_cost_usd', { cost_usd: 0.5 }, 0.5],
  ] as const)('of %s is used up by what the agent reports, and the message names it', async (ceiling, used, limit) => {
    await allowAll();
    const session = await under({ budget: { [ceiling]: limit } });
    expect(outcome(await bench.write(session, 'a'))).toBe('allowed rule');
    const { usage } = await bench.ok('session.usage', { session_id: session.id, ...used }, AGENT);
    expect(usage).toMatchObject({ tool_calls: 1, ...used });
    const denied = await bench.write(session, 'b');
    expect(outcome(denied)).toBe('denied budget');
    expect(denied.decision?.message).toContain(ceiling);
  });

  it('of calls is counted here, and a used-up one counts no further', async () => {
    await allowAll();
    const session = await under({ budget: { max_tool_calls: 1 } });
    await bench.write(session, 'a');
    for (let round = 0; round < 3; round += 1) expect(outcome(await bench.write(session, 'b'))).toBe('denied budget');
    expect((await bench.ok('session.get', { session_id: session.id })).usage.tool_calls).toBe(1);
  });

  it('is kept through a restart', async () => {
    await allowAll();
    const session = await under({ budget: { max_tool_calls: 1 } });
    await bench.write(session, 'a');
    await bench.restart();
    expect(outcome(await bench.write(session, 'b'))).toBe('denied budget');
  });

  it('does not stand in the way of the call that used it up while that waits', async () => {
    const session = await under({ budget: { max_tool_calls: 1 } });
    const request = await bench.write(session, 'a');
    await bench.rule({ tool_pattern: 'Edit', action: 'allow' });
    expect((await bench.get(request)).status).toBe('pending');
    expect(outcome(await bench.approve(request))).toBe('allowed human');
  });
});

describe('cancelling', () => {
  it('settles what waits as blocked, denies what comes, and stays', async () => {
    const session = await bench.open();
    const waiting = bench.write(session, 'a', { wait_ms: 600_000 });
    await turns();
    await bench.ok('session.cancel', { session_id: session.id });
    const request = await waiting;
    expect(outcome(request)).toBe('blocked cancelled');
    expect(request.decision?.message).not.toMatch(/denied/i);
    await bench.ok('session.turn', { session_id: session.id, state: 'turn' }, AGENT);
    await bench.restart();
    expect(outcome(await bench.write(session, 'b'))).toBe('denied cancelled');
    expect((await bench.fails('request.resolve', { id: request.id, digest: request.digest, action: 'approve' })).code).toBe('settled');
  });

  it('leaves other sessions alone', async () => {
    await allowAll();
    const [one, two] = [await bench.open(), await bench.open()];
    await bench.ok('session.cancel', { session_id: one.id });
    expect(outcome(await bench.write(two, 'a'))).toBe('allowed rule');
  });

  it('of a run whose hook is still thinking denies the call', async () => {
    const go = bench.path('go');
    const session = await under({ hooks: [{ event: 'pre_tool', command: `while [ ! -e ${go} ]; do sleep 0.02; done` }] });
    const call = bench.write(session, 'a');
    await turns();
    await bench.ok('session.cancel', { session_id: session.id });
    bench.file('go');
    expect(outcome(await call)).toBe('denied cancelled');
  });
});
