import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/model';
import { ADMIN, Bench, outcome } from './test-bench';
import { turns } from './test-clock';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('the reviewer', () => {
  const reviewed = async (command: string, tool = 'Bash') => {
    await bench.ok('settings.update', { reviewer: { type: 'command', command } });
    const session = await bench.open({ mode: 'workspace' }, ADMIN);
    return tool === 'Bash' ? bench.bash(session, 'npm test') : bench.submit(session, tool, {});
  };
  const says = (answer: object) => `echo '${JSON.stringify(answer)}'`;

  it.each([
    ['allow', says({ verdict: 'allow', reason: 'tests' }), 'allowed reviewer'],
    ['deny', says({ verdict: 'deny', reason: 'no tests today' }), 'denied reviewer'],
    ['unsure', says({ verdict: 'unsure', reason: '' }), 'pending'],
    ['an allow that it calls risky itself', says({ verdict: 'allow', reason: '', risk: 'high' }), 'pending'],
    ['text around the answer', 'echo Sure!', 'pending'],
    ['another word', says({ verdict: 'yes' }), 'pending'],
    ['nothing', 'true', 'pending'],
    ['a failure', `${says({ verdict: 'allow' })}; exit 1`, 'pending'],
  ])('answering with %s', async (_, command, expected) => {
    expect(outcome(await reviewed(command))).toBe(expected);
  });

  it('is not asked about what is hard, nor outside mode workspace', async () => {
    const mark = bench.path('asked');
    await bench.ok('settings.update', { reviewer: { type: 'command', command: `touch ${mark}; ${says({ verdict: 'allow' })}` } });
    expect(outcome(await bench.bash(await bench.open({ mode: 'workspace' }, ADMIN), 'eval "$X"'))).toBe('pending');
    expect(outcome(await bench.bash(await bench.open({ mode: 'guarded' }, ADMIN), 'npm test'))).toBe('pending');
    expect(existsSync(mark)).toBe(false);
  });

  it('leaves the call to the person when it takes too long', async () => {
    await bench.ok('settings.update', { reviewer: { type: 'command', command: 'sleep 30', timeout_s: 5 } });
    const call = bench.bash(await bench.open({ mode: 'workspace' }, ADMIN), 'npm test');
    await turns();
    await bench.clock.advance(5_000);
    expect((await call).status).toBe('pending');
  });

  it('never sees a secret', async () => {
    const seen = bench.path('seen');
    await bench.ok('settings.update', { reviewer: { type: 'command', command: `cat > ${seen}; ${says({ verdict: 'unsure' })}` } });
    const session = await bench.open({ mode: 'workspace' }, ADMIN);
    const secret = ['hunter2', 'correct', 'horse'].join('-');
    await bench.submit(session, 'deploy', { password: secret, target: 'staging' });
    const text = readFileSync(seen, 'utf8');
    expect(text).toContain('staging');
    expect(text).not.toContain(secret);
  });

  describe('as a model', () => {
    let server: Server;
    let asked: { readonly path: string; readonly headers: JsonObject; readonly body: JsonObject }[];
    let answer: (path: string) => { readonly status: number; readonly body: string };
    let url: string;
    beforeEach(async () => {
      asked = [];
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          asked.push({
            path: request.url ?? '',
            headers: { ...request.headers } as JsonObject,
            body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
          });
          const { status, body } = answer(request.url ?? '');
          response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    });
    afterEach(() => new Promise((resolve) => server.close(resolve)));

    const verdict = JSON.stringify({ verdict: 'allow', reason: 'ordinary' });
    const call = async (type: 'openai' | 'anthropic') => {
      await bench.close();
      bench = new Bench({ env: { PATH: process.env.PATH, MODEL_KEY: 'key-of-the-test' } });
      await bench.ok('settings.update', { reviewer: { type, url, model: 'small', key_env: 'MODEL_KEY' } });
      return bench.bash(await bench.open({ mode: 'workspace' }, ADMIN), 'npm test');
    };

    it('is asked in the form of OpenAI', async () => {
      answer = () => ({ status: 200, body: JSON.stringify({ choices: [{ message: { content: `\`\`\`json\n${verdict}\n\`\`\`` } }] }) });
      expect(outcome(await call('openai'))).toBe('allowed reviewer');
      expect(asked).toMatchObject([{ path: '/v1/chat/completions', headers: { authorization: 'Bearer key-of-the-test' }, body: { model: 'small' } }]);
    });

    it('is asked in the form of Anthropic', async () => {
      answer = () => ({ status: 200, body: JSON.stringify({ content: [{ type: 'text', text: verdict }] }) });
      expect(outcome(await call('anthropic'))).toBe('allowed reviewer');
      expect(asked).toMatchObject([{ path: '/v1/messages', headers: { 'x-api-key': 'key-of-the-test' }, body: { model: 'small' } }]);
    });

    it.each([
      ['an error', 500, '{}'],
      ['another shape', 200, '{"choices":[]}'],
      ['no JSON', 200, 'hello'],
    ])('leaves the call to the person after %s', async (_, status, body) => {
      answer = () => ({ status, body });
      expect((await call('openai')).status).toBe('pending');
    });
  });
});
