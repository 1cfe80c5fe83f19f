import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../shared/commands';
import { type DoorBench, openDoorBench, untilClosed } from './door-bench';
import { ROUTES } from './routes';

let bench: DoorBench;
/** Settled when the hook's caller has hung up. */
let hookAborted: Promise<void>;

beforeAll(async () => {
  let abort: () => void = () => undefined;
  hookAborted = new Promise((resolve) => {
    abort = resolve;
  });
  bench = await openDoorBench({
    foreignRoutes: [
      { method: 'POST', path: '/hooks/echo', handle: async (body) => ({ got: JSON.stringify(body).length }) },
      {
        method: 'POST',
        path: '/hooks/waits',
        handle: (_body, _query, _call, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              abort();
              resolve(null);
            });
          }),
      },
      {
        method: 'POST',
        path: '/hooks/fails',
        handle: async () => {
          throw new Error('a fault of ours');
        },
      },
    ],
  });
});
afterAll(() => bench.close());

const pathOf = (path: string): string => path.replaceAll(/:\w+/g, 'x');
const isReading = (method: string): boolean => method === 'GET' || method === 'DELETE';

describe('a body', () => {
  it.each([
    ['that is not JSON', '{"agent":', 400, 'not_json'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'not_json'],
    ['of another type', '[]', 422, 'invalid'],
    ['that is text', '"x"', 422, 'invalid'],
    ['that is null', 'null', 422, 'invalid'],
    ['with a field of the wrong type', '{"agent": 3}', 422, 'invalid'],
    ['with an unknown field', '{"agent": "x", "colour": "red"}', 422, 'invalid'],
    ['with a prototype for a field', '{"agent": "x", "__proto__": {"mode": "full"}}', 422, 'invalid'],
    ['with a constructor for a field', '{"agent": "x", "constructor": {"prototype": {"mode": "full"}}}', 422, 'invalid'],
    ['nested too deep', `{"agent": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 422, 'invalid'],
    ['that only begins to be nested', '['.repeat(500_000), 422, 'invalid'],
  ])('%s is refused with a typed error', async (_what, body, status, code) => {
    const answer = await bench.ask('POST', '/api/sessions', { body });
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    expect(bench.faults).toEqual([]);
  });

  it('with a prototype for a field changes nothing, wherever it may have one', async () => {
    const id = await bench.openSession();
    const body = '{"call_id":"p","tool":"unknown_tool","input":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
    expect((await bench.ask('POST', `/api/sessions/${id}/requests`, { body })).status).toBe(200);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each([
    ['declared', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('over 1 MiB, %s, is refused before all of it is sent, and the client hears why', async (_how, headers) => {
    const answer = await bench.ask('POST', '/api/sessions', { body: Buffer.alloc(2 * 1024 * 1024, 0x20), headers });
    expect([answer.status, answer.json.error?.code, answer.headers.connection]).toEqual([413, 'too_large', 'close']);
  });

  it('over 1 MiB is refused also while the client goes on sending, and the connection ends without a reset', async () => {
    const socket = await bench.raw();
    const heard = untilClosed(socket);
    socket.write(headOf('POST', '/api/sessions', { 'Content-Length': String(64 * 1024 * 1024) }));
    for (let sent = 0; sent < 8; sent += 1) socket.write(Buffer.alloc(1024 * 1024, 0x20));
    socket.end();
    expect(await heard).toMatch(/^HTTP\/1\.1 413 .*"too_large"/s);
  });

  it('over 1 MiB is not asked for by a server that was asked first', async () => {
    const socket = await bench.raw();
    const heard = untilClosed(socket);
    socket.write(headOf('POST', '/api/sessions', { 'Content-Length': '2097152', Expect: '100-continue' }));
    const answered = new Promise((resolve) => socket.once('data', resolve));
    await answered;
    socket.end();
    expect(await heard).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is asked for when the client asks first', async () => {
    const answer = await bench.ask('POST', '/api/groups', { body: '{"id": "asked-first", "name": "Asked"}', headers: { expect: '100-continue' } });
    expect(answer.status).toBe(201);
  });

  it('that never comes does not hold up other callers', async () => {
    const socket = await bench.raw();
    socket.write(headOf('POST', '/api/sessions', { 'Content-Length': '100' }));
    socket.write('{"agent":');
    expect((await bench.ask('GET', '/api/health')).status).toBe(200);
    socket.destroy();
  });

  it('names the field that is wrong', async () => {
    const answer = await bench.ask('POST', '/api/rules', { body: '{"tool_pattern": "Bash", "action": "maybe"}' });
    expect(answer.json.error).toMatchObject({ code: 'invalid', subject: 'action' });
  });

  it('may be left out where nothing in it is needed', async () => {
    expect((await bench.ask('POST', `/api/sessions/${await bench.openSession()}/end`)).status).toBe(200);
  });

  it('cannot speak of another object than the path', async () => {
    const [one, other] = [await bench.openSession(), await bench.openSession()];
    const answer = await bench.post(`/api/sessions/${one}/end`, { session_id: other });
    expect([answer.status, answer.json.error?.subject]).toEqual([422, 'session_id']);
    expect((await bench.ask('GET', `/api/sessions/${one}`)).json.state).toBe('idle');
  });
});

describe('authentication', () => {
  it('is needed on every route', async () => {
    for (const { method, path } of ROUTES) {
      expect([method, path, (await bench.ask(method, pathOf(path), { token: null })).status]).toEqual([method, path, 401]);
    }
    for (const [method, path] of [
      ['GET', '/api/openapi.json'],
      ['GET', '/api/activity/export'],
      ['GET', '/api/events'],
      ['GET', '/api/nothing'],
      ['POST', '/api/commands/inbox.list'],
      ['POST', '/api/login-links'],
      ['POST', '/hooks/echo'],
    ] as const) {
      const answer = await bench.ask(method, path, { token: null });
      expect([path, answer.status, answer.headers['www-authenticate']]).toEqual([path, 401, 'Bearer']);
    }
  });

  it('comes before the body', async () => {
    const answer = await bench.ask('POST', '/api/rules', { token: null, body: Buffer.alloc(2 * 1024 * 1024, 0x20) });
    expect(answer.status).toBe(401);
  });

  it('closes every operator route to the agent token', async () => {
    for (const { method, path, command } of ROUTES) {
      if (COMMANDS[command].scope === 'agent') continue;
      const answer = await bench.ask(method, pathOf(path), { token: bench.tokens.agent, ...(isReading(method) ? {} : { body: '{}' }) });
      expect([method, path, answer.status, answer.json.error?.code]).toEqual([method, path, 403, 'forbidden']);
    }
    for (const [method, path] of [
      ['GET', '/api/activity/export?format=jsonl'],
      ['POST', '/api/commands/rule.list'],
      ['POST', '/api/login-links'],
    ] as const) {
      expect([path, (await bench.ask(method, path, { token: bench.tokens.agent })).status]).toEqual([path, 403]);
    }
  });

  it('answers the same over the Unix socket', async () => {
    expect((await bench.ask('GET', '/api/health', { overSocket: true })).status).toBe(200);
    expect((await bench.ask('GET', '/api/health', { overSocket: true, token: null })).status).toBe(401);
    expect((await bench.ask('GET', '/api/health', { overSocket: true, headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await bench.ask('GET', '/login?code=x', { overSocket: true })).status).toBe(401);
  });

  it('refuses a foreign Host or Origin, also with a token, and before it looks at the token', async () => {
    const foreign: readonly Record<string, string>[] = [{ host: 'evil.example' }, { origin: 'https://evil.example' }, { origin: 'null' }];
    for (const headers of foreign) {
      for (const token of [bench.tokens.operator, null]) {
        const answer = await bench.ask('GET', '/api/rules', { headers, token });
        expect([answer.status, answer.json.error?.code]).toEqual([403, 'foreign_origin']);
      }
    }
  });

  it('lets no page of another site read an answer', async () => {
    const answer = await bench.ask('OPTIONS', '/api/rules', { headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } });
    expect(answer.status).toBe(403);
    expect(Object.keys((await bench.ask('GET', '/api/rules')).headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('a route', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['GET', '/api'],
    ['GET', '/nothing'],
    ['POST', '/api/rules/x/y/z'],
    ['POST', '/api/commands/constructor'],
    ['POST', '/api/commands/toString'],
    ['POST', '/api/commands/__proto__'],
    ['GET', '/api/sessions/%zz'],
    ['GET', `/api/sessions/${'x'.repeat(600)}`],
    ['GET', '/api/sessions/..%2Frules'],
  ])('that does not exist is 404 with the error record: %s %s', async (method, path) => {
    const answer = await bench.ask(method, path, method === 'GET' ? {} : { body: '{}' });
    expect([answer.status, answer.json.error?.code]).toEqual([404, 'not_found']);
  });

  it('answers 404 to another verb, and says which it has', async () => {
    const answer = await bench.ask('PUT', '/api/rules', { body: '{}' });
    expect([answer.status, answer.json.error?.hint, answer.headers.allow]).toEqual([404, 'Use GET or POST.', 'OPTIONS, HEAD, GET, POST']);
    const options = await bench.ask('OPTIONS', '/api/sessions/x/run_context');
    expect([options.status, options.headers.allow]).toEqual([204, 'OPTIONS, POST, PUT']);
  });

  it('answers HEAD as GET without the body', async () => {
    const [head, get] = [await bench.ask('HEAD', '/api/rules'), await bench.ask('GET', '/api/rules')];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
    expect((await bench.ask('HEAD', '/api/activity/export')).text).toBe('');
    expect((await bench.ask('HEAD', '/api/rules', { token: null })).status).toBe(401);
  });

  it('that makes something answers 201', async () => {
    expect((await bench.post('/api/projects', { name: 'Made' })).status).toBe(201);
  });

  it('takes a null run context apart from none', async () => {
    const id = await bench.openSession();
    expect((await bench.ask('POST', `/api/sessions/${id}/run_context`, { body: 'null' })).status).toBe(200);
    expect((await bench.ask('PUT', `/api/sessions/${id}/run-context`, { body: '{"allow_fs_reads":["/a"]}' })).status).toBe(200);
    expect((await bench.ask('POST', `/api/sessions/${id}/run_context`)).status).toBe(422);
    expect((await bench.ask('GET', `/api/sessions/${id}/effective`)).text).toContain('/a');
  });

  it('streams an export, and refuses a format or a filter that it does not know', async () => {
    await bench.pending();
    const [lines, table] = [await bench.ask('GET', '/api/activity/export'), await bench.ask('GET', '/api/activity/export?format=csv')];
    expect(
      lines.text
        .trim()
        .split('\n')
        .every((line) => typeof JSON.parse(line) === 'object'),
    ).toBe(true);
    expect([lines.headers['content-type'], table.headers['content-type']]).toEqual([
      'application/x-ndjson; charset=utf-8',
      'text/csv; charset=utf-8',
    ]);
    expect((await bench.ask('GET', '/api/activity/export?format=xml')).status).toBe(422);
    expect((await bench.ask('GET', '/api/activity/export?colour=red')).status).toBe(422);
  });

  it('of a hook takes what an agent holds, and a fault in it is a 500 that tells nothing', async () => {
    expect((await bench.ask('POST', '/hooks/echo', { body: JSON.stringify('x'.repeat(3_000_000)) })).status).toBe(200);
    const failed = await bench.ask('POST', '/hooks/fails?secret=1', { body: '{}' });
    expect([failed.status, failed.text.includes('ours')]).toEqual([500, false]);
    expect(bench.faults.splice(0)).toHaveLength(1);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['garbage', 'nonsense\r\n\r\n', /^HTTP\/1\.1 400 .*"invalid"/s],
    ['a header that breaks its line', 'GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no Host', 'GET /api/health HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['headers without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}`, /^HTTP\/1\.1 431 /],
    ['both lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a proxy request', 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 403 /],
  ])('is refused: %s', async (_what, text, expected) => {
    const socket = await bench.raw();
    const heard = untilClosed(socket);
    socket.write(text);
    expect(await heard).toMatch(expected);
  });

  it('puts nothing of a request into the headers of an answer', async () => {
    const answer = await bench.ask('GET', '/api/nothing%0d%0aX-Injected:%201');
    expect([answer.status, answer.headers['x-injected']]).toEqual([404, undefined]);
    const export_ = await bench.ask('GET', '/api/activity/export?format=csv%0d%0aX-Injected:%201');
    expect([export_.status, export_.headers['x-injected']]).toEqual([422, undefined]);
  });
});

