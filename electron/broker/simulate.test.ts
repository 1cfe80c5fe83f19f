import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, AGENT, Bench } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('simulating', () => {
  it('stores nothing, spends nothing and runs no hook', async () => {
    const mark = bench.path('hook-ran');
    const session = await bench.open(
      { run_context: { budget: { max_tool_calls: 1 }, hooks: [{ event: 'pre_tool', command: `touch ${mark}` }] } },
      ADMIN,
    );
    const calls = [1, 2, 3].map(() => ({ tool: 'Write', input: { file_path: 'a' } }));
    const { items } = await bench.ok('simulate', { session: session.id, calls, draft_rules: [{ tool_pattern: 'Write', action: 'allow' }] });
    expect(items.map((item) => item.verdict)).toEqual(['allow', 'allow', 'allow']);
    expect(items[0]?.trace.find((step) => step.step === 8)?.outcome).toBe('skipped');
    expect((await bench.ok('request.list', {})).items).toEqual([]);
    expect((await bench.ok('rule.list', {})).items).toEqual([]);
    const { existsSync } = await import('node:fs');
    expect(existsSync(mark)).toBe(false);
  });

  it('takes a session that is only described', async () => {
    const { items } = await bench.ok('simulate', {
      context: { agent: 'codex', cwd: bench.app, mode: 'guarded' },
      calls: [
        { tool: 'Write', input: { file_path: 'a' } },
        { tool: 'Write', input: { file_path: `${bench.ext}/a` } },
      ],
    });
    expect(items.map((item) => item.verdict)).toEqual(['allow', 'deny']);
  });

  it('of an unknown session is not found, and an agent may not', async () => {
    const calls = [{ tool: 'Read', input: {} }];
    expect((await bench.fails('simulate', { session: 'nope', calls })).code).toBe('not_found');
    expect((await bench.fails('simulate', { calls }, AGENT)).code).toBe('forbidden');
  });
});

describe('replaying', () => {
  it('lists the past calls that draft rules would decide differently, also of ended and used-up runs', async () => {
    const session = await bench.open({ run_context: { budget: { max_tool_calls: 3 } } }, ADMIN);
    const write = await bench.write(session, 'a');
    await bench.bash(session, 'ls');
    await bench.ok('session.end', { session_id: session.id }, AGENT);
    const added = await bench.ok('replay', { draft_rules: [{ tool_pattern: 'Write', action: 'allow' }] });
    expect(added).toMatchObject({ compared: 2, items: [{ request_id: write.id, before: 'require', after: 'allow' }] });
    await bench.rule({ tool_pattern: 'Bash', action: 'deny' });
    const instead = await bench.ok('replay', { draft_rules: [], group_id: 'default' });
    expect(instead.items.map((item) => [item.tool, item.before, item.after])).toEqual([['Bash', 'deny', 'require']]);
  });
});
