// The HTTP door on loopback and on the Unix socket (spec 13): Host and Origin, authentication, body, route, answer. Owns
// the protocol; a route is a command of the broker and nothing here decides. Long polls end when their client hangs up.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import findMyWay from 'find-my-way';
import { COMMANDS, type CommandName, type Draft, type Output } from '../../shared/commands';
import { type Failure, HTTP_STATUS, type Result } from '../../shared/failure';
import type { JsonObject } from '../../shared/model';
import { drained, endWithFailure, sendFailure, sendFile, sendJson } from './answers';
import { type Authenticator, CODE_LIVES_MS, checkOrigin, type Identity } from './auth';
import { MAX_BODY_BYTES, readJson } from './body';
import type { Broker } from './broker';
import { type Caller, type Door, hasScope } from './caller';
import { openApiDocument } from './openapi';
import { inputOf, type Method, ROUTES, type Route } from './routes';
import type { StaticFile } from './static';

/** A hook hands over what its agent holds, file contents included, and cannot be asked to send less. */
const MAX_HOOK_BYTES = 32 * 1024 * 1024;
/** While a hook's caller waits for a person, a blank keeps its HTTP client from giving up; JSON may begin with blanks. */
const HEARTBEAT_MS = 15_000;
const HEADER_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 60_000;
/** How often Node looks for connections that exceed the two. */
const TIMEOUT_CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 75_000;
/** Far above 200 agents with a long poll and some connections each, below what a process may open. */
const MAX_CONNECTIONS = 2_000;
const MAX_PARAMETER_CHARS = 500;

/** Runs a command in the name of the calling agent. */
export type CallCommand = <N extends CommandName>(name: N, input: Draft<N>) => Promise<Result<Output<N>>>;