describe('a long poll', () => {
  it('ends with the decision', async () => {
    const { id, digest } = await bench.pending();
    const waits = bench.ask('GET', `/api/requests/${id}?wait_ms=20000`, { token: bench.tokens.agent });
    await bench.post(`/api/requests/${id}/resolve`, { action: 'deny', digest, note: 'not now' });
    expect((await waits).json).toMatchObject({ status: 'denied', decision: { cause: 'human', note: 'not now' } });
  });

  it('ends by itself as pending', async () => {
    const { id } = await bench.pending();
    expect((await bench.ask('GET', `/api/requests/${id}?wait_ms=1`, { token: bench.tokens.agent })).json.status).toBe('pending');
  });

  it('that is hung up on leaves its request pending', async () => {
    const { id } = await bench.pending();
    const socket = await bench.raw();
    await new Promise<void>((resolve) => {
      socket.write(headOf('GET', `/api/requests/${id}?wait_ms=60000`, {}, bench.tokens.agent), () => resolve());
    });
    socket.destroy();
    expect((await bench.ask('GET', `/api/requests/${id}`)).json.status).toBe('pending');
  });

  it('tells the one who waits behind it that its caller has hung up', async () => {
    const socket = await bench.raw();
    socket.write(`${headOf('POST', '/hooks/waits', { 'Content-Length': '2' })}{}`);
    // The route has been reached once something that was sent later is answered.
    await bench.ask('GET', '/api/health');
    socket.destroy();
    await expect(hookAborted).resolves.toBeUndefined();
  });

  it('can be had by 200 agents at once', async () => {
    const { id, digest } = await bench.pending();
    const polls = Array.from({ length: 200 }, () => bench.ask('GET', `/api/requests/${id}?wait_ms=20000`, { token: bench.tokens.agent }));
    await bench.post(`/api/requests/${id}/resolve`, { action: 'approve', digest });
    expect(new Set((await Promise.all(polls)).map((answer) => answer.json.status))).toEqual(new Set(['allowed']));
  });
});

describe('a client that does not read its answer', () => {
  it('is dropped after a minute', async () => {
    const large = await openDoorBench({
      files: new Map([['/large', { body: Buffer.alloc(64 * 1024 * 1024), type: 'text/plain', immutable: false }]]),
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const socket = await large.raw();
      socket.pause();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.write(`GET /large HTTP/1.1\r\nHost: ${new URL(large.doors.endpoint.url).host}\r\n\r\n`);
      // The answer has begun once something that was asked later is answered.
      await large.ask('GET', '/api/health');
      vi.advanceTimersByTime(60_000);
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(64 * 1024 * 1024);
    } finally {
      vi.useRealTimers();
      await large.close();
    }
  });
});

function headOf(method: string, path: string, headers: Readonly<Record<string, string>>, token = bench.tokens.operator): string {
  const lines = { Host: new URL(bench.doors.endpoint.url).host, Authorization: `Bearer ${token}`, ...headers };
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}
