// npm start [-- options]: installs what is missing, builds what is stale, opens the window. Without a display, or with
// --headless, the same control center is served on loopback instead. Options go on to the app: --data-dir DIR, --port N.

import { existsSync } from 'node:fs';
import { ensureBuilt, ensureInstalled, note, root, stop } from './prepare.mjs';
import { ensureSystem } from './system.mjs';

/** Chromium's own remarks (no system bus, no graphics card) alarm people and mean nothing to them. */
const QUIET = process.env.GATEHOUSE_VERBOSE ? [] : ['--log-level=3'];

const options = process.argv.slice(2).filter((option) => option !== '--headless');
const isHeadless = options.length < process.argv.length - 2;

/** Why no window can be shown here, or null. */
function whyNoWindow() {
  if (process.platform !== 'linux' || process.env.WAYLAND_DISPLAY) return null;
  const display = process.env.DISPLAY;
  if (!display) return 'there is no display';
  const local = /^:(\d+)/.exec(display);
  return local !== null && !existsSync(`/tmp/.X11-unix/X${local[1]}`) ? `the display ${display} is not there` : null;
}

async function serve() {
  process.argv.splice(2, process.argv.length, ...options);
  await import('./serve.mjs');
}

async function openWindow() {
  ensureInstalled();
  ensureBuilt();
  const missing = ensureSystem({ programs: false });
  if (missing !== null) note(missing);
  const { resolveElectron, runToEnd, runtimeEnv, sandboxArgs } = await import('./electron-runtime.mjs');
  try {
    const runtime = await resolveElectron();
    runToEnd(runtime.executable, [...sandboxArgs(), ...QUIET, root, ...options], { env: runtimeEnv(runtime) });
  } catch (error) {
    stop(error.message);
  }
}

const obstacle = isHeadless ? null : whyNoWindow();
if (obstacle !== null) note(`${obstacle}: serving the control center for a browser instead`);
if (isHeadless || obstacle !== null) await serve();
else await openWindow();
