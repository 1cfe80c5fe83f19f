// The process that crash.test.ts kills: commits without end and acknowledges on standard output what is durable. Runs
// bundled, as the program does.

import { writeSync } from 'node:fs';
import { decision, event, grant, request, session } from './samples';
import { openStore } from './store';

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('the data folder is missing');
const { store, problems } = openStore({ dataDir, now: Date.now });
for (const problem of problems) writeSync(1, `problem ${problem.message}\n`);
if (!store.live.sessions.has('s1')) store.commit([event('session.opened', { put: 'session', value: session('s1') })]);

let next = store.requests({ limit: 1 }).items.map((last) => Number(last.id.slice(1)) + 1)[0] ?? 0;

/** A pair of requests and a grant, in one commit; every third is settled in a second commit of the same turn. */
async function commitOne(): Promise<void> {
  const number = next;
  next += 2;
  const ids = [`r${number}`, `r${number + 1}`];
  const records = ids.map((id) => ({ put: 'request' as const, value: request(id, 's1', { input: { text: 'z'.repeat(number % 3000) } }) }));
  store.commit([
    event('request.received', ...records, { put: 'grant', value: grant(`n${number}`, { session_id: 's1' }) }, { use: 's1', tool_calls: 2 }),
  ]);
  if (number % 3 === 0) store.commit([event('request.settled', { settle: `r${number}`, decision: decision() })]);
  await store.flushed();
  writeSync(1, `done ${number}\n`);
}

async function run(): Promise<void> {
  for (;;) await Promise.all(Array.from({ length: 1 + (next % 7) }, commitOne));
}
void run();
