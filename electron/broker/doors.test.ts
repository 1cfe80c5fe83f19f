import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/store';
import { openTokens } from '../store/tokens';
import { createAuthenticator } from './auth';
import { type Broker, createBroker } from './broker';
import { openDoorBench, untilClosed } from './door-bench';
import { type Doors, openDoors } from './doors';
import { findOwner, loginLinkOf } from './owner';
import { createPaths } from './paths';
import { isPrivateFolder, socketPaths } from './socket-path';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-doors-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the socket', () => {
  it('is in the data folder, where its path is short enough', () => {
    expect(socketPaths(folder)[0]).toBe(join(folder, 'gatehouse.sock'));
  });

  it('is in a folder of the person where the path of the data folder is too long, another for each data folder', () => {
    const [one, other] = ['a', 'b'].map((name) => join(folder, name.repeat(100)));
    for (const path of [one, other]) mkdirSync(String(path));
    const paths = socketPaths(String(one), { XDG_RUNTIME_DIR: '/run/user/1' });
    expect(paths[0]).toMatch(/^\/run\/user\/1\/gatehouse-\d+\/[0-9a-f]{16}\.sock$/);
    expect(paths.every((path) => Buffer.byteLength(path) <= 103)).toBe(true);
    expect(socketPaths(String(other))).not.toEqual(socketPaths(String(one)));
    expect(socketPaths(String(one), { XDG_RUNTIME_DIR: `/${'x'.repeat(100)}` })[0]).not.toContain('xxx');
  });

  it('is one and the same for a data folder that has two names', () => {
    const long = join(folder, 'x'.repeat(100));
    mkdirSync(long);
    symlinkSync(long, join(folder, `y${'y'.repeat(99)}`));
    expect(socketPaths(join(folder, `y${'y'.repeat(99)}`))).toEqual(socketPaths(long));
  });

  it('lies in no folder that is a link or no folder, and others are shut out of it', () => {
    const real = join(folder, 'real');
    mkdirSync(real, { mode: 0o755 });
    chmodSync(real, 0o755);
    expect([isPrivateFolder(real), modeOf(real)]).toEqual([true, 0o700]);
    symlinkSync(real, join(folder, 'link'));
    expect(isPrivateFolder(join(folder, 'link'))).toBe(false);
    writeFileSync(join(folder, 'file'), '');
    expect(isPrivateFolder(join(folder, 'file'))).toBe(false);
  });

  // Only root can make a folder somebody else's.
  it.runIf(process.getuid?.() === 0)('lies in no folder that another person owns', () => {
    const theirs = join(folder, 'theirs');
    mkdirSync(theirs, { mode: 0o700 });
    chownSync(theirs, 1, 1);
    expect(isPrivateFolder(theirs)).toBe(false);
  });
});

describe('opening the doors', () => {
  let store: Store;
  let broker: Broker;
  let doors: Doors | null;
  const faults: unknown[] = [];
  afterEach(async () => {
    await doors?.close();
    await broker.close();
    store.close();
  });

  async function open(dataDir: string, port: number, portIsWish: boolean): Promise<Awaited<ReturnType<typeof openDoors>>> {
    ({ store } = openStore({ dataDir, now: Date.now }));
    broker = createBroker({ store, paths: createPaths({ home: folder }), now: Date.now, dataDir, version: '1.2.3' });
    const opened = await openDoors({
      broker,
      authenticator: createAuthenticator(openTokens(dataDir), Date.now),
      dataDir,
      port,
      portIsWish,
      version: '1.2.3',
      files: new Map(),
      foreignRoutes: [],
      streamRoutes: [],
      onFault: (error) => faults.push(error),
    });
    doors = opened.ok ? opened.value : null;
    return opened;
  }

  async function otherProgram(): Promise<{ readonly server: Server; readonly port: number }> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return { server, port: (server.address() as AddressInfo).port };
  }

  it('writes endpoint.json for the person alone, with an address that answers, and takes it away on a stop', async () => {
    await open(folder, 0, false);
    const path = join(folder, 'endpoint.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      url: doors?.endpoint.url,
      socket: join(folder, 'gatehouse.sock'),
      pid: process.pid,
      version: '1.2.3',
    });
    expect([modeOf(path), modeOf(join(folder, 'gatehouse.sock'))]).toEqual([0o600, 0o600]);
    expect((await fetch(`${doors?.endpoint.url}/api/health`)).status).toBe(401);
    await doors?.close();
    expect([existsSync(path), existsSync(join(folder, 'gatehouse.sock'))]).toEqual([false, false]);
    doors = null;
  });

  it('takes another port when the one it wished for is taken', async () => {
    const { server, port } = await otherProgram();
    const opened = await open(folder, port, true);
    expect(opened.ok && opened.value.endpoint.url).not.toContain(`:${port}`);
    server.close();
  });

  it('names a port that was asked for and is taken, and leaves nothing open', async () => {
    const { server, port } = await otherProgram();
    const opened = await open(folder, port, false);
    expect(opened).toMatchObject({ ok: false, failure: { code: 'unavailable', subject: 'port', message: expect.stringContaining(String(port)) } });
    expect([existsSync(join(folder, 'endpoint.json')), existsSync(join(folder, 'gatehouse.sock'))]).toEqual([false, false]);
    server.close();
  });

  it('takes over a socket that a killed server left', async () => {
    writeFileSync(join(folder, 'gatehouse.sock'), 'left over');
    await open(folder, 0, false);
    expect(doors?.endpoint.socket).toBe(join(folder, 'gatehouse.sock'));
  });

  it('puts the socket elsewhere when the data folder takes none, in a folder that is private', async () => {
    mkdirSync(join(folder, 'gatehouse.sock'));
    await open(folder, 0, false);
    const { socket } = doors?.endpoint ?? {};
    expect(socket).toMatch(/gatehouse-\d+\/[0-9a-f]{16}\.sock$/);
    expect([modeOf(String(socket)), modeOf(dirname(String(socket)))]).toEqual([0o600, 0o700]);
  });

  it('can be found by a second start, which gets a login link from it', async () => {
    await open(folder, 0, false);
    const owner = await findOwner(folder, 0);
    expect(owner).toEqual(doors?.endpoint);
    const link = owner === null ? null : await loginLinkOf(folder, owner);
    expect(link).toMatch(new RegExp(`^${doors?.endpoint.url}/login\\?code=`));
    expect((await fetch(String(link), { redirect: 'manual' })).status).toBe(303);
  });
});

