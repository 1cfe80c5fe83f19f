// Runs a local tool (playwright, electron-vite dev) with the resolved Electron in its environment.

import { ensureBuilt, ensureInstalled, root, stop } from './prepare.mjs';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) stop('Name a tool: node scripts/with-electron.mjs playwright test');
ensureInstalled();
// `electron-vite dev` builds for itself.
if (command !== 'electron-vite') ensureBuilt();
const { resolveElectron, runToEnd, runtimeEnv } = await import('./electron-runtime.mjs');
try {
  runToEnd(command, args, { cwd: root, env: runtimeEnv(await resolveElectron()), shell: process.platform === 'win32' });
} catch (error) {
  stop(error.message);
}
