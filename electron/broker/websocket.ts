// The WebSocket door at /api/events (spec 13). Operators get every change, numbered; any caller can send
// `{id, command, input}` and gets `{id, ok, value | failure}`, and is told the decisions of the requests it submitted here.
// A client that never reads is closed: nothing is buffered for it without bound.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { COMMANDS, type CommandName } from '../../shared/commands';
import type { Failure } from '../../shared/failure';
import type { Identity } from './auth';
import type { Broker } from './broker';
import { type Caller, isOperator } from './caller';

const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const PING_MS = 30_000;
const MAX_REQUESTS_UNDER_WAY = 1_000;

const message = z.strictObject({ id: z.union([z.string().max(200), z.number()]), command: z.string(), input: z.json().optional() });

export interface WebSocketDoor {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity): void;
  close(): void;
}

export function createWebSocketDoor(broker: Broker): WebSocketDoor {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const alive = new WeakSet<WebSocket>();
  const unsubscribe = broker.onChanges((changes) => {
    const text = JSON.stringify({ type: 'changes', ...changes });
    for (const socket of watchers) send(socket, text);
  });
  const watchers = new Set<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) socket.terminate();
      alive.delete(socket);
      socket.ping();
    }
  }, PING_MS);
  pings.unref();

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity): void {
    server.handleUpgrade(request, socket, head, (client) => serve(client, identity));
  }

  function serve(client: WebSocket, identity: Identity): void {
    const gone = new AbortController();
    const sessionIds = new Set<string>();
    const caller: Caller = {
      scopes: identity.scopes,
      door: 'websocket',
      name: identity.name,
      signal: gone.signal,
      ...(isOperator({ scopes: identity.scopes, door: 'websocket', name: '' }) ? {} : { sessionIds }),
    };
    let underWay = 0;
    alive.add(client);
    client.on('pong', () => alive.add(client));
    client.on('error', () => client.terminate());
    client.on('close', () => {
      gone.abort();
      watchers.delete(client);
    });
    client.on('message', (data, isBinary) => {
      alive.add(client);
      const parsed = isBinary ? null : message.safeParse(parseJson(String(data)));
      if (parsed === null || !parsed.success) {
        return reply(client, null, { code: 'not_json', message: 'A message is JSON: `{"id", "command", "input"}`.' });
      }
      const { id, command, input } = parsed.data;
      if (underWay >= MAX_REQUESTS_UNDER_WAY)
        return reply(client, id, { code: 'limit', message: 'Too many commands wait on this connection.', hint: 'Wait for answers.' });
      underWay += 1;
      void run(client, caller, sessionIds, id, command, input ?? {}).finally(() => {
        underWay -= 1;
      });
    });
  }

  async function run(
    client: WebSocket,
    caller: Caller,
    sessionIds: Set<string>,
    id: string | number,
    command: string,
    input: unknown,
  ): Promise<void> {
    if (command === 'snapshot') {
      const allowed = await broker.call('inbox.list', {}, caller);
      if (!allowed.ok) return reply(client, id, allowed.failure);
      watchers.add(client);
      return send(client, JSON.stringify({ id, ok: true, value: await broker.snapshot() }));
    }
    if (!Object.hasOwn(COMMANDS, command))
      return reply(client, id, { code: 'not_found', message: `There is no command \`${command.slice(0, 100)}\`.`, hint: 'See /api/openapi.json.' });
    const name = command as CommandName;
    const result = await broker.call(name, input, caller);
    if (!result.ok) return reply(client, id, result.failure);
    if (name === 'session.open') sessionIds.add((result.value as { id: string }).id);
    send(client, JSON.stringify({ id, ok: true, value: result.value }));
    if (name === 'request.submit' && (result.value as { status: string }).status === 'pending')
      await tellDecision(client, caller, (result.value as { id: string }).id);
  }

  /** The decision of a request that was submitted here and waited, pushed when it falls. */
  async function tellDecision(client: WebSocket, caller: Caller, requestId: string): Promise<void> {
    while (!caller.signal?.aborted) {
      const result = await broker.call('request.get', { id: requestId, wait_ms: 600_000 }, caller);
      if (!result.ok) return;
      if (result.value.status === 'pending') continue;
      return send(client, JSON.stringify({ type: 'decision', request: result.value }));
    }
  }

  function reply(client: WebSocket, id: string | number | null, failure: Failure): void {
    send(client, JSON.stringify({ id, ok: false, failure }));
  }

  function send(client: WebSocket, text: string): void {
    if (client.readyState !== client.OPEN) return;
    if (client.bufferedAmount > MAX_UNREAD_BYTES) client.terminate();
    else client.send(text);
  }

  return {
    upgrade,
    close() {
      unsubscribe();
      clearInterval(pings);
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
