// Who is calling: bearer tokens of the data folder, and browser sessions that began with a one-time login link (spec 14).
// Owns authentication and the Host and Origin rules; what a caller may do is checked by the broker.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fail, type Result } from '../../shared/failure';
import type { TokenScope } from '../../shared/terms';
import type { Door } from './caller';

export interface Identity {
  readonly scopes: ReadonlySet<TokenScope>;
  readonly name: string;
  readonly by: 'bearer' | 'browser';
}

const AGENT: ReadonlySet<TokenScope> = new Set(['agent']);
const ADMIN: ReadonlySet<TokenScope> = new Set(['operator.admin']);
/** A login link is for now; a browser session is for a working day. */
export const CODE_LIVES_MS = 10 * 60_000;
const SESSION_LIVES_MS = 12 * 3_600_000;

/** How a page shows its key: this header, or this prefix of an offered WebSocket subprotocol, since pages cannot set headers there. */
export const KEY_HEADER = 'x-gatehouse-key';
export const KEY_PROTOCOL = 'gatehouse.key.';

/**
 * A browser session has two halves. The cookie is out of reach of scripts, but a browser sends it to every port of this
 * host name. The key is kept by the page in storage of its origin, so that it never leaves for another port.
 */
export interface BrowserSession {
  readonly setCookie: string;
  readonly key: string;
}

export interface Authenticator {
  /** `port`: of our TCP door; null on a socket, which no browser reaches. */
  identify(request: IncomingMessage, port: number | null): Result<Identity>;
  /** A code for `/login?code=`, good once and for ten minutes. */
  newLoginCode(): string;
  /** Null when the code is unknown, used or old. */
  redeem(code: string, port: number): BrowserSession | null;
}

interface Session {
  readonly key: string;
  readonly untilMs: number;
}

export function createAuthenticator(tokens: { readonly operator: string; readonly agent: string }, now: () => number): Authenticator {
  /** Both by the digest of their secret, so that looking one up tells nothing about it by the time it takes. */
  const codes = new Map<string, number>();
  const sessions = new Map<string, Session>();

  function identify(request: IncomingMessage, port: number | null): Result<Identity> {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const token = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
      if (isSame(token, tokens.operator)) return { ok: true, value: { scopes: ADMIN, name: 'operator', by: 'bearer' } };
      if (isSame(token, tokens.agent)) return { ok: true, value: { scopes: AGENT, name: 'agent', by: 'bearer' } };
      return unauthorized('The token is not valid.');
    }
    const cookie = port === null ? null : cookieOf(request, cookieName(port));
    if (cookie === null) return unauthorized('A token is needed.');
    const session = sessions.get(digest(cookie));
    if (session === undefined || session.untilMs <= now()) return loginAgain('This browser session is over.');
    const key = keyOf(request);
    if (key === null || !isSame(key, session.key)) return loginAgain('This page does not have the key of its browser session.');
    return { ok: true, value: { scopes: ADMIN, name: 'browser', by: 'browser' } };
  }

  function forgetOld(): void {
    for (const [code, untilMs] of codes) if (untilMs <= now()) codes.delete(code);
    for (const [secret, { untilMs }] of sessions) if (untilMs <= now()) sessions.delete(secret);
  }

  return {
    identify,
    newLoginCode() {
      forgetOld();
      const code = randomBytes(24).toString('base64url');
      codes.set(digest(code), now() + CODE_LIVES_MS);
      return code;
    },
    redeem(code, port) {
      forgetOld();
      // INVARIANT: a code opens one browser session; it is gone before that session is there.
      if (!codes.delete(digest(code))) return null;
      const secret = randomBytes(32).toString('base64url');
      const key = randomBytes(32).toString('base64url');
      sessions.set(digest(secret), { key, untilMs: now() + SESSION_LIVES_MS });
      const setCookie = `${cookieName(port)}=${secret}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${SESSION_LIVES_MS / 1000}`;
      return { setCookie, key };
    },
  };
}

/**
 * Spec 13: Host must be a loopback name with our own port (any loopback name over the Unix socket), Origin must be absent or
 * our own. A browser session needs our Origin for everything but reading, and a browser's own mark that the page is ours.
 */
export function checkOrigin(request: IncomingMessage, door: Door, port: number | null): Result<{ readonly sameOrigin: boolean }> {
  const host = request.headers.host;
  const named = host === undefined ? null : /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i.exec(host);
  if (named === null) return foreign('Host', host);
  if (door !== 'socket' && Number(named[2] ?? 80) !== port) return foreign('Host', host);
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) return foreign('Origin', origin);
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return foreign('Sec-Fetch-Site', String(site));
  return { ok: true, value: { sameOrigin: origin !== undefined } };
}

const foreign = (header: string, value: string | undefined): ReturnType<typeof fail> =>
  fail('foreign_origin', `The ${header} header \`${(value ?? '').slice(0, 200)}\` is not this server.`, {
    hint: 'Use the address in endpoint.json.',
    subject: header.toLowerCase(),
  });

const unauthorized = (message: string): ReturnType<typeof fail> =>
  fail('unauthorized', message, { hint: 'Send `Authorization: Bearer` with a token of the data folder.' });

const loginAgain = (message: string): ReturnType<typeof fail> =>
  fail('unauthorized', message, { hint: 'Open a new login link: `npm run serve` prints one, also while Gatehouse runs.' });

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** In constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();
  return given !== '' && timingSafeEqual(hashed(given), hashed(wanted));
}

/** Named after the port, since two servers of one host name share a browser's cookies. */
const cookieName = (port: number): string => `gatehouse_${port}`;

function cookieOf(request: IncomingMessage, wanted: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === wanted && value !== undefined) return value;
  }
  return null;
}

function keyOf(request: IncomingMessage): string | null {
  const header = request.headers[KEY_HEADER];
  if (typeof header === 'string') return header;
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  return offered.find((one) => one.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length) ?? null;
}
