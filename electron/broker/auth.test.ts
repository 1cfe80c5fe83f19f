import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Authenticator, checkOrigin, createAuthenticator } from './auth';

const TOKENS = { operator: 'operator-token-of-this-test', agent: 'agent-token-of-this-test' };
const request = (headers: Record<string, string>, method = 'GET'): IncomingMessage => ({ headers, method }) as unknown as IncomingMessage;

const PORT = 7717;

describe('identifying a caller', () => {
  const authenticator = createAuthenticator(TOKENS, () => 0);

  it('knows both tokens and what they may do', () => {
    const operator = authenticator.identify(request({ authorization: `Bearer ${TOKENS.operator}` }), PORT);
    const agent = authenticator.identify(request({ authorization: `bearer ${TOKENS.agent}` }), null);
    expect(operator.ok && [...operator.value.scopes]).toEqual(['operator.admin']);
    expect(agent.ok && [...agent.value.scopes]).toEqual(['agent']);
  });

  it.each([
    ['no header', {}],
    ['another token', { authorization: 'Bearer nope' }],
    ['a token with one letter more', { authorization: `Bearer ${TOKENS.operator}x` }],
    ['the beginning of a token', { authorization: `Bearer ${TOKENS.operator.slice(0, -1)}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${TOKENS.operator}` }],
    ['two tokens', { authorization: `Bearer ${TOKENS.agent} ${TOKENS.operator}` }],
    ['a bad token beside a good cookie', { authorization: 'Bearer nope', cookie: 'gatehouse_7717=x' }],
    ['a cookie that nobody was given', { cookie: 'gatehouse_7717=x', 'x-gatehouse-key': 'x' }],
  ])('refuses %s', (_what, headers) => {
    expect(authenticator.identify(request(headers), PORT)).toMatchObject({ ok: false, failure: { code: 'unauthorized' } });
  });

  it('lets an empty token of a damaged folder in for nobody', () => {
    const damaged = createAuthenticator({ operator: '', agent: '' }, () => 0);
    expect(damaged.identify(request({ authorization: 'Bearer ' }), PORT).ok).toBe(false);
    expect(damaged.identify(request({ authorization: 'Bearer x' }), PORT).ok).toBe(false);
  });
});

