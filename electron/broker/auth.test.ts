import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { checkOrigin, createAuthenticator } from './auth';

const TOKENS = { operator: 'operator-token-of-this-test', agent: 'agent-token-of-this-test' };
const request = (headers: Record<string, string>, method = 'GET'): IncomingMessage => ({ headers, method }) as unknown as IncomingMessage;

describe('identifying a caller', () => {
  const authenticator = createAuthenticator(TOKENS, () => 0);

  it('knows both tokens and what they may do', () => {
    const operator = authenticator.identify(request({ authorization: `Bearer ${TOKENS.operator}` }));
    const agent = authenticator.identify(request({ authorization: `bearer ${TOKENS.agent}` }));
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
    ['a bad token beside a good cookie', { authorization: 'Bearer nope', cookie: 'gatehouse_session=x' }],
  ])('refuses %s', (_what, headers) => {
    expect(authenticator.identify(request(headers))).toMatchObject({ ok: false, failure: { code: 'unauthorized' } });
  });
});

describe('a login link', () => {
  it('opens one browser session, once', () => {
    const authenticator = createAuthenticator(TOKENS, () => 0);
    const code = authenticator.newLoginCode();
    const cookie = authenticator.redeem(code);
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect(authenticator.redeem(code)).toBeNull();
    const identity = authenticator.identify(request({ cookie: `a=b; ${String(cookie).split(';')[0]}` }));
    expect(identity).toMatchObject({ ok: true, value: { by: 'cookie', name: 'browser' } });
  });

  it('ends after ten minutes, and its session after twelve hours', () => {
    let now = 0;
    const authenticator = createAuthenticator(TOKENS, () => now);
    const old = authenticator.newLoginCode();
    now = 10 * 60_000;
    expect(authenticator.redeem(old)).toBeNull();
    const cookie = String(authenticator.redeem(authenticator.newLoginCode())).split(';')[0] ?? '';
    now += 12 * 3_600_000 - 1;
    expect(authenticator.identify(request({ cookie })).ok).toBe(true);
    now += 1;
    expect(authenticator.identify(request({ cookie })).ok).toBe(false);
  });

  it('cannot be guessed', () => {
    const authenticator = createAuthenticator(TOKENS, () => 0);
    expect(authenticator.redeem('')).toBeNull();
    expect(authenticator.redeem(TOKENS.operator)).toBeNull();
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
