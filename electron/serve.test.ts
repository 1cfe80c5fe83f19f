import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from './store/bundle-for-test';
import { claimDataDir } from './store/claim';

let program: string;
let folder: string;
let dataDir: string;
let started: Run[] = [];

beforeAll(async () => {
  program = await bundle('serve', __dirname);
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-serve-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const run of started) run.child.kill('SIGKILL');
  await Promise.all(started.map((run) => run.ended));
  started = [];
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

interface Run {
  readonly child: ChildProcess;
  /** Exit code, or the signal. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  out(): string;
  err(): string;
  /** When its standard output has this. Fails when it ends before. */
  says(text: RegExp): Promise<string>;
}

function serve(args: readonly string[] = ['--data-dir', dataDir, '--port', '0'], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env },
  });
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  const run: Run = {
    child,
    ended,
    out: () => out,
    err: () => err,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = text.exec(out);
          if (found !== null) resolve(found[1] ?? found[0]);
        };
        child.stdout.on('data', look);
        void ended.then((code) => reject(new Error(`ended with ${code}: ${out}${err}`)));
        look();
      }),
  };
  started.push(run);
  return run;
}

const LISTENS = /Gatehouse listens at (\S+)\n/;
const LINK = /(http:\S+\/login\?code=\S+)\n/;
const endpoint = () => JSON.parse(readFileSync(join(dataDir, 'endpoint.json'), 'utf8')) as { readonly url: string; readonly pid: number };

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${readFileSync(join(dataDir, 'operator.token'), 'utf8').trim()}` };
  const answer = await fetch(`${endpoint().url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return (await answer.json()) as Record<string, unknown>;
}

async function pending(): Promise<string> {
  const session = await ask('POST', '/api/sessions', { agent: 'test', source: 'api', cwd: folder });
  return String((await ask('POST', `/api/sessions/${session.id}/requests`, { call_id: 'k', tool: 'unknown_tool', input: {} })).id);
}

describe('a start', () => {
  it('says where it listens and how to get in, once it answers', async () => {
    const run = serve();
    const url = await run.says(LISTENS);
    expect(endpoint()).toMatchObject({ url, pid: run.child.pid, version: '0.0.0-test' });
    expect((await ask('GET', '/api/health')).version).toBe('0.0.0-test');
    const link = await run.says(LINK);
    expect([(await fetch(link, { redirect: 'manual' })).status, (await fetch(link, { redirect: 'manual' })).status]).toEqual([303, 401]);
    expect(run.err()).toBe('');
  });

  it('opens the link in a browser when it is told to', async () => {
    const [bin, opened] = [join(folder, 'bin'), join(folder, 'opened')];
    mkdirSync(bin);
    const script = `#!/bin/sh\nprintf '%s\\n' "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`;
    for (const name of ['xdg-open', 'open']) writeFileSync(join(bin, name), script, { mode: 0o755 });
    const run = serve(['--data-dir', dataDir, '--port', '0', '--open'], { PATH: `${bin}${delimiter}${process.env.PATH}` });
    const link = await run.says(LINK);
    await expect.poll(() => existsSync(opened)).toBe(true);
    expect(readFileSync(opened, 'utf8').trim()).toBe(link);
  });

  it.each([
    ['a port that is no number', ['--port', 'http']],
    ['a port that there is not', ['--port', '65536']],
    ['an option that there is not', ['--colour', 'red']],
    ['no folder', ['--data-dir', '']],
  ])('with %s says how to start, and ends with 2', async (_what, args) => {
    const run = serve(args);
    expect([await run.ended, run.out()]).toEqual([2, '']);
    expect(run.err()).toContain('Usage: npm run serve');
  });

  it('on a folder that cannot be used says so in one line, and ends with 1', async () => {
    writeFileSync(join(folder, 'file'), '');
    const run = serve(['--data-dir', join(folder, 'file', 'data'), '--port', '0']);
    expect(await run.ended).toBe(1);
    expect(run.err()).toContain(join(folder, 'file', 'data'));
    expect(run.err().trim().split('\n')).toHaveLength(1);
  });

  it('on a port that is taken names it, and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const run = serve(['--data-dir', dataDir, '--port', port]);
    expect(await run.ended).toBe(1);
    expect(run.err()).toContain(`Port ${port} cannot be used`);
    expect(run.err().trim().split('\n')).toHaveLength(1);
    other.close();
  });

  it('goes on when nobody reads what it says any more', async () => {
    const run = serve();
    await run.says(LINK);
    run.child.stdout?.destroy();
    run.child.stderr?.destroy();
    const second = serve();
    expect(await second.ended).toBe(0);
    expect((await ask('GET', '/api/health')).version).toBe('0.0.0-test');
  });
});

describe('a second start on one data folder', () => {
  it('leads to the first with a new login link, and ends with 0', async () => {
    const first = serve();
    const url = await first.says(LISTENS);
    const second = serve();
    expect(await second.ended).toBe(0);
    expect(second.out()).toContain(`Gatehouse is running on this data folder already: ${url}\n`);
    const link = LINK.exec(second.out())?.[1] ?? '';
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    expect(endpoint().pid).toBe(first.child.pid);
  });

  it('at the same time: one wins, and the others lead to it', async () => {
    const runs = Array.from({ length: 4 }, () => serve());
    await Promise.race(runs.map((run) => run.says(LISTENS)));
    const winner = runs.find((run) => run.child.pid === endpoint().pid);
    const others = runs.filter((run) => run !== winner);
    expect(await Promise.all(others.map((run) => run.ended))).toEqual([0, 0, 0]);
    for (const run of others) expect(run.out()).toContain(`already: ${endpoint().url}\n`);
    expect(winner?.child.exitCode).toBeNull();
  });

  it('takes over at once from one that was killed, with what waits', async () => {
    const first = serve();
    await first.says(LISTENS);
    const id = await pending();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = serve();
    await second.says(LISTENS);
    expect(endpoint().pid).toBe(second.child.pid);
    expect((await ask('GET', `/api/requests/${id}`)).status).toBe('pending');
  });

  it('says so when the owner does not answer, and ends with 1', async () => {
    const owner = claimDataDir(dataDir);
    const run = serve();
    expect(await run.ended).toBe(1);
    expect(run.err()).toContain('does not answer');
    owner?.release();
  });
});

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s is clean and soon over while agents wait', async (signal) => {
    const run = serve();
    await run.says(LISTENS);
    const id = await pending();
    const polls = Array.from({ length: 20 }, () => ask('GET', `/api/requests/${id}?wait_ms=60000`).catch(() => 'cut'));
    await ask('GET', '/api/health');
    const since = performance.now();
    run.child.kill(signal);
    expect([await run.ended, run.err()]).toEqual([0, '']);
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(new Set(await Promise.all(polls))).toEqual(new Set(['cut']));
    expect([run.err(), existsSync(join(dataDir, 'endpoint.json'))]).toEqual(['', false]);
    const again = serve();
    await again.says(LISTENS);
    expect((await ask('GET', `/api/requests/${id}`)).status).toBe('pending');
  });
});
