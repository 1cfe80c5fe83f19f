// The HTTP door on loopback and on the Unix socket (spec 13): Host and Origin, authentication, body, route, answer. Owns
// the protocol; a route is a command of the broker and nothing here decides. Long polls end when their client hangs up.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import findMyWay from 'find-my-way';
import { COMMANDS, type CommandName, type Draft, type Output } from '../../shared/commands';
import { type Failure, fail, HTTP_STATUS, type Result } from '../../shared/failure';
import type { JsonObject } from '../../shared/model';
import { type Authenticator, checkOrigin, type Identity } from './auth';
import type { Broker } from './broker';
import type { Caller, Door } from './caller';
import { openApiDocument } from './openapi';
import { ROUTES, type Route } from './routes';
import { CONTENT_POLICY, type StaticFile } from './static';

/** Spec 13. */
const MAX_BODY_BYTES = 1024 * 1024;
/** A hook hands over what its agent holds, file contents included, and cannot be asked to send less. */
const MAX_HOOK_BYTES = 32 * 1024 * 1024;
/** While a hook's caller waits for a person, a blank keeps its HTTP client from giving up; JSON may begin with blanks. */
const HEARTBEAT_MS = 15_000;
const HEADER_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 75_000;
/** A client that does not read its answer for so long is gone. */
const UNREAD_MS = 60_000;

/** Runs a command in the name of the calling agent. */
export type CallCommand = <N extends CommandName>(name: N, input: Draft<N>) => Promise<Result<Output<N>>>;

/** Where another room takes agents' own wire formats, such as a hook event (electron/agents). */
export interface ForeignRoute {
  readonly method: 'POST';
  readonly path: string;
  /** The JSON object to answer with, null for an empty 200. */
  handle(body: unknown, query: URLSearchParams, call: CallCommand, signal: AbortSignal): Promise<JsonObject | null>;
}

/** A stream of text instead of one JSON answer, such as an export. */
export interface StreamRoute {
  readonly path: string;
  readonly command: CommandName;
  open(query: Readonly<Record<string, string>>): Result<{ readonly type: string; readonly filename: string; readonly chunks: AsyncIterable<string> }>;
}

export interface HttpDoorOptions {
  readonly broker: Broker;
  readonly authenticator: Authenticator;
  readonly foreignRoutes: readonly ForeignRoute[];
  readonly streamRoutes: readonly StreamRoute[];
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly version: string;
  onFault(error: unknown, where: string): void;
}

export interface HttpDoor {
  readonly server: Server;
  /** Known once the server listens on TCP; null on a socket. */
  setPort(port: number | null): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly sameOrigin: boolean;
}

