// What the tests need from a Linux machine beside Node: a display without a screen, a message bus, a browser,
// curl, and the libraries that Electron loads. On Debian and its relatives, as root, what is missing is installed;
// elsewhere it is named.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { note } from './prepare.mjs';

/** Program that must be on the path, and the Debian package that brings it. */
const PROGRAMS = { Xvfb: 'xvfb', 'dbus-daemon': 'dbus', chromium: 'chromium', curl: 'curl' };
/** Libraries that Electron links, or loads by name, and a fallback font, without which pages have no text. */
const LIBRARIES = {
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnss3.so': 'libnss3',
  'libnotify.so.4': 'libnotify4',
  'libasound.so.2': 'libasound2',
  'libgbm.so.1': 'libgbm1',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0',
  'libatspi.so.0': 'libatspi2.0-0',
  'libcups.so.2': 'libcups2',
  'libdrm.so.2': 'libdrm2',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXrandr.so.2': 'libxrandr2',
  'libxkbcommon.so.0': 'libxkbcommon0',
  'libXss.so.1': 'libxss1',
  'libsecret-1.so.0': 'libsecret-1-0',
};
const FONT = { file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', package: 'fonts-dejavu-core' };

export const chromiumPath = () => process.env.GATEHOUSE_CHROMIUM ?? findProgram('chromium') ?? '/usr/bin/chromium';

function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder !== '' && existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}

/** Debian packages that are missing. Empty on other systems than Linux, where nothing of this is needed. */
function missingPackages(withPrograms) {
  if (process.platform !== 'linux') return [];
  const isMissing = (name) => (name === 'chromium' ? !existsSync(chromiumPath()) : findProgram(name) === null);
  const programs = withPrograms ? Object.keys(PROGRAMS).filter(isMissing) : [];
  const listed = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
  // A system without ldconfig keeps its libraries elsewhere; Electron itself says then what it misses.
  const libraries = listed === '' ? [] : Object.keys(LIBRARIES).filter((name) => !listed.includes(`\t${name} `));
  const font = existsSync('/etc/debian_version') && !existsSync(FONT.file) ? [FONT.package] : [];
  return [...programs.map((name) => PROGRAMS[name]), ...libraries.map((name) => LIBRARIES[name]), ...font];
}

/**
 * Installs what is missing where that is possible. Returns a sentence about what is still missing, or null. Without
 * `programs`: only what the window itself needs.
 */
export function ensureSystem({ programs = true } = {}) {
  let missing = missingPackages(programs);
  if (missing.length === 0) return null;
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0 && findProgram('apt-get') !== null;
  if (canInstall) {
    note(`installing system packages: ${missing.join(' ')}`);
    const apt = (...args) =>
      spawnSync('apt-get', ['-qq', '-y', ...args], { stdio: ['ignore', 'ignore', 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    apt('update');
    apt('install', '--no-install-recommends', ...missing.map(nameHere));
    missing = missingPackages(programs);
    if (missing.length === 0) return null;
  }
  return `Packages are needed that are not installed: ${missing.join(' ')}. Install them, such as by: sudo apt-get install ${missing.join(' ')}`;
}

/** Newer releases carry some libraries under a name that ends in t64. */
function nameHere(name) {
  const renamed = spawnSync('apt-cache', ['show', '--no-all-versions', `${name}t64`], { stdio: 'ignore' });
  return renamed.status === 0 ? `${name}t64` : name;
}