describe('finding the owner of a data folder', () => {
  it('finds nobody behind an address that was left over, or is none', async () => {
    const leftOver = { url: 'http://127.0.0.1:1', socket: join(folder, 'gone.sock'), pid: 1, version: '0' };
    for (const endpoint of [leftOver, { ...leftOver, socket: null }, { ...leftOver, url: 'nonsense' }, 'nonsense', null]) {
      if (endpoint !== null) writeFileSync(join(folder, 'endpoint.json'), JSON.stringify(endpoint));
      expect(await findOwner(folder, 0)).toBeNull();
    }
  });
});

describe('closing the doors', () => {
  it('is soon over while long polls wait, and leaves their requests pending', async () => {
    const bench = await openDoorBench();
    const { id } = await bench.pending();
    const polls = Array.from({ length: 20 }, () =>
      bench.ask('GET', `/api/requests/${id}?wait_ms=60000`, { token: bench.tokens.agent }).then(
        (answer) => answer.json.status,
        (error: NodeJS.ErrnoException) => error.code,
      ),
    );
    await bench.ask('GET', '/api/health');
    const since = performance.now();
    await bench.doors.close();
    expect(performance.now() - since).toBeLessThan(1_500);
    expect(new Set(await Promise.all(polls))).toEqual(new Set(['ECONNRESET']));
    const found = await bench.broker.call('request.get', { id }, { scopes: new Set(['agent']), door: 'internal', name: 'test' });
    expect(found.ok && found.value.status).toBe('pending');
    await bench.close();
  });

  it('lets an answer that is being made go out, and answers nothing that comes after', async () => {
    let finish: () => void = () => undefined;
    const isMade = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const handle = async (): Promise<{ made: boolean }> => {
      begin();
      await isMade;
      return { made: true };
    };
    const bench = await openDoorBench({ foreignRoutes: [{ method: 'POST', path: '/hooks/slow', handle }] });
    const client = bench.events({ authorization: `Bearer ${bench.tokens.agent}` });
    await new Promise((resolve) => client.once('open', resolve));
    const late = await bench.raw();
    const heard = untilClosed(late).catch(() => '');
    const answer = bench.ask('POST', '/hooks/slow', { body: '{}' });
    await hasBegun;
    const closed = bench.doors.close();
    await new Promise((resolve) => client.once('close', resolve));
    late.write(`GET / HTTP/1.1\r\nHost: ${new URL(bench.doors.endpoint.url).host}\r\n\r\n`);
    expect(await heard).toBe('');
    finish();
    expect((await answer).json).toEqual({ made: true });
    await closed;
    await bench.close();
  });

  it('says goodbye to a WebSocket', async () => {
    const bench = await openDoorBench();
    const client = bench.events({ authorization: `Bearer ${bench.tokens.agent}` });
    await new Promise((resolve) => client.once('open', resolve));
    const code = new Promise((resolve) => client.once('close', resolve));
    await bench.doors.close();
    expect(await code).toBe(1001);
    await bench.close();
  });

  it('ends also the connections of those who say nothing', async () => {
    const bench = await openDoorBench();
    const [silent, half] = [await bench.raw(), await bench.raw()];
    half.write('POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n');
    const ended = Promise.all([silent, half].map((socket) => untilClosed(socket).catch(() => 'reset')));
    await bench.doors.close();
    await ended;
    await bench.close();
  });
});
