// How fast decisions become durable, beside bare SQLite inserts with the same durability on the same disk in the same run,
// and how fast a log of a million entries answers. Prints ratios; absolute figures move with the machine.
//
//   node bench/persist.mjs [--rounds N] [--slice MS] [--entries N]

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const require = createRequire(import.meta.url);
const { DatabaseSync } = require('@photostructure/sqlite');

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
};
const ROUNDS = option('rounds', 7);
const SLICE_MS = option('slice', 400);
const ENTRIES = option('entries', 200_000);

/** The store as the program bundles it. */
async function loadStore() {
  const outDir = join(root, 'node_modules/.cache/gatehouse-bench');
  mkdirSync(outDir, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'electron/store/store.ts'),
      target: 'node18.15',
      outDir,
      emptyOutDir: true,
      rollupOptions: { external: ['@photostructure/sqlite', 'electron'], output: { format: 'cjs', entryFileNames: 'store.cjs' } },
    },
  });
  return require(join(outDir, 'store.cjs'));
}

const at = '2026-01-02T03:04:05.000Z';
const now = () => Date.parse(at);
const trace = [1, 2, 3, 4, 5, 6, 7].map((step) => ({
  step,
  name: `step ${step}`,
  outcome: step === 7 ? 'allow' : 'pass',
  compared: `Bash npm run task against rule ${step}`,
}));
const session = (id) => ({
  id,
  agent: 'claude-code',
  source: 'interactive',
  external_id: null,
  title: '',
  project_id: null,
  ticket_id: null,
  parent_id: null,
  root: '/home/dev/project',
  cwd: '/home/dev/project',
  worktree: false,
  mode: null,
  run_context: null,
  access: [],
  headless: false,
  state: 'turn',
  cancelled: false,
  cancel_token: id,
  usage: { turns: 0, tool_calls: 0, output_tokens: 0, cost_usd: 0 },
  homeostat: null,
  notices: [],
  created_at: at,
  last_contact_at: at,
  ended_at: null,
});
const request = (number) => ({
  id: `r${number}`,
  session_id: `s${number % 50}`,
  call_id: `call-${number}`,
  agent: 'claude-code',
  source: 'interactive',
  tool: 'Bash',
  input: { command: `npm run task${number % 977} --id ${number} --env prod --verbose`, description: 'Run the task' },
  kind: 'execute',
  paths: [],
  units: [{ text: `npm run task${number % 977}`, words: ['npm', 'run', `task${number % 977}`], assignments: [], opaque: false }],
  hosts: [],
  cwd: '/home/dev/project/packages/app',
  digest: 'a3f5c0de'.repeat(8),
  risk: { level: 'low', facts: [] },
  status: 'allowed',
  decision: { status: 'allowed', cause: 'rule', scope: null, rule_id: 'x', note: null, message: '', trace, resolved_by: 'gate', resolved_at: at },
  trace: null,
  created_at: at,
  expires_at: null,
  detached: false,
});
const summary = (number) => `Allowed npm run task${number % 977} by rule`;
/** One entry of the log, as a decision writes it, without a record. */
const logged = (number) => ({
  type: 'call.allowed',
  at,
  actor: 'gate',
  session_id: `s${number % 50}`,
  summary: summary(number),
  facts: { tool: 'Bash', command: `npm run task${number % 977} --id ${number} --env prod --verbose`, cwd: '/home/dev/project', rule: 'x', trace: 7 },
  writes: [],
});
/** A whole decision: the request with its verdict, the hit of its rule, the use of its session. */
const decided = (number) => ({
  type: 'request.settled',
  at,
  actor: 'gate',
  session_id: `s${number % 50}`,
  request_id: `r${number}`,
  summary: summary(number),
  writes: [
    { put: 'request', value: request(number) },
    { use: `s${number % 50}`, tool_calls: 1 },
  ],
});

let folders = 0;
const parent = mkdtempSync(join(process.env.PERF_DATA_DIR ?? tmpdir(), 'gatehouse-bench-'));
const newFolder = () => join(parent, String(folders++));

/** Bare SQLite: the same text in one table with one index, WAL, synchronous FULL, one row or a batch per transaction. */
function bare(textOf, batch) {
  const folder = newFolder();
  mkdirSync(folder);
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(
    'CREATE TABLE entries (seq INTEGER PRIMARY KEY, at TEXT, session TEXT, body TEXT) STRICT; CREATE INDEX entries_session ON entries (session)',
  );
  const insert = database.prepare('INSERT INTO entries (at, session, body) VALUES (?, ?, ?)');
  let number = 0;
  const one = () => {
    insert.run(at, `s${number % 50}`, textOf(number));
    number += 1;
  };
  return {
    size: batch,
    run: () => {
      if (batch === 1) return one();
      database.exec('BEGIN');
      for (let index = 0; index < batch; index += 1) one();
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}

/** The store: `batch` commits in one turn, then all of them durable. */
function ours(openStore, eventOf, batch) {
  const { store } = openStore({ dataDir: newFolder(), now });
  store.commit(
    Array.from({ length: 50 }, (_, index) => ({
      type: 'session.opened',
      at,
      actor: 'gate',
      summary: '',
      writes: [{ put: 'session', value: session(`s${index}`) }],
    })),
  );
  let number = 0;
  return {
    size: batch,
    run: () => {
      for (let index = 0; index < batch; index += 1) store.commit([eventOf(number++)]);
      return store.flushed();
    },
    close: () => store.close(),
  };
}

async function rate(subject) {
  for (let index = 0; index < 5; index += 1) await subject.run();
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < SLICE_MS) {
    await subject.run();
    count += subject.size;
  }
  return (count / (performance.now() - started)) * 1000;
}

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];

