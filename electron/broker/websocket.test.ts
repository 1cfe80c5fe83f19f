import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { type DoorBench, openDoorBench } from './door-bench';

let bench: DoorBench;
beforeAll(async () => {
  bench = await openDoorBench();
});
afterAll(() => bench.close());

/** Of 4 MB each; four times what is kept for a client and what the system keeps for it. */
const MOST_ROUNDS = 30;

type Message = Readonly<Record<string, unknown>>;

async function open(token: string): Promise<WebSocket> {
  const client = bench.events({ authorization: `Bearer ${token}` });
  await opened(client);
  return client;
}
const opened = (client: WebSocket): Promise<void> => new Promise((resolve, reject) => client.once('open', () => resolve()).once('error', reject));
const closed = (client: WebSocket): Promise<number> => new Promise((resolve) => client.once('close', (code) => resolve(code)));

function next(client: WebSocket, isIt: (message: Message) => boolean): Promise<Message> {
  return new Promise((resolve) => {
    const receive = (data: unknown): void => {
      const message = JSON.parse(String(data));
      if (!isIt(message)) return;
      client.off('message', receive);
      resolve(message);
    };
    client.on('message', receive);
  });
}

async function call(client: WebSocket, command: string, input?: unknown, id: string | number = command): Promise<Message> {
  const answer = next(client, (message) => message.id === id);
  client.send(JSON.stringify({ id, command, input }));
  return answer;
}
const recordOf = (message: Message): { readonly id: string; readonly digest: string; readonly status: string } =>
  message.value as ReturnType<typeof recordOf>;
const codeOf = (message: Message): string => (message.failure as { readonly code: string }).code;

describe('a handshake', () => {
  it('is refused without a token, from a page of another site, and on another path', async () => {
    const session = bench.authenticator.redeem(bench.authenticator.newLoginCode(), Number(new URL(bench.doors.endpoint.url).port));
    const cookie = session?.setCookie.split(';')[0] ?? '';
    const protocols = ['gatehouse', `gatehouse.key.${session?.key}`];
    const operator = `Bearer ${bench.tokens.operator}`;
    const refused: readonly [Record<string, string>, readonly string[]][] = [
      [{}, []],
      [{ authorization: 'Bearer nope' }, []],
      [{ cookie }, protocols],
      [{ cookie, origin: bench.doors.endpoint.url }, []],
      [{ cookie, origin: 'https://evil.example' }, protocols],
      [{ cookie, origin: 'null' }, protocols],
      [{ authorization: operator, origin: 'https://evil.example' }, []],
      [{ authorization: operator, host: 'evil.example' }, []],
    ];
    for (const [headers, offered] of refused) await expect(opened(bench.events(headers, offered))).rejects.toThrow(/40[13]/);
    const ours = bench.events({ cookie, origin: bench.doors.endpoint.url }, protocols);
    await opened(ours);
    expect(ours.protocol).toBe('gatehouse');
    ours.terminate();
    const elsewhere = await bench.ask('GET', '/api/inbox', { headers: { connection: 'Upgrade', upgrade: 'websocket' } });
    expect([elsewhere.status, elsewhere.json.error?.code]).toEqual([404, 'not_found']);
  });
});

describe('an agent', () => {
  it('opens a session, asks, and hears the decision over one connection', async () => {
    const agent = await open(bench.tokens.agent);
    const session = recordOf(await call(agent, 'session.open', { agent: 'socket-agent', source: 'api', cwd: bench.work }));
    const asked = { session_id: session.id, call_id: 'k', tool: 'unknown_tool', input: {} };
    const request = recordOf(await call(agent, 'request.submit', asked));
    expect(request.status).toBe('pending');
    const decision = next(agent, (message) => message.type === 'decision');
    await bench.post(`/api/requests/${request.id}/resolve`, { action: 'approve', digest: request.digest });
    expect((await decision).request).toMatchObject({ id: request.id, status: 'allowed' });
    agent.terminate();
  });

  it('hears a decision once, however often it asked', async () => {
    const agent = await open(bench.tokens.agent);
    const session = recordOf(await call(agent, 'session.open', { agent: 'socket-agent', source: 'api', cwd: bench.work }));
    const asked = { session_id: session.id, call_id: 'k', tool: 'unknown_tool', input: {} };
    const request = recordOf(await call(agent, 'request.submit', asked, 1));
    expect(recordOf(await call(agent, 'request.submit', asked, 2)).id).toBe(request.id);
    const decisions: Message[] = [];
    agent.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type === 'decision') decisions.push(message);
    });
    const first = next(agent, (message) => message.type === 'decision');
    await bench.post(`/api/requests/${request.id}/resolve`, { action: 'deny', digest: request.digest });
    await first;
    await call(agent, 'health.get');
    await call(agent, 'health.get');
    expect(decisions).toHaveLength(1);
    agent.terminate();
  });

  it('hears that nobody answered', async () => {
    const agent = await open(bench.tokens.agent);
    const session = recordOf(await call(agent, 'session.open', { agent: 'socket-agent', source: 'api', cwd: bench.work }));
    const decision = next(agent, (message) => message.type === 'decision');
    await call(agent, 'request.submit', { session_id: session.id, call_id: 'k', tool: 'unknown_tool', input: {}, expires_in_s: 0.05 });
    expect((await decision).request).toMatchObject({ status: 'blocked', decision: { cause: 'expired' } });
    agent.terminate();
  });

  it('sees nothing of sessions that were not opened here, and no operator command', async () => {
    const other = await bench.pending();
    const agent = await open(bench.tokens.agent);
    expect(codeOf(await call(agent, 'request.get', { id: other.id }))).toBe('not_found');
    expect(codeOf(await call(agent, 'request.withdraw', { id: other.id }))).toBe('not_found');
    expect(codeOf(await call(agent, 'session.end', { session_id: other.sessionId }))).toBe('not_found');
    for (const command of ['snapshot', 'inbox.list', 'rule.create', 'request.resolve', 'settings.update']) {
      expect([command, codeOf(await call(agent, command, {}))]).toEqual([command, 'forbidden']);
    }
    agent.terminate();
  });

  it('that hangs up leaves its request pending', async () => {
    const agent = await open(bench.tokens.agent);
    const session = recordOf(await call(agent, 'session.open', { agent: 'socket-agent', source: 'api', cwd: bench.work }));
    const request = recordOf(await call(agent, 'request.submit', { session_id: session.id, call_id: 'k', tool: 'unknown_tool', input: {} }));
    const gone = closed(agent);
    agent.terminate();
    await gone;
    expect((await bench.ask('GET', `/api/requests/${request.id}`)).json.status).toBe('pending');
  });
});

