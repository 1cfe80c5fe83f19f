// npm start [-- options]: installs what is missing, builds what is stale, opens the window. Without a display, or with
// --headless, the same control center is served on loopback instead. Options go on to the app: --data-dir DIR, --port N.

import { ensureBuilt, ensureInstalled, note, root, stop } from './prepare.mjs';

/** Chromium's own remarks (no system bus, no graphics card) alarm people and mean nothing to them. */
const QUIET = process.env.GATEHOUSE_VERBOSE ? [] : ['--log-level=3'];

const options = process.argv.slice(2).filter((option) => option !== '--headless');
const isHeadless = options.length < process.argv.length - 2;
const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

if (isHeadless || !hasDisplay) {
  if (!isHeadless) note('there is no display: serving the control center for a browser instead');
  process.argv.splice(2, process.argv.length, ...options);
  await import('./serve.mjs');
} else {
  ensureInstalled();
  ensureBuilt();
  const { resolveElectron, runToEnd, runtimeEnv, sandboxArgs } = await import('./electron-runtime.mjs');
  try {
    const runtime = await resolveElectron();
    runToEnd(runtime.executable, [...sandboxArgs(), ...QUIET, root, ...options], { env: runtimeEnv(runtime) });
  } catch (error) {
    stop(error.message);
  }
}
