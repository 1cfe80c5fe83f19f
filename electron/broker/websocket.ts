// The WebSocket door at /api/events (spec 13). Operators get every change, numbered; any caller can send
// `{id, command, input}` and gets `{id, ok, value | failure}`, and is told the decisions of the requests it submitted here.
// A client that never reads is closed: nothing is buffered for it without bound.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { COMMANDS, type CommandName } from '../../shared/commands';
import { type Failure, fail, ok, type Result } from '../../shared/failure';
import type { Identity } from './auth';
import { MAX_BODY_BYTES, parseJson } from './body';
import type { Broker } from './broker';
import { type Caller, isOperator } from './caller';

const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const PING_MS = 30_000;
const MAX_COMMANDS_UNDER_WAY = 1_000;
/** Asked again for as long as the request waits. */
const DECISION_WAIT_MS = 600_000;
/** What a page offers beside its key; the answer names it, as browsers want. */
const PROTOCOL = 'gatehouse';
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

const message = z.strictObject({ id: z.union([z.string().max(200), z.number()]), command: z.string().max(200), input: z.unknown().optional() });

export interface WebSocketDoor {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity): void;
  /** Says goodbye; the connections end when their clients answer, or when somebody destroys them. */
  close(): void;
}

interface Connection {
  readonly client: WebSocket;
  readonly caller: Caller;
  /** The sessions that were opened here: an agent sees no others (caller.ts). */
  readonly sessionIds: Set<string>;
  /** Requests whose decision is waited for, so that one that is submitted again is told once. */
  readonly waitedFor: Set<string>;
  underWay: number;
}

type MessageId = string | number | null;

export function createWebSocketDoor(broker: Broker, onFault: (error: unknown, where: string) => void): WebSocketDoor {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  const alive = new WeakSet<WebSocket>();
  const watchers = new Set<WebSocket>();
  const unsubscribe = broker.onChanges((changes) => {
    if (watchers.size === 0) return;
    const text = JSON.stringify({ type: 'changes', ...changes });
    for (const client of watchers) send(client, text);
  });
  const pings = setInterval(() => {
    for (const client of server.clients) {
      if (!alive.has(client)) client.terminate();
      alive.delete(client);
      client.ping();
    }
  }, PING_MS);
  pings.unref();

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity): void {
    server.handleUpgrade(request, socket, head, (client) => serve(client, identity));
  }

  function serve(client: WebSocket, identity: Identity): void {
    const gone = new AbortController();
    const sessionIds = new Set<string>();
    const known = { scopes: identity.scopes, door: 'websocket', name: identity.name, signal: gone.signal } as const;
    const caller: Caller = isOperator(known) ? known : { ...known, sessionIds };
    const connection: Connection = { client, caller, sessionIds, waitedFor: new Set(), underWay: 0 };
    alive.add(client);
    client.on('pong', () => alive.add(client));
    // A frame that is too large or malformed: ws closes with the code that says so.
    client.on('error', () => undefined);
    client.on('close', () => {
      gone.abort();
      watchers.delete(client);
    });
    client.on('message', (data, isBinary) => {
      alive.add(client);
      if (isBinary) return client.close(POLICY_VIOLATION, 'Messages are text.');
      receive(connection, String(data));
    });
  }

  function receive(connection: Connection, text: string): void {
    const read = readMessage(text);
    if (!read.ok) {
      reply(connection.client, read.id, read);
      return;
    }
    const { id, command, input } = read.value;
    if (connection.underWay >= MAX_COMMANDS_UNDER_WAY) {
      reply(connection.client, id, fail('limit', 'Too many commands wait on this connection.', { hint: 'Wait for answers.' }));
      return;
    }
    connection.underWay += 1;
    run(connection, id, command, input ?? {})
      .catch((error: unknown) => {
        onFault(error, `WebSocket ${command}`);
        reply(connection.client, id, fail('fault', 'Gatehouse failed. The failure was logged.'));
      })
      .finally(() => {
        connection.underWay -= 1;
      });
  }

  async function run(connection: Connection, id: MessageId, command: string, input: unknown): Promise<void> {
    const { client, caller } = connection;
    if (command === 'snapshot') {
      const allowed = await broker.call('inbox.list', {}, caller);
      if (!allowed.ok) return reply(client, id, allowed);
      // Before the snapshot is taken, so that no change falls between the two; the client drops those it has already.
      watchers.add(client);
      return reply(client, id, ok(await broker.snapshot()));
    }
    if (!Object.hasOwn(COMMANDS, command)) {
      const text = command.slice(0, 100);
      return reply(client, id, fail('not_found', `There is no command \`${text}\`.`, { hint: 'See /api/openapi.json.' }));
    }
    const name = command as CommandName;
    const result = await broker.call(name, input, caller);
    if (result.ok && name === 'session.open') connection.sessionIds.add((result.value as { readonly id: string }).id);
    reply(client, id, result);
    if (!result.ok || name !== 'request.submit') return;
    const request = result.value as { readonly id: string; readonly status: string };
    if (request.status !== 'pending' || connection.waitedFor.has(request.id)) return;
    connection.waitedFor.add(request.id);
    tellDecision(connection, request.id)
      .catch((error: unknown) => onFault(error, 'WebSocket decision'))
      .finally(() => connection.waitedFor.delete(request.id));
  }

  /** The decision of a request that was submitted here and waited, pushed when it falls. */
  async function tellDecision({ client, caller }: Connection, requestId: string): Promise<void> {
    while (!caller.signal?.aborted) {
      const result = await broker.call('request.get', { id: requestId, wait_ms: DECISION_WAIT_MS }, caller);
      if (!result.ok) return;
      if (result.value.status === 'pending') continue;
      return send(client, JSON.stringify({ type: 'decision', request: result.value }));
    }
  }

  function reply(client: WebSocket, id: MessageId, result: Result<unknown>): void {
    send(client, JSON.stringify(result.ok ? { id, ok: true, value: result.value } : { id, ok: false, failure: result.failure }));
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
      for (const client of server.clients) client.close(GOING_AWAY, 'Gatehouse stops.');
      server.close();
    },
  };
}

type Read =
  | { readonly ok: true; readonly value: z.output<typeof message> }
  | { readonly ok: false; readonly id: MessageId; readonly failure: Failure };

function readMessage(text: string): Read {
  const json = parseJson(text);
  if (!json.ok) return { ...json, id: null };
  const known = message.safeParse(json.value);
  if (known.success) return { ok: true, value: known.data };
  const failure = {
    code: 'invalid',
    message: 'A message is `{"id", "command", "input"}`.',
    hint: 'See /api/openapi.json for the commands.',
  } as const;
  return { ok: false, id: idOf(json.value), failure };
}

function idOf(value: unknown): MessageId {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
