import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { COMMANDS } from '../../shared/commands';
import { openStore, type Store } from '../store/store';
import { openTokens } from '../store/tokens';
import { type Authenticator, createAuthenticator } from './auth';
import { type Broker, createBroker } from './broker';
import { type Doors, openDoors } from './doors';
import { activityStream } from './exports';
import { createPaths } from './paths';
import { ROUTES } from './routes';
import { loadStatic } from './static';

let folder: string;
let store: Store;
let broker: Broker;
let doors: Doors;
let authenticator: Authenticator;
let tokens: { readonly operator: string; readonly agent: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-http-'));
  const [dataDir, home, renderer] = ['data', 'home', 'renderer'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(join(folder, 'work'));
  mkdirSync(home);
  mkdirSync(join(renderer, 'assets'), { recursive: true });
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(folder, 'outside.txt'), 'content of another file');
  ({ store } = openStore({ dataDir, now: Date.now }));
  tokens = openTokens(dataDir);
  broker = createBroker({ store, paths: createPaths({ home }), now: Date.now, dataDir, version: '0' });
  authenticator = createAuthenticator(tokens, Date.now);
  const opened = await openDoors({
    broker,
    authenticator,
    dataDir,
    port: 0,
    portIsWish: false,
    version: '0',
    files: loadStatic(renderer),
    foreignRoutes: [],
    streamRoutes: [activityStream(store)],
    onFault: (error) => {
      throw error;
    },
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  doors = opened.value;
});
afterAll(async () => {
  await doors.close();
  await broker.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly json: { readonly error?: { readonly code: string; readonly subject?: unknown }; readonly [key: string]: unknown };
  readonly text: string;
}

function ask(
  method: string,
  path: string,
  options: { body?: string | Buffer; headers?: Record<string, string>; token?: string | null; overSocket?: boolean } = {},
): Promise<Answer> {
  const { hostname, port, host } = new URL(doors.endpoint.url);
  const token = options.token === undefined ? tokens.operator : options.token;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...(options.overSocket ? { socketPath: doors.endpoint.socket ?? '' } : { hostname, port }),
        method,
        path,
        headers: { host, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...options.headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          let json = {};
          try {
            json = JSON.parse(text);
          } catch {
            // not every answer is JSON
          }
          resolve({ status: response.statusCode ?? 0, headers: response.headers, json, text });
        });
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

const post = (path: string, body: unknown, token?: string) =>
  ask('POST', path, { body: JSON.stringify(body), ...(token === undefined ? {} : { token }) });
const openSession = async () =>
  (await post('/api/sessions', { agent: 'test', source: 'api', cwd: join(folder, 'work') }, tokens.agent)).json.id as string;

describe('a body', () => {
  it.each([
    ['that is not JSON', '{"agent":', 400, 'not_json'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'not_json'],
    ['of another type', '[]', 422, 'invalid'],
    ['that is text', '"x"', 422, 'invalid'],
    ['with a field of the wrong type', '{"agent": 3}', 422, 'invalid'],
    ['with an unknown field', '{"agent": "x", "colour": "red"}', 422, 'invalid'],
    ['with a prototype for a field', '{"agent": "x", "__proto__": {"mode": "full"}}', 422, 'invalid'],
  ])('%s is refused with a typed error', async (_what, body, status, code) => {
    const answer = await ask('POST', '/api/sessions', { body });
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
  });

  it('over 1 MiB is refused before all of it is sent, and the client hears why', async () => {
    const declared = await ask('POST', '/api/sessions', { body: Buffer.alloc(2 * 1024 * 1024, 0x20) });
    expect([declared.status, declared.json.error?.code]).toEqual([413, 'too_large']);
    const chunked = await ask('POST', '/api/sessions', { body: Buffer.alloc(2 * 1024 * 1024, 0x20), headers: { 'transfer-encoding': 'chunked' } });
    expect(chunked.status).toBe(413);
  });

  it('names the field that is wrong', async () => {
    const answer = await ask('POST', '/api/rules', { body: '{"tool_pattern": "Bash", "action": "maybe"}' });
    expect(answer.json.error).toMatchObject({ code: 'invalid', subject: 'action' });
  });

  it('may be left out where nothing in it is needed', async () => {
    const id = await openSession();
    expect((await ask('POST', `/api/sessions/${id}/end`)).status).toBe(200);
  });
});

describe('authentication', () => {
  it('is needed on every route', async () => {
    for (const route of ROUTES) {
      const path = route.path.replaceAll(/:\w+/g, 'x');
      expect([route.method, path, (await ask(route.method, path, { token: null })).status]).toEqual([route.method, path, 401]);
    }
    expect((await ask('GET', '/api/openapi.json', { token: null })).status).toBe(401);
    expect((await ask('GET', '/api/activity/export', { token: null })).status).toBe(401);
    expect((await ask('POST', '/api/commands/inbox.list', { token: null })).status).toBe(401);
  });

  it('closes every operator route to the agent token', async () => {
    for (const route of ROUTES.filter((one) => COMMANDS[one.command].scope !== 'agent')) {
      const path = route.path.replaceAll(/:\w+/g, 'x');
      const answer = await ask(route.method, path, {
        token: tokens.agent,
        ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: '{}' }),
      });
      expect([route.method, path, answer.status]).toEqual([route.method, path, 403]);
    }
    expect((await ask('GET', '/api/activity/export?format=jsonl', { token: tokens.agent })).status).toBe(403);
    expect((await ask('POST', '/api/commands/rule.list', { token: tokens.agent })).status).toBe(403);
  });

  it('answers the same over the Unix socket', async () => {
    expect((await ask('GET', '/api/health', { overSocket: true })).status).toBe(200);
    expect((await ask('GET', '/api/health', { overSocket: true, token: null })).status).toBe(401);
    expect((await ask('GET', '/api/health', { overSocket: true, headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('refuses a foreign Host or Origin, also with a token', async () => {
    const foreign: readonly Record<string, string>[] = [{ host: 'evil.example' }, { origin: 'https://evil.example' }, { origin: 'null' }];
    for (const headers of foreign) {
      expect((await ask('GET', '/api/rules', { headers })).status).toBe(403);
    }
  });
});

describe('a browser', () => {
  it('logs in once by its link and then needs its own origin for whatever changes something', async () => {
    const code = authenticator.newLoginCode();
    const login = await ask('GET', `/login?code=${code}`, { token: null });
    expect([login.status, login.headers.location]).toEqual([303, '/']);
    const cookie = String(login.headers['set-cookie']?.[0]).split(';')[0] ?? '';
    expect((await ask('GET', `/login?code=${code}`, { token: null })).status).toBe(401);
    const headers = { cookie };
    expect((await ask('GET', '/api/inbox', { token: null, headers })).status).toBe(200);
    const rule = JSON.stringify({ tool_pattern: 'cookie-test', action: 'deny' });
    expect((await ask('POST', '/api/rules', { token: null, headers, body: rule })).status).toBe(403);
    expect((await ask('POST', '/api/rules', { token: null, headers: { ...headers, origin: doors.endpoint.url }, body: rule })).status).toBe(201);
  });

  it('gets the page with a strict policy, and nothing outside of its folder', async () => {
    const page = await ask('GET', '/', { token: null });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    for (const path of [
      '/../outside.txt',
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/assets/../../outside.txt',
      '/assets',
      '//outside.txt',
      '/index.html/',
      '/\\..\\outside.txt',
      '/%00',
    ]) {
      const answer = await ask('GET', path, { token: null });
      expect([path, answer.status, answer.text.includes('content of another file')]).toEqual([path, 404, false]);
    }
  });
});

describe('a route', () => {
  it('that does not exist is 404 with the error record', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['PUT', '/api/rules'],
      ['POST', '/api/rules/x/y/z'],
      ['POST', '/api/commands/constructor'],
      ['POST', '/api/commands/toString'],
    ] as const) {
      const answer = await ask(method, path, method === 'GET' ? {} : { body: '{}' });
      expect([path, answer.status, answer.json.error?.code]).toEqual([path, 404, 'not_found']);
    }
  });
});

describe('a long poll', () => {
  it('ends with the decision', async () => {
    const id = await openSession();
    const asked = await post(`/api/sessions/${id}/requests`, { call_id: 'k', tool: 'unknown_tool', input: {} }, tokens.agent);
    const waits = ask('GET', `/api/requests/${String(asked.json.id)}?wait_ms=20000`, { token: tokens.agent });
    await post(`/api/requests/${String(asked.json.id)}/resolve`, { action: 'deny', digest: asked.json.digest, note: 'not now' });
    expect((await waits).json).toMatchObject({ status: 'denied', decision: { cause: 'human', note: 'not now' } });
  });

  it('that is hung up on leaves its request pending', async () => {
    const id = await openSession();
    const asked = await post(`/api/sessions/${id}/requests`, { call_id: 'k', tool: 'unknown_tool', input: {} }, tokens.agent);
    const { hostname, port, host } = new URL(doors.endpoint.url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve) => {
      socket.write(
        `GET /api/requests/${String(asked.json.id)}?wait_ms=60000 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${tokens.agent}\r\n\r\n`,
        () => resolve(),
      );
    });
    socket.destroy();
    expect((await ask('GET', `/api/requests/${String(asked.json.id)}`)).json.status).toBe('pending');
  });
});

describe('the WebSocket', () => {
  const url = () => `${doors.endpoint.url.replace('http', 'ws')}/api/events`;
  const opened = (socket: WebSocket) => new Promise<void>((resolve, reject) => socket.once('open', () => resolve()).once('error', reject));
  const next = (socket: WebSocket, isIt: (message: Record<string, unknown>) => boolean) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const receive = (data: unknown): void => {
        const message = JSON.parse(String(data));
        if (!isIt(message)) return;
        socket.off('message', receive);
        resolve(message);
      };
      socket.on('message', receive);
    });

  it('refuses a handshake without a token, and a page of another site with our cookie', async () => {
    const cookie = String(authenticator.redeem(authenticator.newLoginCode())).split(';')[0] ?? '';
    for (const headers of [
      {},
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { authorization: `Bearer ${tokens.operator}`, origin: 'https://evil.example' },
    ]) {
      await expect(opened(new WebSocket(url(), { headers }))).rejects.toThrow(/40[13]/);
    }
    const ours = new WebSocket(url(), { headers: { cookie, origin: doors.endpoint.url } });
    await opened(ours);
    ours.terminate();
  });

  it('lets an agent open a session, ask, and hear the decision over one connection', async () => {
    const agent = new WebSocket(url(), { headers: { authorization: `Bearer ${tokens.agent}` } });
    await opened(agent);
    const session = next(agent, (message) => message.id === 1);
    agent.send(JSON.stringify({ id: 1, command: 'session.open', input: { agent: 'socket-agent', source: 'api', cwd: join(folder, 'work') } }));
    const sessionId = ((await session).value as { id: string }).id;
    const submitted = next(agent, (message) => message.id === 2);
    agent.send(JSON.stringify({ id: 2, command: 'request.submit', input: { session_id: sessionId, call_id: 'k', tool: 'unknown_tool', input: {} } }));
    const request = (await submitted).value as { id: string; digest: string };
    const decision = next(agent, (message) => message.type === 'decision');
    await post(`/api/requests/${request.id}/resolve`, { action: 'approve', digest: request.digest });
    expect((await decision).request).toMatchObject({ id: request.id, status: 'allowed' });
    agent.terminate();
  });

  it('streams numbered changes after a snapshot, to operators only', async () => {
    const operator = new WebSocket(url(), { headers: { authorization: `Bearer ${tokens.operator}` } });
    await opened(operator);
    const snapshot = next(operator, (message) => message.id === 'a');
    operator.send(JSON.stringify({ id: 'a', command: 'snapshot' }));
    const { revision } = (await snapshot).value as { revision: number };
    const change = next(operator, (message) => message.type === 'changes');
    await post('/api/groups', { id: 'streamed', name: 'Streamed' });
    const { revision: after, changes } = (await change) as unknown as { revision: number; changes: unknown[] };
    expect(after).toBe(revision + 1);
    expect(changes).toContainEqual({ put: 'group', value: expect.objectContaining({ id: 'streamed' }) });
    operator.terminate();

    const agent = new WebSocket(url(), { headers: { authorization: `Bearer ${tokens.agent}` } });
    await opened(agent);
    const refused = next(agent, (message) => message.id === 'b');
    agent.send(JSON.stringify({ id: 'b', command: 'snapshot' }));
    expect(await refused).toMatchObject({ ok: false, failure: { code: 'forbidden' } });
    agent.terminate();
  });

  it('answers what is no message with an error and stays open', async () => {
    const operator = new WebSocket(url(), { headers: { authorization: `Bearer ${tokens.operator}` } });
    await opened(operator);
    for (const text of ['{', '[]', '{"id":1}', '{"id":1,"command":"nope"}', '{"id":1,"command":"__proto__"}']) {
      const answer = next(operator, (message) => message.ok === false);
      operator.send(text);
      expect((await answer).failure).toHaveProperty('code');
    }
    const health = next(operator, (message) => message.ok === true);
    operator.send(JSON.stringify({ id: 2, command: 'health.get' }));
    expect((await health).value).toHaveProperty('version');
    operator.terminate();
  });
});

describe('endpoint.json', () => {
  it('names the address, the socket, the process and the version', () => {
    expect(JSON.parse(readFileSync(join(folder, 'data', 'endpoint.json'), 'utf8'))).toEqual(doors.endpoint);
    expect(doors.endpoint).toMatchObject({ pid: process.pid, version: '0', socket: join(folder, 'data', 'gatehouse.sock') });
  });
});