describe('a login link', () => {
  const loggedIn = (authenticator: Authenticator): { readonly cookie: string; readonly key: string } => {
    const session = authenticator.redeem(authenticator.newLoginCode(), PORT);
    return { cookie: session?.setCookie.split(';')[0] ?? '', key: session?.key ?? '' };
  };

  it('opens one browser session, once', () => {
    const authenticator = createAuthenticator(TOKENS, () => 0);
    const code = authenticator.newLoginCode();
    const session = authenticator.redeem(code, PORT);
    expect(session?.setCookie).toMatch(/^gatehouse_7717=[\w-]{40,}; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(authenticator.redeem(code, PORT)).toBeNull();
    const cookie = `a=b; ${session?.setCookie.split(';')[0]}`;
    const identity = authenticator.identify(request({ cookie, 'x-gatehouse-key': session?.key ?? '' }), PORT);
    expect(identity).toMatchObject({ ok: true, value: { by: 'browser', name: 'browser' } });
    const handshake = { cookie, 'sec-websocket-protocol': `gatehouse, gatehouse.key.${session?.key}` };
    expect(authenticator.identify(request(handshake), PORT).ok).toBe(true);
  });

  it('gives a session whose cookie is worth nothing without its key, nor with the key of another', () => {
    const authenticator = createAuthenticator(TOKENS, () => 0);
    const [one, other] = [loggedIn(authenticator), loggedIn(authenticator)];
    expect(authenticator.identify(request({ cookie: one.cookie }), PORT).ok).toBe(false);
    expect(authenticator.identify(request({ cookie: one.cookie, 'x-gatehouse-key': '' }), PORT).ok).toBe(false);
    expect(authenticator.identify(request({ cookie: one.cookie, 'x-gatehouse-key': other.key }), PORT).ok).toBe(false);
    expect(authenticator.identify(request({ 'x-gatehouse-key': one.key }), PORT).ok).toBe(false);
    expect(authenticator.identify(request({ cookie: one.cookie, 'x-gatehouse-key': one.key }), PORT).ok).toBe(true);
  });

  it('gives a session of one port: another server of this host name has its own', () => {
    const authenticator = createAuthenticator(TOKENS, () => 0);
    const { cookie, key } = loggedIn(authenticator);
    expect(authenticator.identify(request({ cookie, 'x-gatehouse-key': key }), PORT + 1).ok).toBe(false);
    expect(authenticator.identify(request({ cookie, 'x-gatehouse-key': key }), null).ok).toBe(false);
  });

  it('ends after ten minutes, and its session after twelve hours', () => {
    let now = 0;
    const authenticator = createAuthenticator(TOKENS, () => now);
    const old = authenticator.newLoginCode();
    now = 10 * 60_000;
    expect(authenticator.redeem(old, PORT)).toBeNull();
    const { cookie, key } = loggedIn(authenticator);
    const headers = { cookie, 'x-gatehouse-key': key };
    now += 12 * 3_600_000 - 1;
    expect(authenticator.identify(request(headers), PORT).ok).toBe(true);
    now += 1;
    expect(authenticator.identify(request(headers), PORT).ok).toBe(false);
  });

  it('cannot be guessed', () => {
    const authenticator = createAuthenticator(TOKENS, () => 0);
    expect(authenticator.redeem('', PORT)).toBeNull();
    expect(authenticator.redeem(TOKENS.operator, PORT)).toBeNull();
    expect(authenticator.newLoginCode()).not.toBe(authenticator.newLoginCode());
  });
});

describe('Host and Origin', () => {
  it.each([
    ['our address', { host: '127.0.0.1:7717' }],
    ['the loopback name', { host: 'localhost:7717' }],
    ['IPv6 loopback', { host: '[::1]:7717' }],
    ['our own origin', { host: '127.0.0.1:7717', origin: 'http://127.0.0.1:7717' }],
    ['a page of ours', { host: '127.0.0.1:7717', 'sec-fetch-site': 'same-origin' }],
    ['a typed address', { host: '127.0.0.1:7717', 'sec-fetch-site': 'none' }],
  ])('let %s through', (_what, headers) => {
    expect(checkOrigin(request(headers), 'http', 7717).ok).toBe(true);
  });

  it.each([
    ['a name that was rebound to us', { host: 'evil.example:7717' }],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example:7717' }],
    ['another port', { host: '127.0.0.1:7718' }],
    ['no port', { host: '127.0.0.1' }],
    ['no host', {}],
    ['a user before our name', { host: 'evil@127.0.0.1:7717' }],
    ['our name twice', { host: '127.0.0.1:7717, 127.0.0.1:7717' }],
    ['a port of six digits', { host: '127.0.0.1:007717' }],
    ['a foreign origin', { host: '127.0.0.1:7717', origin: 'https://evil.example' }],
    ['an opaque origin', { host: '127.0.0.1:7717', origin: 'null' }],
    ['another port of this machine', { host: '127.0.0.1:7717', origin: 'http://127.0.0.1:8080' }],
    ['our name with another', { host: '127.0.0.1:7717', origin: 'http://localhost:7717' }],
    ['a page of another site without an Origin', { host: '127.0.0.1:7717', 'sec-fetch-site': 'cross-site' }],
    ['a sibling port', { host: '127.0.0.1:7717', 'sec-fetch-site': 'same-site' }],
  ])('refuse %s', (_what, headers) => {
    expect(checkOrigin(request(headers), 'http', 7717)).toMatchObject({ ok: false, failure: { code: 'foreign_origin' } });
  });

  it('need no port over the Unix socket, but a loopback name', () => {
    expect(checkOrigin(request({ host: 'localhost' }), 'socket', null).ok).toBe(true);
    expect(checkOrigin(request({ host: 'evil.example' }), 'socket', null).ok).toBe(false);
  });
});
