import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandName, Draft, Output } from '../../shared/commands';
import type { Result } from '../../shared/failure';
import type { Request } from '../../shared/model';
import { openStore } from '../store/store';
import type { Asked } from './faults-child';
import { outcome } from './test-bench';

const KILLS = process.env.GATEHOUSE_DEEP ? 200 : 8;
const AGENTS = 10;

const outDir = resolve(__dirname, '../../node_modules/.cache/gatehouse-tests', `faults-child-${process.pid}`);
beforeAll(async () => {
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(__dirname, 'faults-child.ts'),
      target: 'node18.15',
      outDir,
      minify: false,
      rollupOptions: { external: ['@photostructure/sqlite', 'electron'], output: { format: 'cjs', entryFileNames: 'faults-child.cjs' } },
    },
  });
}, 60_000);
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

/** A server that is killed and started again while its callers go on. */
class Server {
  #child: ChildProcess | null = null;
  #up: Promise<void> = Promise.resolve();
  #waiting = new Map<number, (answer: unknown) => void>();
  #next = 1;

  constructor(
    private readonly dataDir: string,
    private readonly home: string,
  ) {
    this.start();
  }

  start(): void {
    const child = fork(join(outDir, 'faults-child.cjs'), [this.dataDir, this.home], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    this.#up = new Promise((ready) => {
      child.on('message', ({ id, result }: { id: number; result: unknown }) => {
        if (id === 0) {
          expect(result).toEqual([]);
          ready();
          return;
        }
        this.#waiting.get(id)?.(result);
        this.#waiting.delete(id);
      });
    });
  }

  up(): Promise<void> {
    return this.#up;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise((ended) => child.once('exit', ended));
    child.kill('SIGKILL');
    await gone;
    const cutOff = [...this.#waiting.values()];
    this.#waiting.clear();
    this.start();
    for (const tell of cutOff) tell(null);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const gone = new Promise((ended) => child.once('exit', ended));
    child.kill('SIGKILL');
    await gone;
  }

  /** Null: the server was killed before it answered. */
  async call<N extends CommandName>(name: N, input: Draft<N>, by: Asked['by']): Promise<Result<Output<N>> | null> {
    await this.#up;
    const child = this.#child;
    if (child === null) return null;
    const id = this.#next++;
    return new Promise((answer) => {
      this.#waiting.set(id, (told) => answer(told as Result<Output<N>> | null));
      child.send({ id, name, input, by } satisfies Asked, (error) => {
        if (error !== null && this.#waiting.delete(id)) answer(null);
      });
    });
  }
}

/** A sequence that is the same in every run with the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const CALLS = [
  { tool: 'Read', input: { file_path: 'a' }, ends: ['allowed directory'] },
  { tool: 'Write', input: { file_path: 'locked/a', content: 'x' }, ends: ['denied rule'] },
  { tool: 'Bash', input: { command: 'npm test' }, ends: ['allowed human', 'denied human'] },
  { tool: 'send_mail', input: { body: 'hello' }, ends: ['staged outbox'] },
] as const;

test(`after kill -9 at ${KILLS} moments under load every call has one answer, and none is allowed without cause`, {
  timeout: 60_000 + KILLS * 3_000,
}, async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-faults-')));
  const [dataDir, app] = [join(dir, 'data'), join(dir, 'app')];
  mkdirSync(app);
  const random = randomOf(7);
  const server = new Server(dataDir, join(dir, 'home'));
  const person = async <N extends CommandName>(name: N, input: Draft<N>) => {
    const result = await server.call(name, input, 'person');
    if (!result?.ok) throw new Error(`${name} failed`);
    return result.value;
  };
  await person('rule.create', { tool_pattern: 'Write', path_pattern: 'locked/*', action: 'deny' });
  const run_context = { outbox: ['send_*'], hooks: [{ event: 'pre_tool' as const, command: 'exit 0', tools: ['send_*'] }] };

  let isOver = false;
  /** What agents were told in the end, and what a person was told of their answers. */
  const told = new Map<string, Request>();
  const answered = new Map<string, string>();

  async function agent(number: number): Promise<void> {
    const external_id = `agent-${number}`;
    let sessionId = '';
    while (sessionId === '') {
      const opened = await server.call('session.open', { agent: 'test', external_id, cwd: app, run_context }, 'person');
      if (opened?.ok) sessionId = opened.value.id;
    }
    for (let count = 0; count === 0 || !isOver; count += 1) {
      const { tool, input } = CALLS[Math.floor(random() * CALLS.length)] ?? CALLS[0];
      const call = { session_id: sessionId, call_id: `call-${count}`, tool, input, wait_ms: 2_000 };
      let seen: string | null = null;
      for (;;) {
        const result = await server.call('request.submit', call, 'agent');
        if (result === null || !result.ok) continue;
        // A call that was once told of stays the same request.
        if (seen !== null) expect(result.value.id).toBe(seen);
        seen = result.value.id;
        if (result.value.status === 'pending') continue;
        told.set(result.value.id, result.value);
        break;
      }
    }
  }

  async function answerer(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const inbox = await server.call('inbox.list', {}, 'person');
      for (const { id, digest } of inbox?.ok ? inbox.value.items : []) {
        const action = random() < 0.5 ? 'approve' : 'deny';
        const result = await server.call('request.resolve', { id, digest, action }, 'person');
        if (result?.ok) answered.set(id, outcome(result.value));
      }
      await new Promise((next) => setImmediate(next));
    }
  }

  async function killer(): Promise<void> {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await server.up();
      await new Promise((next) => setTimeout(next, 20 + random() * 250));
      await server.kill();
    }
  }

  try {
    const agents = Promise.all(Array.from({ length: AGENTS }, (_, number) => agent(number)));
    let agentsAreDone = false;
    const people = answerer(() => agentsAreDone);
    await killer();
    isOver = true;
    await agents;
    agentsAreDone = true;
    await people;
    await server.stop();

    const { store, problems } = openStore({ dataDir, now: Date.now });
    try {
      expect(problems).toEqual([]);
      expect(await store.activity.verify()).toMatchObject({ intact: true });
      expect(store.live.pending.size).toBe(0);
      expect(told.size).toBeGreaterThanOrEqual(AGENTS);
      for (const [id, request] of told) {
        expect(outcome(store.request(id) ?? request)).toBe(outcome(request));
        expect(CALLS.find((call) => call.tool === request.tool)?.ends).toContain(outcome(request));
      }
      for (const [id, said] of answered) expect(told.get(id)?.decision && outcome(told.get(id) as Request)).toBe(said);
      const staged = [...told.values()].filter((request) => request.status === 'staged').map((request) => request.id);
      for (const id of staged) expect(store.request(id)?.decision?.status).toBe('staged');
      const items = [...store.live.outbox.values()].map((item) => item.request_id);
      expect(items.sort()).toEqual(staged.sort());
    } finally {
      store.close();
    }
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
