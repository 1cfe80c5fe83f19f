import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DoorBench, openDoorBench } from './door-bench';

let bench: DoorBench;
beforeAll(async () => {
  bench = await openDoorBench();
});
afterAll(() => bench.close());

async function logIn(): Promise<{ readonly cookie: string; readonly 'x-gatehouse-key': string }> {
  const login = await bench.ask('GET', `/login?code=${bench.authenticator.newLoginCode()}`, { token: null });
  return {
    cookie: String(login.headers['set-cookie']?.[0]).split(';')[0] ?? '',
    'x-gatehouse-key': String(login.headers.location).slice('/#key='.length),
  };
}

describe('a browser', () => {
  it('logs in once by its link, which leaves no code in the address', async () => {
    const code = bench.authenticator.newLoginCode();
    const login = await bench.ask('GET', `/login?code=${code}`, { token: null });
    expect([login.status, login.headers['referrer-policy'], login.headers['cache-control']]).toEqual([303, 'no-referrer', 'no-store']);
    expect(login.headers.location).toMatch(/^\/#key=[\w-]{43}$/);
    expect((await bench.ask('GET', `/login?code=${code}`, { token: null })).status).toBe(401);
  });

  it('does not use up a link by looking at its head', async () => {
    const path = `/login?code=${bench.authenticator.newLoginCode()}`;
    expect((await bench.ask('HEAD', path, { token: null })).status).toBe(404);
    expect((await bench.ask('GET', path, { token: null })).status).toBe(303);
  });

  it('needs the key of its page to read, and its own origin to change something', async () => {
    const headers = await logIn();
    const body = JSON.stringify({ tool_pattern: 'cookie-test', action: 'deny' });
    expect((await bench.ask('GET', '/api/inbox', { token: null, headers })).status).toBe(200);
    expect((await bench.ask('GET', '/api/inbox', { token: null, headers: { cookie: headers.cookie } })).status).toBe(401);
    expect((await bench.ask('POST', '/api/rules', { token: null, headers, body })).status).toBe(403);
    const foreign = { ...headers, origin: 'http://127.0.0.1:1' };
    expect((await bench.ask('POST', '/api/rules', { token: null, headers: foreign, body })).status).toBe(403);
    const own = { ...headers, origin: bench.doors.endpoint.url };
    expect((await bench.ask('POST', '/api/rules', { token: null, headers: { ...own, 'sec-fetch-site': 'same-site' }, body })).status).toBe(403);
    expect((await bench.ask('POST', '/api/rules', { token: null, headers: own, body })).status).toBe(201);
  });

  it('gets a new link from an operator who is at home already', async () => {
    const { status, json } = await bench.post('/api/login-links', {});
    expect([status, json.expires_in_s]).toEqual([201, 600]);
    expect((await bench.ask('GET', String(json.path), { token: null })).status).toBe(303);
  });

  it('gets the page with a strict policy', async () => {
    for (const path of ['/', '/index.html']) {
      const page = await bench.ask('GET', path, { token: null });
      expect([page.status, page.text, page.headers['content-type']]).toEqual([200, '<!doctype html><title>page</title>', 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect([page.headers['x-content-type-options'], page.headers['cache-control']]).toEqual(['nosniff', 'no-cache']);
    }
    const script = await bench.ask('GET', '/assets/index-abc.js', { token: null });
    expect([script.headers['content-type'], script.headers['cache-control']]).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect((await bench.ask('HEAD', '/', { token: null })).headers['content-length']).toBe('34');
  });

  it('gets no page from a rebound name, nor inside a page of another site', async () => {
    expect((await bench.ask('GET', '/', { token: null, headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await bench.ask('GET', '/', { token: null, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });

  it.each([
    '/../outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/%2e%2e%2foutside.txt',
    '/assets/../../outside.txt',
    '/assets',
    '/assets/',
    '//outside.txt',
    '/index.html/',
    '/\\..\\outside.txt',
    '/%00',
    '/index.html%00',
    '/__proto__',
    '/constructor',
  ])('gets nothing outside of the folder of the page: %s', async (path) => {
    const answer = await bench.ask('GET', path, { token: null });
    expect([answer.status, answer.json.error?.code, answer.text.includes('content of another file')]).toEqual([404, 'not_found', false]);
  });
});