/** One server for one door. `onUpgrade` takes WebSocket handshakes that passed Host and Origin. */
export function createHttpDoor(
  door: Door,
  options: HttpDoorOptions,
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity) => void,
): HttpDoor {
  const { broker, authenticator } = options;
  let port: number | null = null;
  const router = findMyWay<findMyWay.HTTPVersion.V1>({ ignoreTrailingSlash: true, maxParamLength: 500, defaultRoute: () => undefined });

  for (const route of ROUTES) on(route.method, route.path, (exchange) => runRoute(route, exchange));
  on('POST', '/api/commands/:name', runCommand);
  on('GET', '/api/openapi.json', async (exchange) => {
    const identity = identify(exchange);
    if (!identity.ok) return sendFailure(exchange.response, identity.failure);
    sendJson(exchange.response, 200, openApiDocument(options.version));
  });
  for (const route of options.streamRoutes) on('GET', route.path, (exchange) => runStream(route, exchange));
  for (const route of options.foreignRoutes) on(route.method, route.path, (exchange) => runForeign(route, exchange));
  on('GET', '/login', login);

  function on(method: Route['method'], path: string, handle: (exchange: Exchange) => Promise<void> | void): void {
    router.on(method, path, async (request, response, params, store) => {
      const { query, sameOrigin } = store as Pick<Exchange, 'query' | 'sameOrigin'>;
      await handle({ request, response, query, sameOrigin, params: definedOnly(params) });
    });
  }

  const server = createServer(
    { headersTimeout: HEADER_TIMEOUT_MS, requestTimeout: BODY_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Cache-Control', 'no-store');
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      dispatch(request, response).catch((error: unknown) => {
        options.onFault(error, `${request.method ?? ''} ${request.url ?? ''}`);
        if (!response.headersSent) sendFailure(response, { code: 'fault', message: 'Gatehouse failed. The failure was logged.' });
        else response.destroy();
      });
    },
  );
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const origin = checkOrigin(request, door, port);
    if (!origin.ok) return refuseUpgrade(socket, origin.failure);
    const identity = authenticator.identify(request);
    if (!identity.ok) return refuseUpgrade(socket, identity.failure);
    // A page of another site can open a WebSocket with our cookie, but it cannot claim our Origin.
    if (identity.value.by === 'cookie' && !origin.value.sameOrigin) return refuseUpgrade(socket, noOrigin());
    if (urlOf(request)?.pathname !== '/api/events') return refuseUpgrade(socket, unknownRoute(request));
    onUpgrade(request, socket, head, identity.value);
  });

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = checkOrigin(request, door, port);
    if (!origin.ok) return sendFailure(response, origin.failure);
    const url = urlOf(request);
    if (url === null) return sendFailure(response, unknownRoute(request));
    const found = router.find((request.method ?? 'GET') as findMyWay.HTTPMethod, url.pathname);
    if (found !== null) {
      await found.handler(request, response, found.params, { query: url.searchParams, sameOrigin: origin.value.sameOrigin }, {});
      return;
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      const file = options.files.get(url.pathname);
      if (file !== undefined) return sendFile(request, response, file);
    }
    sendFailure(response, unknownRoute(request));
  }

  function identify({ request, sameOrigin }: Exchange): Result<Identity> {
    const identity = authenticator.identify(request);
    if (!identity.ok || identity.value.by !== 'cookie' || request.method === 'GET' || sameOrigin) return identity;
    return { ok: false, failure: noOrigin() };
  }

  async function runRoute(route: Route, exchange: Exchange): Promise<void> {
    const identity = identify(exchange);
    if (!identity.ok) return sendFailure(exchange.response, identity.failure);
    const body = await readJson(exchange, MAX_BODY_BYTES);
    if (!body.ok) return sendFailure(exchange.response, body.failure);
    const input = route.input({ params: exchange.params, query: Object.fromEntries(exchange.query), body: body.value });
    await answer(exchange, identity.value, route.command, input, route.status ?? 200);
  }

  async function runCommand(exchange: Exchange): Promise<void> {
    const identity = identify(exchange);
    if (!identity.ok) return sendFailure(exchange.response, identity.failure);
    const name = exchange.params.name ?? '';
    if (!Object.hasOwn(COMMANDS, name)) return sendFailure(exchange.response, unknownRoute(exchange.request));
    const body = await readJson(exchange, MAX_BODY_BYTES);
    if (!body.ok) return sendFailure(exchange.response, body.failure);
    await answer(exchange, identity.value, name as CommandName, body.value ?? {}, 200);
  }

  async function answer(exchange: Exchange, identity: Identity, name: CommandName, input: unknown, status: number): Promise<void> {
    const hangUp = whenHungUp(exchange.response);
    const result = await broker.call(name, input, callerOf(identity, hangUp));
    if (hangUp.aborted) return;
    if (result.ok) sendJson(exchange.response, status, result.value);
    else sendFailure(exchange.response, result.failure);
  }

  function callerOf(identity: Identity, signal: AbortSignal, as: Door = door): Caller {
    return { scopes: identity.scopes, door: as, name: identity.name, signal };
  }

  async function runStream(route: StreamRoute, exchange: Exchange): Promise<void> {
    const identity = identify(exchange);
    if (!identity.ok) return sendFailure(exchange.response, identity.failure);
    // The list of the same records asks for the scope and checks the query; the stream then leaves its page limits out.
    const query = Object.fromEntries(exchange.query);
    const { format: _format, ...filter } = query;
    const allowed = await broker.call(route.command, { ...filter, limit: 1 }, callerOf(identity.value, whenHungUp(exchange.response)));
    if (!allowed.ok) return sendFailure(exchange.response, allowed.failure);
    const stream = route.open(query);
    if (!stream.ok) return sendFailure(exchange.response, stream.failure);
    exchange.response.writeHead(200, { 'Content-Type': stream.value.type, 'Content-Disposition': `attachment; filename="${stream.value.filename}"` });
    for await (const chunk of stream.value.chunks) {
      if (exchange.response.destroyed) return;
      if (!exchange.response.write(chunk)) await drained(exchange.response);
    }
    exchange.response.end();
  }

  async function runForeign(route: ForeignRoute, exchange: Exchange): Promise<void> {
    const { response } = exchange;
    const identity = identify(exchange);
    if (!identity.ok) return sendFailure(response, identity.failure);
    const body = await readJson(exchange, MAX_HOOK_BYTES);
    if (!body.ok) return sendFailure(response, body.failure);
    const signal = whenHungUp(response);
    const caller = callerOf(identity.value, signal, 'hook');
    const heartbeat = setInterval(() => {
      if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(' ');
    }, HEARTBEAT_MS);
    try {
      const value = await route.handle(body.value, exchange.query, (name, input) => broker.call(name, input, caller), signal);
      if (signal.aborted) return;
      if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(value === null ? undefined : JSON.stringify(value));
    } finally {
      clearInterval(heartbeat);
    }
  }

  function login({ query, response }: Exchange): void {
    const cookie = authenticator.redeem(query.get('code') ?? '');
    if (cookie === null) {
      sendFailure(response, {
        code: 'unauthorized',
        message: 'This login link was used already or is too old.',
        hint: 'Start Gatehouse again for a new one.',
      });
      return;
    }
    response.writeHead(303, { Location: '/', 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer' }).end();
  }

  return {
    server,
    setPort(value) {
      port = value;
    },
  };
}

/** Undefined for an empty body. Over the bound: `too_large` at once, the rest is not read and the connection closes after the answer. */
async function readJson({ request, response }: Exchange, maxBytes: number): Promise<Result<unknown>> {
  const tooLarge = (): ReturnType<typeof fail> => {
    response.setHeader('Connection', 'close');
    response.once('finish', () => request.destroy());
    request.resume();
    return fail('too_large', `The body is larger than ${maxBytes / 1024 / 1024} MiB.`, { hint: 'Send less.' });
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) return tooLarge();
      chunks.push(chunk);
    }
  } catch {
    return fail('not_json', 'The body ended early.');
  }
  if (size === 0) return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))) };
  } catch {
    return fail('not_json', 'The body is not JSON.', { hint: 'Send one JSON value in UTF-8.' });
  }
}

