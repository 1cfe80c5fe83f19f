// A server for tests of the doors: real sockets over a real store in a temporary folder, and a client that says exactly what
// a test wants to say. Used by tests only.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { openStore } from '../store/store';
import { openTokens, type Tokens } from '../store/tokens';
import { type Authenticator, createAuthenticator } from './auth';
import { type Broker, createBroker } from './broker';
import { type Doors, openDoors } from './doors';
import { activityStream } from './exports';
import type { ForeignRoute } from './http';
import { createPaths } from './paths';
import { loadStatic, type StaticFile } from './static';

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly json: { readonly error?: { readonly code: string; readonly hint?: string; readonly subject?: unknown }; readonly [key: string]: unknown };
  readonly text: string;
}

export interface Saying {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The operator's unless given; null: none. */
  readonly token?: string | null;
  readonly overSocket?: boolean;
}

export interface DoorBench {
  readonly folder: string;
  readonly dataDir: string;
  readonly work: string;
  readonly tokens: Tokens;
  readonly broker: Broker;
  readonly doors: Doors;
  readonly authenticator: Authenticator;
  readonly faults: unknown[];
  ask(method: string, path: string, saying?: Saying): Promise<Answer>;
  post(path: string, body: unknown, token?: string): Promise<Answer>;
  openSession(): Promise<string>;
  /** An unanswered request of a new session: id and digest. */
  pending(): Promise<{ readonly id: string; readonly digest: string; readonly sessionId: string }>;
  /** A TCP connection to the loopback door. */
  raw(): Promise<Socket>;
  events(headers: Readonly<Record<string, string>>, protocols?: readonly string[]): WebSocket;
  close(): Promise<void>;
}

export async function openDoorBench(
  more: { readonly files?: ReadonlyMap<string, StaticFile>; readonly foreignRoutes?: readonly ForeignRoute[] } = {},
): Promise<DoorBench> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-door-'));
  const [dataDir, home, renderer, work] = [join(folder, 'data'), join(folder, 'home'), join(folder, 'renderer'), join(folder, 'work')];
  for (const path of [home, work, join(renderer, 'assets')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(renderer, 'assets', 'index-abc.js'), 'export {};');
  writeFileSync(join(folder, 'outside.txt'), 'content of another file');
  const { store } = openStore({ dataDir, now: Date.now });
  const tokens = openTokens(dataDir);
  const faults: unknown[] = [];
  const broker = createBroker({ store, paths: createPaths({ home }), now: Date.now, dataDir, version: '0' });
  const authenticator = createAuthenticator(tokens, Date.now);
  const opened = await openDoors({
    broker,
    authenticator,
    dataDir,
    port: 0,
    portIsWish: false,
    version: '0',
    files: more.files ?? loadStatic(renderer),
    foreignRoutes: more.foreignRoutes ?? [],
    streamRoutes: [activityStream(store)],
    onFault: (error) => faults.push(error),
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const doors = opened.value;
  const { hostname, port, host } = new URL(doors.endpoint.url);

  function ask(method: string, path: string, saying: Saying = {}): Promise<Answer> {
    const token = saying.token === undefined ? tokens.operator : saying.token;
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          ...(saying.overSocket ? { socketPath: doors.endpoint.socket ?? '' } : { hostname, port }),
          method,
          path,
          headers: { host, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...saying.headers },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, json: jsonOf(text), text }));
        },
      );
      request.on('error', reject);
      request.end(saying.body);
    });
  }

  const post = (path: string, body: unknown, token?: string): Promise<Answer> =>
    ask('POST', path, { body: JSON.stringify(body), ...(token === undefined ? {} : { token }) });
  const openSession = async (): Promise<string> =>
    String((await post('/api/sessions', { agent: 'test', source: 'api', cwd: work }, tokens.agent)).json.id);

  return {
    folder,
    dataDir,
    work,
    tokens,
    broker,
    doors,
    authenticator,
    faults,
    ask,
    post,
    openSession,
    async pending() {
      const sessionId = await openSession();
      const { json } = await post(`/api/sessions/${sessionId}/requests`, { call_id: 'k', tool: 'unknown_tool', input: {} }, tokens.agent);
      return { id: String(json.id), digest: String(json.digest), sessionId };
    },
    raw() {
      const socket = connect(Number(port), hostname);
      return new Promise((resolve, reject) => socket.once('connect', () => resolve(socket)).once('error', reject));
    },
    events: (headers, protocols = []) => new WebSocket(`${doors.endpoint.url.replace('http', 'ws')}/api/events`, [...protocols], { headers }),
    async close() {
      await doors.close();
      await broker.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Not every answer is JSON. */
function jsonOf(text: string): Answer['json'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Everything that arrives until the other side closes, or resets. */
export function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve, reject) => socket.once('close', () => resolve(text)).once('error', reject));
}
