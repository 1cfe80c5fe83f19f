// Who is calling: bearer tokens of the data folder, and browser sessions that began with a one-time login link (spec 14).
// Owns authentication and the Host and Origin rules; what a caller may do is checked by the broker.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fail, type Result } from '../../shared/failure';
import type { TokenScope } from '../../shared/terms';
import type { Door } from './caller';

export interface Identity {
  readonly scopes: ReadonlySet<TokenScope>;
  readonly name: string;
  /** How it was shown: a cookie travels without the page's doing, so it needs a proof of origin. */
  readonly by: 'bearer' | 'cookie';
}

const AGENT: ReadonlySet<TokenScope> = new Set(['agent']);
const ADMIN: ReadonlySet<TokenScope> = new Set(['operator.admin']);
const COOKIE = 'gatehouse_session';
/** A login link is for now; a browser session is for a working day. */
const CODE_LIVES_MS = 10 * 60_000;
const SESSION_LIVES_MS = 12 * 3_600_000;

export interface Authenticator {
  identify(request: IncomingMessage): Result<Identity>;
  /** A code for `/login?code=`, good once. */
  newLoginCode(): string;
  /** The cookie header of a new browser session, or null when the code is unknown, used or old. */
  redeem(code: string): string | null;
}

export function createAuthenticator(tokens: { readonly operator: string; readonly agent: string }, now: () => number): Authenticator {
  const codes = new Map<string, number>();
  const sessions = new Map<string, number>();

  function identify(request: IncomingMessage): Result<Identity> {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const token = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
      if (isSame(token, tokens.operator)) return { ok: true, value: { scopes: ADMIN, name: 'operator', by: 'bearer' } };
      if (isSame(token, tokens.agent)) return { ok: true, value: { scopes: AGENT, name: 'agent', by: 'bearer' } };
      return unauthorized('The token is not valid.');
    }
    const cookie = cookieOf(request);
    if (cookie !== null && isLive(sessions, cookie)) return { ok: true, value: { scopes: ADMIN, name: 'browser', by: 'cookie' } };
    return unauthorized('A token is needed.');
  }

  function isLive(known: Map<string, number>, secret: string): boolean {
    for (const [one, until] of known) if (until <= now()) known.delete(one);
    let found = false;
    for (const one of known.keys()) found = isSame(secret, one) || found;
    return found;
  }

  return {
    identify,
    newLoginCode() {
      const code = randomBytes(24).toString('base64url');
      codes.set(code, now() + CODE_LIVES_MS);
      return code;
    },
    redeem(code) {
      if (!isLive(codes, code)) return null;
      codes.delete(code);
      const secret = randomBytes(32).toString('base64url');
      sessions.set(secret, now() + SESSION_LIVES_MS);
      return `${COOKIE}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_LIVES_MS / 1000}`;
    },
  };
}

/**
 * Spec 13: Host must be a loopback name with our own port (any loopback name over the Unix socket), Origin must be absent or
 * our own. A cookie needs our Origin for everything but a plain GET, and a browser's own mark that the page is ours.
 */
export function checkOrigin(request: IncomingMessage, door: Door, port: number | null): Result<{ readonly sameOrigin: boolean }> {
  const host = request.headers.host;
  const named = host === undefined ? null : /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host);
  if (named === null) return foreign('Host', host);
  if (door !== 'socket' && Number(named[2] ?? 80) !== port) return foreign('Host', host);
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) return foreign('Origin', origin);
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return foreign('Sec-Fetch-Site', String(site));
  return { ok: true, value: { sameOrigin: origin !== undefined } };
}

const foreign = (header: string, value: string | undefined): ReturnType<typeof fail> =>
  fail('foreign_origin', `The ${header} header \`${value ?? ''}\` is not this server.`, {
    hint: 'Use the address in endpoint.json.',
    subject: header.toLowerCase(),
  });

const unauthorized = (message: string): ReturnType<typeof fail> =>
  fail('unauthorized', message, { hint: 'Send `Authorization: Bearer` with a token of the data folder.' });

/** In constant time for texts of one length; a length is no secret. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function cookieOf(request: IncomingMessage): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === COOKIE && value !== undefined) return value;
  }
  return null;
}
