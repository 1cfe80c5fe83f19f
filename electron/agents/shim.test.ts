import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shimPath, writeShims } from './shim';

let dataDir: string;
let server: Server | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "gatehouse shim's "));
  writeShims({
    dataDir,
    socket: join(dataDir, 's'),
    agentToken: 'token-of-this-test',
    agents: [{ agent: 'some-agent', route: '/hooks/some-agent' }],
    fallback: ['false'],
  });
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

function listen(answer: RequestListener): Promise<void> {
  server = createServer(answer);
  return new Promise((resolve) => server?.listen(join(dataDir, 's'), resolve));
}

function run(role: 'gate' | 'observe', input = '{"tool":"Bash"}'): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-c', `"$0" ${role}`, shimPath({ dataDir }, 'some-agent')], { stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

describe('the command shim', () => {
  it('hands the event over with the token and prints the answer', async () => {
    let seen = '';
    await listen((request, response) => {
      request.on('data', (chunk) => {
        seen += chunk;
      });
      request.on('end', () => response.end(JSON.stringify({ url: request.url, authorization: request.headers.authorization })));
    });
    const { code, stdout } = await run('gate');
    expect(code).toBe(0);
    expect(seen).toBe('{"tool":"Bash"}');
    expect(JSON.parse(stdout)).toEqual({ url: '/hooks/some-agent?role=gate', authorization: 'Bearer token-of-this-test' });
  });

  it.each<[string, RequestListener]>([
    ['answers with an error', (_request, response) => response.writeHead(500).end('{"error":{}}')],
    ['answers with text that is no JSON', (_request, response) => response.end('fine by me')],
    ['answers with nothing', (_request, response) => response.end()],
    ['hangs up in the middle', (request) => request.socket.destroy()],
  ])('refuses, with a sentence for the model, when the gate %s', async (_what, answer) => {
    await listen(answer);
    const { code, stdout, stderr } = await run('gate');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('refused');
  });

  it('refuses when no gate is running', async () => {
    const { code, stderr } = await run('gate');
    expect(code).toBe(2);
    expect(stderr).toContain('Start Gatehouse');
  });

  it('never stands in the way when it only observes', async () => {
    expect(await run('observe')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('takes an event of 3 MB', async () => {
    let size = 0;
    await listen((request, response) => {
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      request.on('end', () => response.end('{}'));
    });
    const { code } = await run('gate', JSON.stringify({ content: 'x'.repeat(3_000_000) }));
    expect(code).toBe(0);
    expect(size).toBeGreaterThan(3_000_000);
  });

  it('is for its owner only', () => {
    expect(statSync(shimPath({ dataDir }, 'some-agent')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'hooks', 'agent.headers')).mode & 0o777).toBe(0o600);
  });
});