/** Where another room takes agents' own wire formats, such as a hook event (electron/agents). */
export interface ForeignRoute {
  readonly method: 'POST';
  readonly path: string;
  /**
   * `body` is the parsed JSON, not validated. Answers the JSON object to send, or null for an empty 200 ("no opinion").
   * Never throws: a gating event that cannot be judged is answered with the agent's own refusal. `signal` aborts when the
   * agent hangs up.
   */
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
  /**
   * Listens no longer, lets what is being answered go out and hangs up on what comes after. Resolves when every connection
   * is gone; long polls stay until somebody destroys them.
   */
  stop(): Promise<void>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly identity: Identity;
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** One server for one door. `onUpgrade` takes WebSocket handshakes that passed Host, Origin and authentication. */
export function createHttpDoor(
  door: Door,
  options: HttpDoorOptions,
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, identity: Identity) => void,
): HttpDoor {
  const { broker, authenticator } = options;
  let port: number | null = null;
  let isStopping = false;
  const underWay = new Set<ServerResponse>();
  const router = findMyWay<findMyWay.HTTPVersion.V1>({
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PARAMETER_CHARS,
    defaultRoute: () => undefined,
  });

  for (const route of ROUTES) on(route.method, route.path, (exchange) => runRoute(route, exchange));
  on('POST', '/api/commands/:name', runCommand);
  on('GET', '/api/openapi.json', ({ response }) => sendJson(response, 200, openApiDocument(options.version)));
  on('POST', '/api/login-links', makeLoginLink);
  for (const route of options.streamRoutes) on('GET', route.path, (exchange) => runStream(route, exchange));
  for (const route of options.foreignRoutes) on(route.method, route.path, (exchange) => runForeign(route, exchange));

  function on(method: Method, path: string, handle: (exchange: Exchange) => Promise<void> | void): void {
    router.on(method, path, async (request, response, params, store) => {
      await handle({ ...(store as Pick<Exchange, 'query' | 'identity'>), request, response, params: definedOnly(params) });
    });
  }

  // ---------------------------------------------------------------- the server

  const server = createServer({
    headersTimeout: HEADER_TIMEOUT_MS,
    requestTimeout: BODY_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', serve);
  // Answered by whoever reads the body, so that a body that is refused is not sent at all.
  server.on('checkContinue', serve);
  server.on('upgrade', upgrade);
  server.on('clientError', refuseNoHttp);

  function serve(request: IncomingMessage, response: ServerResponse): void {
    // Whoever is cut off here was not refused: it comes back after the start.
    if (isStopping) return void request.socket.destroy();
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    dispatch(request, response).catch((error: unknown) => {
      options.onFault(error, `${request.method ?? ''} ${pathOf(request)}`);
      if (!response.headersSent) sendFailure(response, { code: 'fault', message: 'Gatehouse failed. The failure was logged.' });
      else response.destroy();
    });
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (isStopping) return void socket.destroy();
    const identity = handshake(request);
    if (identity.ok) onUpgrade(request, socket, head, identity.value);
    else endWithFailure(socket, HTTP_STATUS[identity.failure.code], identity.failure);
  }

  function handshake(request: IncomingMessage): Result<Identity> {
    const origin = checkOrigin(request, door, port);
    if (!origin.ok) return origin;
    const identity = identify(request, origin.value.sameOrigin);
    if (!identity.ok || urlOf(request)?.pathname === '/api/events') return identity;
    return { ok: false, failure: unknownRoute(request) };
  }

  function refuseNoHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
    const isAnswering = [...underWay].some((response) => response.socket === socket && response.headersSent);
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') return void socket.destroy();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    endWithFailure(socket, status, { code: 'invalid', message: 'This is no HTTP request that can be answered.', hint: 'Use an HTTP client.' });
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = checkOrigin(request, door, port);
    if (!origin.ok) return sendFailure(response, origin.failure);
    const url = urlOf(request);
    if (url === null) return sendFailure(response, unknownRoute(request));
    if (url.pathname === '/login' && request.method === 'GET') return login(url.searchParams, response);
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    const file = isReading ? options.files.get(url.pathname) : undefined;
    if (file !== undefined) return sendFile(response, file);
    const found = router.find((request.method === 'HEAD' ? 'GET' : request.method) as findMyWay.HTTPMethod, url.pathname);
    // Below /api everything is for callers that are known, what does not exist included.
    if (found === null && !url.pathname.startsWith('/api/')) return noRoute(request, response, url.pathname);
    const identity = identify(request, origin.value.sameOrigin);
    if (!identity.ok) return sendFailure(response, identity.failure);
    if (found === null) return noRoute(request, response, url.pathname);
    await found.handler(request, response, found.params, { query: url.searchParams, identity: identity.value }, {});
  }

  function identify(request: IncomingMessage, sameOrigin: boolean): Result<Identity> {
    const identity = authenticator.identify(request, port);
    const isReading = (request.method === 'GET' || request.method === 'HEAD') && request.headers.upgrade === undefined;
    if (!identity.ok || identity.value.by !== 'browser' || isReading || sameOrigin) return identity;
    // A page of another site can make a browser send our cookie, but it cannot claim our Origin.
    return { ok: false, failure: noOrigin() };
  }

  function noRoute(request: IncomingMessage, response: ServerResponse, path: string): void {
    const allowed = METHODS.filter((method) => router.find(method, path) !== null);
    if (allowed.length > 0) response.setHeader('Allow', ['OPTIONS', ...(allowed.includes('GET') ? ['HEAD'] : []), ...allowed].join(', '));
    if (allowed.length > 0 && request.method === 'OPTIONS') return void response.writeHead(204).end();
    sendFailure(response, unknownRoute(request, allowed));
  }

  // ---------------------------------------------------------------- routes

  async function runRoute(route: Route, exchange: Exchange): Promise<void> {
    const { params, query, request, response } = exchange;
    const body = await readJson(request, response, MAX_BODY_BYTES);
    if (!body.ok) return sendFailure(response, body.failure);
    const input = inputOf(route, { params, query, body: body.value });
    // A scope that is missing is said before a field that is wrong.
    if (!input.ok && hasScope(callerOf(exchange), COMMANDS[route.command].scope)) return sendFailure(response, input.failure);
    await answer(exchange, route.command, input.ok ? input.value : {}, route.status);
  }

  async function runCommand(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const name = exchange.params.name ?? '';
    if (!Object.hasOwn(COMMANDS, name)) return sendFailure(response, unknownRoute(request));
    const body = await readJson(request, response, MAX_BODY_BYTES);
    if (!body.ok) return sendFailure(response, body.failure);
    await answer(exchange, name as CommandName, body.value ?? {}, 200);
  }

  async function answer(exchange: Exchange, name: CommandName, input: unknown, status: number): Promise<void> {
    const { response } = exchange;
    const hangUp = whenHungUp(response);
    const result = await broker.call(name, input, callerOf(exchange, hangUp));
    if (hangUp.aborted) return;
    if (result.ok) sendJson(response, status, result.value);
    else sendFailure(response, result.failure);
  }

  function callerOf({ identity }: Exchange, signal?: AbortSignal, as: Door = door): Caller {
    return { scopes: identity.scopes, door: as, name: identity.name, ...(signal === undefined ? {} : { signal }) };
  }

  async function runStream(route: StreamRoute, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    // The list of the same records asks for the scope and checks the query; the stream then leaves its page limits out.
    const query = Object.fromEntries(exchange.query);
    const { format: _format, ...filter } = query;
    const allowed = await broker.call(route.command, { ...filter, limit: 1 }, callerOf(exchange, whenHungUp(response)));
    if (!allowed.ok) return sendFailure(response, allowed.failure);
    const stream = route.open(query);
    if (!stream.ok) return sendFailure(response, stream.failure);
    response.writeHead(200, { 'Content-Type': stream.value.type, 'Content-Disposition': `attachment; filename="${stream.value.filename}"` });
    if (request.method !== 'HEAD') {
      for await (const chunk of stream.value.chunks) {
        if (response.destroyed) return;
        if (!response.write(chunk)) await drained(response);
      }
    }
    response.end();
  }

  async function runForeign(route: ForeignRoute, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const body = await readJson(request, response, MAX_HOOK_BYTES);
    if (!body.ok) return sendFailure(response, body.failure);
    const signal = whenHungUp(response);
    const caller = callerOf(exchange, signal, 'hook');
    const begin = (): void => {
      if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/json' });
    };
    const heartbeat = setInterval(() => {
      begin();
      response.write(' ');
    }, HEARTBEAT_MS);
    try {
      const value = await route.handle(body.value, exchange.query, (name, input) => broker.call(name, input, caller), signal);
      if (signal.aborted) return;
      begin();
      response.end(value === null ? undefined : JSON.stringify(value));
    } finally {
      clearInterval(heartbeat);
    }
  }

  // ---------------------------------------------------------------- browsers

  /** For an operator who is at home here already: a link that makes a browser one too. */
  function makeLoginLink(exchange: Exchange): void {
    const { response } = exchange;
    if (!hasScope(callerOf(exchange), 'operator.admin')) {
      sendFailure(response, { code: 'forbidden', message: 'A login link needs the scope `operator.admin`.', subject: 'operator.admin' });
      return;
    }
    sendJson(response, 201, { path: `/login?code=${authenticator.newLoginCode()}`, expires_in_s: CODE_LIVES_MS / 1000 });
  }

  function login(query: URLSearchParams, response: ServerResponse): void {
    const session = port === null ? null : authenticator.redeem(query.get('code') ?? '', port);
    if (session === null) {
      sendFailure(response, {
        code: 'unauthorized',
        message: 'This login link was used already or is too old.',
        hint: 'Run `npm run serve` again for a new one; Gatehouse goes on running.',
      });
      return;
    }
    // A browser keeps what follows # to itself; the page takes it from there (renderer/bridge.ts).
    response.writeHead(303, { Location: `/#key=${session.key}`, 'Set-Cookie': session.setCookie }).end();
  }

  return {
    server,
    setPort(value) {
      port = value;
    },
    stop() {
      isStopping = true;
      const closed = new Promise<void>((resolve) => {
        if (server.listening) server.close(() => resolve());
        else resolve();
      });
      server.closeIdleConnections();
      for (const response of underWay) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
        else response.once('finish', () => response.socket?.end());
      }
      return closed;
    },
  };
}

function whenHungUp(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
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

/** Without the query, which may hold a secret. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0]?.slice(0, 200) ?? '/';

const noOrigin = (): Failure => ({
  code: 'foreign_origin',
  message: 'A browser session is used from its own page only.',
  hint: 'Open the login link again.',
});

function unknownRoute(request: IncomingMessage, allowed: readonly Method[] = []): Failure {
  const hint = allowed.length === 0 ? 'See /api/openapi.json.' : `Use ${allowed.join(' or ')}.`;
  return { code: 'not_found', message: `There is no \`${request.method ?? 'GET'} ${pathOf(request)}\`.`, hint };
}

function definedOnly(params: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