async function compare(openStore) {
  const pairs = [
    ['log entry, one at a time', () => bare((number) => JSON.stringify(logged(number)), 1), () => ours(openStore, logged, 1)],
    ['log entry, 8 at the same time', () => bare((number) => JSON.stringify(logged(number)), 1), () => ours(openStore, logged, 8)],
    ['log entry, 64 at the same time', () => bare((number) => JSON.stringify(logged(number)), 1), () => ours(openStore, logged, 64)],
    ['log entry, 64 in one transaction on both sides', () => bare((number) => JSON.stringify(logged(number)), 64), () => ours(openStore, logged, 64)],
    ['whole decision, one at a time', () => bare((number) => JSON.stringify(decided(number)), 1), () => ours(openStore, decided, 1)],
    ['whole decision, 8 at the same time', () => bare((number) => JSON.stringify(decided(number)), 1), () => ours(openStore, decided, 8)],
    ['whole decision, 64 at the same time', () => bare((number) => JSON.stringify(decided(number)), 1), () => ours(openStore, decided, 64)],
  ];
  console.log('| what | bare SQLite insert/s | Gatehouse/s | ratio |\n| --- | ---: | ---: | ---: |');
  for (const [name, floor, product] of pairs) {
    const rates = { floor: [], product: [], ratio: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const results = {};
      const order =
        round % 2
          ? [
              ['product', product],
              ['floor', floor],
            ]
          : [
              ['floor', floor],
              ['product', product],
            ];
      for (const [side, make] of order) {
        const subject = make();
        results[side] = await rate(subject);
        subject.close();
      }
      rates.floor.push(results.floor);
      rates.product.push(results.product);
      rates.ratio.push(results.product / results.floor);
    }
    console.log(`| ${name} | ${Math.round(median(rates.floor))} | ${Math.round(median(rates.product))} | ×${median(rates.ratio).toFixed(2)} |`);
  }
}

async function large(openStore) {
  const dataDir = newFolder();
  let { store } = openStore({ dataDir, now });
  store.commit(
    Array.from({ length: 50 }, (_, index) => ({
      type: 'session.opened',
      at,
      actor: 'gate',
      summary: '',
      writes: [{ put: 'session', value: session(`s${index}`) }],
    })),
  );
  for (let number = 0; number < ENTRIES; number += 1) {
    const event = logged(number);
    store.commit([{ ...event, at: new Date(Date.parse(at) + number * 1000).toISOString(), type: number % 1000 === 0 ? 'call.denied' : event.type }]);
    if (number % 500 === 499) await store.flushed();
  }
  await store.flushed();
  store.close();
  const opening = performance.now();
  ({ store } = openStore({ dataDir, now }));
  console.log(`\nA log of ${ENTRIES} entries: opened in ${Math.round(performance.now() - opening)} ms.\n`);
  await store.activity.list({ search: 'warm' });
  const time = (offset) => new Date(Date.parse(at) + offset * 1000).toISOString();
  const queries = [
    ['newest page', {}],
    ['page in the middle', { before: String(ENTRIES >> 1) }],
    ['one session', { session_id: 's7' }],
    ['rare type', { type: 'call.denied' }],
    ['two filters that meet rarely', { type: 'call.denied', session_id: 's7' }],
    ['two filters that never meet', { type: 'call.denied', agent: 'codex' }],
    ['an hour long ago', { since: time(1000), until: time(4600) }],
    ['since a time, rare type', { since: time(ENTRIES >> 1), type: 'call.denied' }],
    ['search, common word', { search: 'prod' }],
    ['search, rare word', { search: String(ENTRIES - 5) }],
    ['search, word and session', { search: 'task5', session_id: 's7' }],
  ];
  console.log('| page of 100 | median ms | longest pause of the loop, ms |\n| --- | ---: | ---: |');
  for (const [name, filter] of queries) {
    const took = [];
    let pause = 0;
    for (let index = 0; index < 5; index += 1) {
      let last = performance.now();
      const watch = setInterval(() => {
        pause = Math.max(pause, performance.now() - last - 1);
        last = performance.now();
      }, 1);
      const started = performance.now();
      await store.activity.list(filter);
      took.push(performance.now() - started);
      await new Promise((resume) => setTimeout(resume, 2));
      clearInterval(watch);
    }
    console.log(`| ${name} | ${median(took).toFixed(1)} | ${Math.max(pause, 0).toFixed(0)} |`);
  }
  const verifying = performance.now();
  const result = await store.activity.verify();
  console.log(
    `\nVerified ${result.entries} entries (${result.intact ? 'intact' : result.detail}) in ${((performance.now() - verifying) / 1000).toFixed(1)} s.`,
  );
  store.close();
}

try {
  const { openStore } = await loadStore();
  await compare(openStore);
  await large(openStore);
} finally {
  rmSync(parent, { recursive: true, force: true });
}