function whenHungUp(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), UNREAD_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed || response.headersSent) return;
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body);
}

export function sendFailure(response: ServerResponse, failure: Failure): void {
  sendJson(response, HTTP_STATUS[failure.code], { error: failure });
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  response.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': file.body.length,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': CONTENT_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

function refuseUpgrade(socket: Duplex, failure: Failure): void {
  const body = JSON.stringify({ error: failure });
  socket.end(
    `HTTP/1.1 ${HTTP_STATUS[failure.code]} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Null for a target that is no plain path: a proxy's absolute form, or text that no URL has. */
function urlOf(request: IncomingMessage): URL | null {
  const target = request.url ?? '/';
  if (!target.startsWith('/')) return null;
  try {
    return new URL(`http://localhost${target}`);
  } catch {
    return null;
  }
}

const noOrigin = (): Failure => ({
  code: 'foreign_origin',
  message: 'A browser session is used from its own page only.',
  hint: 'Open the login link again.',
});

function unknownRoute(request: IncomingMessage): Failure {
  const path = (request.url ?? '/').split('?', 1)[0]?.slice(0, 200) ?? '/';
  return { code: 'not_found', message: `There is no \`${request.method ?? 'GET'} ${path}\`.`, hint: 'See /api/openapi.json.' };
}

function definedOnly(params: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