describe('an operator', () => {
  it('gets a snapshot, and every change after it with the next number', async () => {
    const operator = await open(bench.tokens.operator);
    const { revision } = (await call(operator, 'snapshot')).value as { readonly revision: number };
    for (const [step, id] of ['streamed-one', 'streamed-two'].entries()) {
      const change = next(operator, (message) => message.type === 'changes');
      await bench.post('/api/groups', { id, name: id });
      expect(await change).toMatchObject({ revision: revision + step + 1 });
      expect((await change).changes).toContainEqual({ put: 'group', value: expect.objectContaining({ id }) });
    }
    operator.terminate();
  });

  it('gets no change that it has not asked for', async () => {
    const operator = await open(bench.tokens.operator);
    const messages: unknown[] = [];
    operator.on('message', (data) => messages.push(JSON.parse(String(data)).id));
    await call(operator, 'group.create', { id: 'unseen', name: 'Unseen' });
    await call(operator, 'health.get');
    expect(messages).toEqual(['group.create', 'health.get']);
    operator.terminate();
  });

  it('that never reads is dropped before its answers fill the memory', async () => {
    for (let number = 0; number < 20; number += 1) await bench.post('/api/groups', { name: `Long ${number}`, description: 'x'.repeat(10_000) });
    const operator = await open(bench.tokens.operator);
    let code: number | null = null;
    operator.once('close', (given) => {
      code = given;
    });
    operator.pause();
    // Some 200 kB each. A write after the other side is gone tells, also to a client that does not read.
    for (let round = 0; code === null && round < MOST_ROUNDS; round += 1) {
      for (let id = 0; id < 20; id += 1) operator.send(JSON.stringify({ id, command: 'group.list' }), () => undefined);
      await bench.ask('GET', '/api/health');
    }
    expect(code).toBe(1006);
  });
});

describe('a message', () => {
  it.each([
    ['no JSON', '{', null, 'not_json'],
    ['a list', '[]', null, 'invalid'],
    ['without a command', '{"id":1}', 1, 'invalid'],
    ['with another field', '{"id":"a","command":"health.get","token":"x"}', 'a', 'invalid'],
    ['with an object for a number', '{"id":{},"command":"health.get"}', null, 'invalid'],
    ['of no command', '{"id":1,"command":"nope"}', 1, 'not_found'],
    ['of a property of objects', '{"id":1,"command":"__proto__"}', 1, 'not_found'],
    ['with input of the wrong type', '{"id":1,"command":"health.get","input":[]}', 1, 'invalid'],
    ['nested too deep', `{"id":1,"command":"health.get","input":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, null, 'invalid'],
  ])('that is %s is answered with an error, and the connection stays', async (_what, text, id, code) => {
    const operator = await open(bench.tokens.operator);
    const answer = next(operator, (message) => message.ok === false);
    operator.send(text);
    expect([(await answer).id, codeOf(await answer)]).toEqual([id, code]);
    expect((await call(operator, 'health.get')).ok).toBe(true);
    expect(bench.faults).toEqual([]);
    operator.terminate();
  });

  it.each([
    ['of more than 1 MiB', ' '.repeat(1024 * 1024 + 1), 1009],
    ['that is binary', Buffer.from('{"id":1,"command":"health.get"}'), 1008],
  ])('%s ends the connection with a code that says so', async (_what, data, code) => {
    const operator = await open(bench.tokens.operator);
    const gone = closed(operator);
    operator.send(data);
    expect(await gone).toBe(code);
  });

  it('may be one of many that wait at the same time', async () => {
    const operator = await open(bench.tokens.operator);
    operator.setMaxListeners(100);
    const answers = Array.from({ length: 100 }, (_, id) => call(operator, 'health.get', {}, id));
    expect((await Promise.all(answers)).map((answer) => answer.ok)).toEqual(answers.map(() => true));
    operator.terminate();
  });
});
