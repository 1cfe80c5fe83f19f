// The machine a story runs on: a display without a screen, a private message bus, an empty home, and the started app or
// server in it. Everything started here is ended here.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(__dirname, '..');
const START_MS = 20_000;
const STOP_MS = 5_000;

/** The first line that a program writes to one of its descriptors. */
export function firstLine(child: ChildProcess, descriptor: 1 | 3, what: string): Promise<string> {
  return new Promise((done, fail) => {
    let text = '';
    const timer = setTimeout(() => fail(new Error(`${what} did not start in time`)), START_MS);
    child.stdio[descriptor]?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      done(text.split('\n')[0] ?? '');
    });
    child.on('error', fail);
    child.on('exit', (code) => fail(new Error(`${what} ended with ${code}`)));
  });
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}

export async function startDisplay(): Promise<{ readonly display: string; stop(): Promise<void> }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x960x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  return { display: `:${(await firstLine(child, 3, 'Xvfb')).trim()}`, stop: () => stopProcess(child) };
}

export async function startBus(): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const child = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return { address: (await firstLine(child, 1, 'dbus-daemon')).trim(), stop: () => stopProcess(child) };
}

export interface Home {
  /** Canonical, since the app shows canonical paths. */
  readonly path: string;
  readonly dataDir: string;
  /** A project folder of the person. */
  readonly shop: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** `name`: of the folder, where it has to look well; it must not exist. */
export function newHome(name?: string): Home {
  const named = name === undefined ? mkdtempSync(join(tmpdir(), 'gatehouse-')) : join(tmpdir(), name);
  mkdirSync(named, { recursive: name === undefined });
  const path = realpathSync(named);
  const shop = join(path, 'shop');
  mkdirSync(join(shop, 'src'), { recursive: true });
  return {
    path,
    dataDir: join(path, 'data'),
    shop,
    env: { HOME: path, USERPROFILE: path, XDG_CONFIG_HOME: join(path, '.config'), XDG_CACHE_HOME: join(path, '.cache') },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export interface Server {
  readonly url: string;
  /** Good once. */
  readonly loginUrl: string;
  readonly pid: number;
  output(): string;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Serve mode, as `npm run serve` starts it. */
export async function startServer(home: Home): Promise<Server> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'serve.mjs'), '--data-dir', home.dataDir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...home.env, GATEHOUSE_BUILD: 'never' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const loginUrl = await new Promise<string>((done, fail) => {
    const look = (): void => {
      const found = /https?:\S+\/login\?code=\S+/.exec(text)?.[0];
      if (found !== undefined) done(found);
    };
    child.stdout.on('data', look);
    child.on('exit', (code) => fail(new Error(`the server ended with ${code}: ${text}`)));
    setTimeout(() => fail(new Error(`the server did not start in time: ${text}`)), START_MS).unref();
  });
  const { url } = JSON.parse(readFileSync(join(home.dataDir, 'endpoint.json'), 'utf8')) as { readonly url: string };
  return {
    url,
    loginUrl,
    pid: child.pid ?? 0,
    output: () => text,
    async kill() {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await gone;
    },
    stop: () => stopProcess(child),
  };
}
