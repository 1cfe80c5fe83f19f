import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
/** Real processes end in their own time. */
const appears = (path: string) => vi.waitFor(() => expect(existsSync(path)).toBe(true), { timeout: 10_000, interval: 10 });

describe('pre_tool hooks', () => {
  const hooked = (...commands: readonly string[]) => under({ hooks: commands.map((command) => ({ event: 'pre_tool' as const, command })) });

  it.each([
    ['exit 0 goes on', 'echo fine', 'allowed rule', ''],
    ['exit 2 denies with its output', 'echo not today; exit 2', 'denied hook', 'not today'],
    ['exit 2 without output denies', 'exit 2', 'denied hook', ''],
    ['exit 3 asks', 'echo look; exit 3', 'pending', ''],
    ['exit 1 denies', 'exit 1', 'denied hook', 'exit code 1'],
    ['a signal denies', 'kill -9 $$', 'denied hook', 'SIGKILL'],
    ['a program that is not there denies', '/no/such/program', 'denied hook', 'exit code 127'],
    ['a file that cannot be run denies', 'PLAIN', 'denied hook', 'exit code 126'],
  ])('%s', async (_, command, expected, message) => {
    await allowAll();
    const plain = bench.file('plain.sh', 'exit 0\n');
    const request = await bench.write(await hooked(command.replace('PLAIN', plain)), 'a');
    expect(outcome(request)).toBe(expected);
    expect(request.decision?.message ?? '').toContain(message);
  });

  it('are ended with everything they started when they take too long', async () => {
    await allowAll();
    const alive = bench.path('alive');
    const session = await under({
      hooks: [{ event: 'pre_tool', command: `(sleep 30; touch ${alive}) & touch ${bench.path('began')}; sleep 30`, timeout_s: 2 }],
    });
    const call = bench.write(session, 'a');
    await appears(bench.path('began'));
    await bench.clock.advance(2_000);
    const request = await call;
    expect([outcome(request), request.decision?.message.includes('2 s')]).toEqual(['denied hook', true]);
  });

  it('run in order, and the first denial is the one that is told', async () => {
    await allowAll();
    const request = await bench.write(await hooked('exit 0', 'echo second; exit 2', `touch ${bench.path('third')}; exit 2`), 'a');
    expect(request.decision?.message).toContain('second');
    expect(existsSync(bench.path('third'))).toBe(false);
  });

  it('may deny after one of them asked', async () => {
    await allowAll();
    expect(outcome(await bench.write(await hooked('exit 3', 'exit 2'), 'a'))).toBe('denied hook');
  });

  it('read event, tool, input, cwd and session, and may leave a large input unread', async () => {
    await allowAll();
    const payload = bench.path('payload.json');
    const session = await hooked(`cat > ${payload}`, 'exit 0');
    expect(outcome(await bench.submit(session, 'publish', { text: 'x'.repeat(300_000) }))).toBe('allowed rule');
    expect(JSON.parse(readFileSync(payload, 'utf8'))).toMatchObject({
      event: 'pre_tool',
      tool: 'publish',
      input: { text: expect.any(String) },
      cwd: bench.app,
      session: { id: session.id, agent: 'claude-code' },
    });
  });

  it('have none of our tokens in their environment', async () => {
    await bench.close();
    bench = new Bench({ env: { PATH: process.env.PATH, GATEHOUSE_TOKEN: 'secret', ELECTRON_RUN_AS_NODE: '1', KEPT: 'yes' } });
    await allowAll();
    const seen = bench.path('env');
    await bench.write(await hooked(`env > ${seen}`), 'a');
    const text = readFileSync(seen, 'utf8');
    expect(text).toContain('KEPT=yes');
    expect(text).not.toMatch(/GATEHOUSE_|ELECTRON_/);
  });

  it('are told 4,000 characters of output at most', async () => {
    await allowAll();
    const request = await bench.write(await hooked('head -c 20000 /dev/zero | tr "\\0" y; exit 2'), 'a');
    expect(request.decision?.message.match(/y{1000,}/)?.[0].length).toBe(4_000);
  });

  it('run for the tools they are for', async () => {
    await allowAll();
    const session = await under({ hooks: [{ event: 'pre_tool', command: 'exit 2', tools: ['Write', '@exec'] }] });
    expect(outcome(await bench.write(session, 'a'))).toBe('denied hook');
    expect(outcome(await bench.bash(session, 'ls'))).toBe('denied hook');
    expect(outcome(await bench.submit(session, 'Edit', { file_path: 'a', old_string: 'a', new_string: 'b' }))).toBe('allowed rule');
  });

  it('do not run for what is denied without them', async () => {
    const mark = bench.path('mark');
    const session = await hooked(`touch ${mark}`);
    await bench.rule({ tool_pattern: 'Write', action: 'deny' });
    expect(outcome(await bench.write(session, 'a'))).toBe('denied rule');
    expect(existsSync(mark)).toBe(false);
  });

  it('that came while another one ran are heard as well', async () => {
    await allowAll();
    const go = bench.path('go');
    const session = await hooked(`while [ ! -e ${go} ]; do sleep 0.02; done`);
    const call = bench.write(session, 'a');
    await turns();
    await bench.ok('run_context.set', {
      target: { owner: 'session', session_id: session.id },
      run_context: { hooks: [{ event: 'pre_tool', command: 'exit 2' }] },
    });
    bench.file('go');
    expect(outcome(await call)).toBe('denied hook');
  });
});

describe('hooks that observe', () => {
  it('hear of a call that has run, and change nothing', async () => {
    await allowAll();
    const heard = bench.path('heard.json');
    const session = await under({ hooks: [{ event: 'post_tool', command: `cat > ${heard}.part && mv ${heard}.part ${heard}; exit 2` }] });
    const request = await bench.write(session, 'a', { call_id: 'k' });
    expect(existsSync(heard)).toBe(false);
    const reported = await bench.ok('request.report', { session_id: session.id, call_id: 'k', output: 'done' }, AGENT);
    expect([reported.id, outcome(reported)]).toEqual([request.id, 'allowed rule']);
    await appears(heard);
    expect(JSON.parse(readFileSync(heard, 'utf8'))).toMatchObject({ event: 'post_tool', tool: 'Write', result: { output: 'done', failed: false } });
  });

  it('do not hear of a call that was not allowed', async () => {
    const session = await bench.open();
    await bench.write(session, 'a', { call_id: 'k' });
    expect((await bench.fails('request.report', { session_id: session.id, call_id: 'k' }, AGENT)).code).toBe('conflict');
    expect((await bench.fails('request.report', { session_id: session.id, call_id: 'nope' }, AGENT)).code).toBe('not_found');
  });

  it('hear of the end of the session, once', async () => {
    const ends = bench.path('ends');
    const session = await under({ hooks: [{ event: 'session_end', command: `echo end >> ${ends}` }] });
    for (let round = 0; round < 2; round += 1) await bench.ok('session.end', { session_id: session.id }, AGENT);
    await appears(ends);
    expect(readFileSync(ends, 'utf8')).toBe('end\n');
  });
});
