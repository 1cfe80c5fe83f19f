// npm test: everything, as the first command on a fresh machine. Installs what is missing, then runs lint, types, the
// build, the unit and integration tests and the end-to-end stories, goes on after a failure, and ends with one line that
// sums all of them. --deep turns on the long suites. Exit code 0 only when nothing failed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, ensureInstalled, note, root } from './prepare.mjs';

ensureInstalled();
const { ensureSystem } = await import('./system.mjs');
const { resolveElectron, runtimeEnv } = await import('./electron-runtime.mjs');

const isDeep = process.argv.includes('--deep');
const reports = join(root, 'test-results', 'reports');
const WORKERS = process.env.GATEHOUSE_E2E_WORKERS ?? '2';
const env = { ...process.env, ...(isDeep ? { GATEHOUSE_DEEP: '1' } : {}) };
const tool = (...path) => join(root, 'node_modules', ...path);
const run = (args, extra = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...env, ...extra } }).status === 0;
const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

/** Counts of a JSON report. A runner that failed without a failed test, or wrote no report, counts as one failure. */
function counted(file, succeeded, count) {
  if (!existsSync(file)) return one(false);
  const counts = count(JSON.parse(readFileSync(file, 'utf8')));
  return !succeeded && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function unit() {
  const file = join(reports, 'unit.json');
  const succeeded = run([tool('vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  return counted(file, succeeded, (report) => ({
    passed: report.numPassedTests,
    // A file that could not be loaded has no tests that could fail.
    failed: report.numFailedTests + report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
}

function stories(project, extra) {
  const file = join(reports, `${project}.json`);
  const cli = tool('@playwright', 'test', 'cli.js');
  const succeeded = run([cli, 'test', `--project=${project}`, `--workers=${WORKERS}`, '--reporter=list,json'], {
    ...extra,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    GATEHOUSE_BUILD: 'never',
  });
  return counted(file, succeeded, ({ stats, errors }) => ({
    passed: stats.expected,
    // A story that passes only at the second try is not reliable: it counts as failed.
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }));
}

async function electronStories() {
  try {
    return stories('electron', runtimeEnv(await resolveElectron(), env));
  } catch (error) {
    note(error.message);
    return one(false);
  }
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const startedAt = Date.now();
const results = [];
async function step(name, work) {
  process.stdout.write(`\n== ${name}\n`);
  const began = Date.now();
  const counts = await work();
  results.push({ name, seconds: (Date.now() - began) / 1000, ...counts });
}

await step('lint', () => one(run([tool('@biomejs', 'biome', 'bin', 'biome'), 'check', '.'])));
await step('types', () => one(run([join(root, 'scripts', 'typecheck.mjs')])));
let isBuilt = false;
await step('build', () => {
  isBuilt = build();
  return one(isBuilt);
});
// Before the unit tests too: the agents' shims are tried with the real curl.
const missing = ensureSystem();
if (missing !== null) note(missing);
await step('unit and integration', unit);
if (missing !== null || !isBuilt) {
  await step('end to end', () => {
    note(
      `the end-to-end stories did not run: ${missing === null ? 'there is no build' : 'the machine lacks what they need'}; this counts as a failure`,
    );
    return one(false);
  });
} else {
  await step('end to end, in Electron', electronStories);
  await step('end to end, in a browser', () => stories('web', {}));
}

process.stdout.write(`\n${'step'.padEnd(28)}passed  failed  skipped  seconds\n`);
for (const { name, passed, failed, skipped, seconds } of results) {
  process.stdout.write(
    `${name.padEnd(28)}${String(passed).padStart(6)}${String(failed).padStart(8)}${String(skipped).padStart(9)}${seconds.toFixed(0).padStart(9)}\n`,
  );
}
const total = (key) => results.reduce((sum, counts) => sum + counts[key], 0);
process.stdout.write(`in ${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes\n`);
process.stdout.write(`${total('passed')} passed, ${total('failed')} failed${total('skipped') > 0 ? `, ${total('skipped')} skipped` : ''}\n`);
process.exitCode = total('failed') === 0 ? 0 : 1;
