// What every script does first: sees that the dependencies of package-lock.json are installed and that out/ was built from
// the sources as they are. Plain Node without dependencies, because it runs before there are any. Says nothing when
// nothing is to be done, and then costs a few milliseconds.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const OLDEST_NODE = [20, 0];
const BUILD_INPUTS = ['electron', 'renderer', 'shared', 'electron.vite.config.ts', 'package-lock.json'];
const NOT_BUILT = /\.test\.tsx?$|(^|[\\/])tsconfig\.json$/;
const LOCK_WAIT_MS = 5 * 60_000;
const LOCK_POLL_MS = 100;

export const note = (text) => process.stderr.write(`[gatehouse] ${text}\n`);

/** Ends the process with a sentence for a person. */
export function stop(text) {
  note(text);
  process.exit(1);
}

export const hash = (text) => createHash('sha256').update(text).digest('hex');
const readOrNull = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null);

// ------------------------------------------------------------------ dependencies

const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
const installStamp = join(modules, '.gatehouse-installed');

function isInstalled() {
  if (!existsSync(modules)) return false;
  const wanted = hash(readFileSync(lockFile));
  if (readOrNull(installStamp) === wanted) return true;
  // Somebody ran npm by hand: npm writes its own record after it has finished.
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record) || statSync(record).mtimeMs < statSync(lockFile).mtimeMs) return false;
  writeFileSync(installStamp, wanted);
  return true;
}

/** Runs `npm ci` when node_modules is missing or does not belong to package-lock.json. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    stop(`Node ${process.versions.node} is too old. Install Node ${OLDEST_NODE.join('.')} or newer, then try again.`);
  }
  if (isInstalled()) return;
  withLock(join(root, '.install-lock'), () => {
    if (isInstalled()) return;
    note('installing dependencies (npm ci)');
    // No install script is needed: the one native addon ships prebuilt, and Electron is fetched by electron-runtime.mjs.
    const ran = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2] });
    if (ran.status !== 0) stop('npm ci failed; see above. Check the network and the registry that npm is set to, then try again.');
    writeFileSync(installStamp, hash(readFileSync(lockFile)));
  });
}

/** npm of this Node, wherever it is and on every platform. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return spawnSync(process.execPath, [cli, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

// ------------------------------------------------------------------ build

const out = join(root, 'out');
const buildLock = join(root, '.build-lock');
const buildStamp = join(out, 'built-from.json');

/** Paths of all files that the build reads. */
function buildInputs() {
  const files = [];
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (!statSync(path).isDirectory()) files.push(path);
    else for (const entry of readdirSync(path)) visit(join(path, entry));
  };
  for (const input of BUILD_INPUTS) visit(join(root, input));
  return files.filter((file) => !NOT_BUILT.test(relative(root, file))).sort();
}

const statsOf = (files) =>
  hash(
    files
      .map((file) => {
        const { size, mtimeMs } = statSync(file);
        return `${relative(root, file)} ${size} ${mtimeMs}`;
      })
      .join('\n'),
  );
const contentsOf = (files) => hash(files.map((file) => `${relative(root, file)} ${hash(readFileSync(file))}`).join('\n'));

function isBuilt() {
  const stamp = readOrNull(buildStamp);
  if (stamp === null) return false;
  const built = JSON.parse(stamp);
  const files = buildInputs();
  const stats = statsOf(files);
  if (built.stats === stats) return true;
  // Touched, checked out anew or copied, with the same text.
  if (built.contents !== contentsOf(files)) return false;
  writeFileSync(buildStamp, JSON.stringify({ ...built, stats }));
  return true;
}

/** Builds into a folder of its own and puts it in place of out/ in one step; a build that fails leaves out/ as it was. */
export function build() {
  return withLock(buildLock, buildNow);
}

function buildNow() {
  const next = join(root, `out.next-${process.pid}`);
  const old = join(root, `out.old-${process.pid}`);
  // One build at a time: what else is there was left by a build that was killed.
  const sweep = () => {
    for (const name of readdirSync(root)) {
      if (/^out\.(next|old)-\d+$/.test(name)) rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 });
    }
  };
  sweep();
  try {
    const files = buildInputs();
    const built = { stats: statsOf(files), contents: contentsOf(files) };
    const vite = join(modules, 'electron-vite', 'bin', 'electron-vite.js');
    const ran = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, GATEHOUSE_BUILD_TO: next, NODE_ENV: 'production' },
    });
    if (ran.status !== 0) return false;
    writeFileSync(join(next, 'built-from.json'), JSON.stringify(built));
    if (existsSync(out)) renameSync(out, old);
    renameSync(next, out);
    return true;
  } finally {
    sweep();
  }
}

/** Builds when a source is newer in content than what out/ was built from. GATEHOUSE_BUILD=never runs what is there. */
export function ensureBuilt() {
  if (process.env.GATEHOUSE_BUILD === 'never') {
    if (!existsSync(out)) stop('GATEHOUSE_BUILD is never, and nothing has been built. Run npm run build.');
    return;
  }
  if (isBuilt()) return;
  withLock(buildLock, () => {
    if (isBuilt()) return;
    note('building');
    if (!buildNow()) stop('The build failed; see above.');
  });
}

// ------------------------------------------------------------------ one at a time

/** Runs `work` while no other process does the same; takes over from one that is gone. */
function withLock(folder, work) {
  const owner = join(folder, 'pid');
  const until = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(folder, owner)) rmSync(folder, { recursive: true, force: true });
    else if (Date.now() > until) stop(`Another process has been at work for five minutes. If there is none, remove ${relative(root, folder)}.`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    writeFileSync(owner, String(process.pid));
    return work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function isAbandoned(folder, owner) {
  try {
    const pid = Number(readOrNull(owner));
    // Between making the folder and writing the number there is a moment without one.
    if (pid === 0) return Date.now() - statSync(folder).mtimeMs > 10_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
