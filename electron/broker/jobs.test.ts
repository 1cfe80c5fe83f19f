import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN, AGENT, Bench, operator } from './test-bench';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const create = (more: object = {}) => bench.ok('job.create', { cron: '0 9 * * *', time_zone: 'UTC', command: 'true', cwd: bench.app, ...more });
const last = async () => (await bench.ok('job.list', {})).items[0]?.last_run ?? null;
const ended = () => vi.waitFor(async () => expect((await last())?.outcome).not.toBe('running'), { timeout: 10_000, interval: 10 });
const appears = (path: string) => vi.waitFor(() => expect(existsSync(path)).toBe(true), { timeout: 10_000, interval: 10 });
const HOUR = 3_600_000;

describe('a scheduled job', () => {
  it('runs when it is due, as a session of source cron, and keeps the end of its output', async () => {
    const job = await create({ name: 'nightly', command: 'pwd; echo to the log >&2', run_context: { withheld: ['Bash'] } });
    expect(job.next_run_at).toBe('2026-12-01T09:00:00.000Z');
    await bench.clock.advance(HOUR);
    await ended();
    const run = await last();
    expect(run).toMatchObject({ outcome: 'succeeded', exit_code: 0 });
    expect(run?.output).toContain(realpathSync(bench.app));
    expect(run?.output).toContain('to the log');
    const session = await bench.ok('session.get', { session_id: run?.session_id ?? '' });
    expect(session).toMatchObject({ source: 'cron', title: 'nightly', headless: true, state: 'ended', run_context: { withheld: ['Bash'] } });
    expect((await bench.ok('job.list', {})).items[0]?.next_run_at).toBe('2026-12-02T09:00:00.000Z');
  });

  it('is due by the time of its zone', async () => {
    expect((await create({ time_zone: 'Europe/Berlin' })).next_run_at).toBe('2026-12-02T08:00:00.000Z');
    expect((await create({ time_zone: 'Asia/Tokyo', cron: '30 17 * * *' })).next_run_at).toBe('2026-12-01T08:30:00.000Z');
  });

  it('finds its session and the gate in its environment, and none of our tokens', async () => {
    await bench.close();
    bench = new Bench({ env: { PATH: process.env.PATH, GATEHOUSE_TOKEN: 'secret' }, endpoint: () => ({ url: 'http://localhost:1', socket: null }) });
    const job = await create({ command: 'env' });
    const run = await bench.ok('job.run', { id: job.id });
    await ended();
    const output = (await last())?.output ?? '';
    expect(output).toContain(`GATEHOUSE_SESSION_ID=${run.session_id}`);
    expect(output).toContain(`GATEHOUSE_DATA_DIR=${bench.dataDir}`);
    expect(output).toContain('GATEHOUSE_URL=http://localhost:1');
    expect(output).not.toContain('secret');
  });

  it('that fails says so', async () => {
    const job = await create({ command: 'echo no; exit 3' });
    await bench.ok('job.run', { id: job.id });
    await ended();
    expect(await last()).toMatchObject({ outcome: 'failed', exit_code: 3, output: 'no\n' });
  });

  it('that runs is not started a second time, and is stopped with everything it started', async () => {
    const [began, late] = [bench.path('began'), bench.path('late')];
    const job = await create({ command: `(sleep 30; touch ${late}) & touch ${began}; sleep 30` });
    await bench.ok('job.run', { id: job.id });
    await appears(began);
    expect((await bench.fails('job.run', { id: job.id })).code).toBe('conflict');
    expect(await bench.ok('job.kill', { id: job.id })).toMatchObject({ outcome: 'killed' });
    expect((await bench.fails('job.kill', { id: job.id })).code).toBe('conflict');
  });

  it('is stopped when its run is cancelled', async () => {
    const began = bench.path('began');
    const job = await create({ command: `touch ${began}; sleep 30` });
    const run = await bench.ok('job.run', { id: job.id });
    await appears(began);
    await bench.ok('session.cancel', { session_id: run.session_id });
    await ended();
    expect((await last())?.outcome).toBe('killed');
  });

  it('goes with its runs when it is deleted', async () => {
    const job = await create();
    await bench.ok('job.run', { id: job.id });
    await ended();
    await bench.ok('job.delete', { id: job.id });
    expect((await bench.ok('job.list', {})).items).toEqual([]);
    expect((await bench.fails('job.runs', { id: job.id })).code).toBe('not_found');
    await bench.clock.advance(2 * HOUR);
    expect((await bench.ok('session.list', {})).items).toHaveLength(1);
  });

  it('that is switched off does not run', async () => {
    const job = await create();
    expect((await bench.ok('job.update', { id: job.id, enabled: false })).next_run_at).toBeNull();
    await bench.clock.advance(2 * HOUR);
    expect(await last()).toBeNull();
    expect((await bench.ok('job.update', { id: job.id, enabled: true, cron: '0 12 * * *' })).next_run_at).toBe('2026-12-01T12:00:00.000Z');
  });
});

describe('a run that was missed', () => {
  it('while Gatehouse was off is skipped, or made up for once', async () => {
    const mark = bench.path('made-up-for');
    const skipped = await create({ name: 'skips' });
    await create({ name: 'makes up', missed_run: 'once', command: `echo run >> ${mark}` });
    await bench.restart(50 * HOUR);
    await appears(mark);
    expect(readFileSync(mark, 'utf8')).toBe('run\n');
    expect((await bench.ok('job.runs', { id: skipped.id })).items).toEqual([]);
    expect((await bench.ok('activity.list', { type: 'job.missed' })).items).toHaveLength(1);
  });

  it('while the machine slept follows the same policy', async () => {
    await create();
    bench.clock.jump(5 * HOUR);
    await bench.clock.advance(0);
    expect(await last()).toBeNull();
    expect((await bench.ok('job.list', {})).items[0]?.next_run_at).toBe('2026-12-02T09:00:00.000Z');
  });
});

describe('a run that was cut off', () => {
  it('by the end of Gatehouse is interrupted, and its session has ended', async () => {
    const began = bench.path('began');
    const job = await create({ command: `touch ${began}; sleep 30` });
    const run = await bench.ok('job.run', { id: job.id });
    await appears(began);
    await bench.restart();
    expect(await last()).toMatchObject({ outcome: 'interrupted' });
    expect((await bench.ok('session.get', { session_id: run.session_id })).state).toBe('ended');
  });
});

describe('what makes no job', () => {
  it.each([
    ['cron', { cron: 'every day' }],
    ['time_zone', { time_zone: 'Mars/Base' }],
    ['cwd', { cwd: 'app' }],
    ['project_id', { project: 'nope' }],
    ['run_context.security_group', { run_context: { security_group: 'nope' } }],
  ])('a wrong %s is refused when it is saved', async (subject, more) => {
    const failure = await bench.fails('job.create', { cron: '0 9 * * *', command: 'true', cwd: bench.app, ...more });
    expect(failure).toMatchObject({ code: 'invalid', subject });
  });

  it('mode full needs the admin, and an agent makes none', async () => {
    const draft = { cron: '0 9 * * *', command: 'true', cwd: bench.app, run_context: { permission_mode: 'full' as const } };
    expect((await bench.fails('job.create', draft, operator('operator.write'))).code).toBe('forbidden');
    expect((await bench.fails('job.create', draft, AGENT)).code).toBe('forbidden');
    await bench.ok('job.create', draft, ADMIN);
  });
});
