import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from './bundle-for-test';
import * as make from './samples';
import { openStore } from './store';

const ROUNDS = process.env.GATEHOUSE_DEEP ? 200 : 10;
let program: string;

beforeAll(async () => {
  program = await bundle('crash-child');
}, 60_000);
afterAll(() => {
  rmSync(dirname(program), { recursive: true, force: true });
});

/** Starts the child, lets it acknowledge some commits and kills it `delayMs` after the first one. Returns what it said. */
async function runAndKill(dataDir: string, delayMs: number): Promise<readonly string[]> {
  const child: ChildProcess = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += data;
  });
  let isKilling = false;
  child.stdout?.on('data', (data) => {
    output += data;
    if (isKilling) return;
    isKilling = true;
    setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  await new Promise((resolve) => child.on('close', resolve));
  expect(errors).toBe('');
  // The last line may be cut by the kill.
  return output.split('\n').slice(0, -1);
}

test(`after kill -9 at ${ROUNDS} moments nothing acknowledged is lost and no commit is half there`, { timeout: 15_000 + ROUNDS * 3000 }, async () => {
  const folder = make.temporaryFolder();
  const done = new Set<number>();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const lines = await runAndKill(folder.dataDir, (round * 37) % 150);
      for (const line of lines) {
        expect(line).toMatch(/^done \d+$/);
        done.add(Number(line.slice(5)));
      }
      const { store, problems } = openStore({ dataDir: folder.dataDir, now: Date.now });
      try {
        expect(problems).toEqual([]);
        expect(await store.activity.verify()).toMatchObject({ intact: true });
        let calls = 0;
        for (const number of done) {
          const pair = [store.request(`r${number}`), store.request(`r${number + 1}`)];
          expect(pair.map((request) => request?.status)).toEqual([number % 3 === 0 ? 'allowed' : 'pending', 'pending']);
          expect(store.live.grants.has(`n${number}`)).toBe(true);
          calls += 2;
        }
        // What was not acknowledged is there whole or not at all.
        for (const request of store.live.pending.values()) {
          const number = Number(request.id.slice(1));
          const first = number % 2 === 0 ? number : number - 1;
          expect([store.request(`r${first}`), store.request(`r${first + 1}`), store.live.grants.get(`n${first}`)]).not.toContain(undefined);
        }
        expect(store.live.sessions.get('s1')?.usage.tool_calls).toBeGreaterThanOrEqual(calls);
        expect(store.live.sessions.get('s1')?.usage.tool_calls).toBe(store.live.grants.size * 2);
      } finally {
        store.close();
      }
    }
    expect(done.size).toBeGreaterThan(ROUNDS);
  } finally {
    folder.clean();
  }
});
