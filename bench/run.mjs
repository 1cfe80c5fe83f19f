// npm run bench: our figures beside peers and floors of the same run, as ratios with their targets. The peers stand in the
// anchors' harness: GATEHOUSE_ANCHORS names its folder (beside the project unless given). Without it the rows that need it
// are named as missing. `--quick` measures fewer rounds; `--out FILE` also writes the table as Markdown.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, root } from './bundle.mjs';

const argv = process.argv.slice(2);
const isQuick = argv.includes('--quick');
const outFile = argv[argv.indexOf('--out') + 1];
const anchors = process.env.GATEHOUSE_ANCHORS ?? resolve(root, '..', 'shared', 'bench');
const work = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));

const rows = [];
const row = (what, figure, target, isMet) => rows.push({ what, figure, target, isMet });
const ratio = (a, b) => `×${(a / b).toFixed(2)}`;

function anchor(command, ...args) {
  const file = join(work, `${command}.json`);
  const run = spawnSync(process.execPath, [join(anchors, 'bin', 'perf.mjs'), command, ...args, '--json', file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0 || !existsSync(file)) {
    process.stderr.write(`${command}: ${run.stderr.slice(-400)}\n`);
    return null;
  }
  return JSON.parse(readFileSync(file, 'utf8')).results[0] ?? null;
}

function decide(engine, gate) {
  const rounds = isQuick ? ['--rounds', '2'] : ['--rounds', '5'];
  const result = anchor(
    'decide',
    '--engine',
    engine,
    '--engine',
    gate,
    '--only',
    'indexed,casl,gemini,pi,cedar,linear-literal',
    '--rules',
    '10,1000,10000',
    ...rounds,
  );
  if (result === null) return row('decisions beside peers', 'not measured: no anchors', '', false);
  const cell = (id, rules) => result.cells.find((one) => one.id === id && one.R === rules);
  const [ours, whole, floor] = [
    (rules) => cell('engine-adapter.mjs', rules),
    (rules) => cell('gate-adapter.mjs', rules),
    (rules) => cell('indexed', rules),
  ];
  const fastest = result.cells
    .filter((one) => one.R === 1000 && !one.skipped && (one.group === 'agent' || one.group === 'engine'))
    .sort((a, b) => a.ns - b.ns)[0];
  for (const rules of [1000, 10000]) {
    const factor = ours(rules).ns / floor(rules).ns;
    row(
      `rule lookup at ${rules} rules beside the ideal index`,
      `${Math.round(ours(rules).ns)} ns, ${ratio(ours(rules).ns, floor(rules).ns)}`,
      'at most ×3',
      factor <= 3,
    );
  }
  if (fastest !== undefined)
    row(
      `decisions a second at 1,000 rules beside the fastest published engine (${fastest.label})`,
      ratio(fastest.ns, ours(1000).ns),
      'at least ×20',
      fastest.ns / ours(1000).ns >= 20,
    );
  row('growth of a decision from 10 to 10,000 rules', ratio(ours(10000).ns, ours(10).ns), 'at most ×5', ours(10000).ns / ours(10).ns <= 5);
  row('compiling 10,000 rules', `${Math.round(ours(10000).createMs)} ms`, 'under 150 ms', ours(10000).createMs < 150);
  for (const rules of [10, 1000, 10000])
    row(
      `all twelve steps with trace at ${rules} rules`,
      `${Math.round(whole(rules).ns)} ns, ${ratio(whole(rules).ns, floor(rules).ns)} of the ideal index`,
      'shown',
      true,
    );
  const wrong = [ours, whole].flatMap((of) => [10, 1000, 10000].map((rules) => of(rules).wrong)).reduce((sum, one) => sum + one, 0);
  row('answers that differ from the reference', String(wrong), '0', wrong === 0);
}

function layers(engine) {
  const result = anchor('layers', '--engine', engine);
  if (result === null) return row('the whole gate beside the layered floor', 'not measured: no anchors', '', false);
  const [floor, ours] = result.stacks;
  for (const [index, name] of result.cases.entries()) {
    if (!name.startsWith('all, real paths, cached')) continue;
    const of = (stack) => result.rows.find((one) => one.id === `${stack}\u0001${index}`).cpu;
    row(
      'the whole gate with a real path beside the layered floor',
      `${(of(ours) / 1000).toFixed(1)} µs, ${ratio(of(ours), of(floor))}`,
      'at most ×3',
      of(ours) / of(floor) <= 3,
    );
  }
}

async function reading() {
  const corpusFile = join(anchors, 'bench', 'shell.mjs');
  if (!existsSync(corpusFile)) return row('shell text to units', 'not measured: no corpus', '', false);
  const { CORPUS } = await import(pathToFileURL(corpusFile).href);
  const { measureReading } = await import(pathToFileURL(await bundle('bench/reading.ts', 'reading')).href);
  const { parseUs, unitsUs, exact, of, wildcardMs } = measureReading(CORPUS);
  row('shell text to units beside the bare parse', `${unitsUs.toFixed(0)} µs, ${ratio(unitsUs, parseUs)}`, 'at most ×5', unitsUs / parseUs <= 5);
  row('lines of the shell corpus read exactly', `${exact} of ${of}`, 'all', exact === of);
  row('five stars against 100,000 characters', `${wildcardMs.toFixed(2)} ms`, 'under 5 ms', wildcardMs < 5);
}

try {
  const [engine, gate] = [await bundle('bench/engine-adapter.ts', 'engine-adapter'), await bundle('bench/gate-adapter.ts', 'gate-adapter')];
  decide(engine, gate);
  layers(engine);
  await reading();
} finally {
  rmSync(work, { recursive: true, force: true });
}

const table = [
  '| what | figure | target | |',
  '| --- | --- | --- | --- |',
  ...rows.map(({ what, figure, target, isMet }) => `| ${what} | ${figure} | ${target} | ${isMet ? 'met' : 'not met'} |`),
].join('\n');
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
console.log(`${table}\n\n${machine}`);
if (argv.includes('--out') && outFile !== undefined) writeFileSync(outFile, `${table}\n\nMachine: ${machine}.\n`);
process.exitCode = rows.every((one) => one.isMet) ? 0 : 1;
