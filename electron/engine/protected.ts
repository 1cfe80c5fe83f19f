// What is protected without any rule (spec 5.4): credentials and our own files are denied for reading and writing, an agent's
// own settings ask whenever they are written. Works on canonical paths; which places the person added or lifted is told.

import type { Access } from '../../shared/terms';
import type { PlatformFacts, ProtectedPlaces } from './facts';
import { comparable, relativeStart, within } from './path-text';

export interface ProtectedReason {
  readonly kind: 'credentials' | 'own_data' | 'added' | 'agent_settings';
  /** Key of the built-in protection, such as `.ssh`; the path for one that was added. */
  readonly name: string;
  /** Hard deny (credentials, own data, added) or hard require (agent settings, writes only). */
  readonly action: 'deny' | 'require';
}

export interface Protection {
  readonly name: string;
  readonly kind: 'credentials' | 'agent_settings';
  /** For the list in Settings. */
  readonly text: string;
}

/** Every built-in protection that a person can lift by its name. Our own data folder cannot be lifted. */
export const PROTECTIONS: readonly Protection[] = [
  { name: '.ssh', kind: 'credentials', text: 'SSH keys and hosts, in any `.ssh` folder' },
  { name: '.gnupg', kind: 'credentials', text: 'GnuPG keys, in any `.gnupg` folder' },
  { name: '.aws', kind: 'credentials', text: 'AWS credentials, in any `.aws` folder' },
  { name: '.azure', kind: 'credentials', text: 'Azure credentials, in any `.azure` folder' },
  { name: '.kube', kind: 'credentials', text: 'Kubernetes credentials, in any `.kube` folder' },
  { name: '.docker/config.json', kind: 'credentials', text: 'Docker registry logins' },
  { name: '.netrc', kind: 'credentials', text: 'Logins in `.netrc` files' },
  { name: '.git-credentials', kind: 'credentials', text: 'Stored Git logins' },
  { name: '.npmrc', kind: 'credentials', text: 'The npm token file in the home folder' },
  { name: 'browser_profiles', kind: 'credentials', text: 'Profiles of web browsers: cookies, passwords, history' },
  { name: '.claude/settings*.json', kind: 'agent_settings', text: 'Settings of Claude Code' },
  { name: '.codex', kind: 'agent_settings', text: 'Settings of Codex' },
  { name: '.opencode', kind: 'agent_settings', text: 'Settings of OpenCode' },
  { name: '.gemini', kind: 'agent_settings', text: 'Settings of Gemini CLI' },
  { name: '.qwen', kind: 'agent_settings', text: 'Settings of Qwen Code' },
  { name: '.mcp.json', kind: 'agent_settings', text: 'Lists of MCP servers' },
  { name: 'git_hooks', kind: 'agent_settings', text: 'Git hooks and the configuration that names them' },
  { name: 'shell_startup', kind: 'agent_settings', text: 'Start-up files of shells' },
];

/** Segments that protect everything in and below them, wherever they stand. */
const CREDENTIAL_SEGMENTS: ReadonlySet<string> = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.netrc', '.git-credentials']);
const SETTINGS_SEGMENTS: ReadonlySet<string> = new Set(['.codex', '.opencode', '.gemini', '.qwen']);

/** Below the home folder: first segment, then the beginnings that are browser profiles. In comparable, lower-case-safe spelling. */
const BROWSER_PROFILES: readonly string[] = [
  '.mozilla',
  '.config/google-chrome',
  '.config/google-chrome-beta',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/opera',
  '.config/vivaldi',
  '.librewolf',
  '.var/app/org.mozilla.firefox',
  '.var/app/com.google.Chrome',
  '.var/app/org.chromium.Chromium',
  '.var/app/com.brave.Browser',
  '.var/app/com.microsoft.Edge',
  'snap/firefox',
  'snap/chromium',
  'snap/brave',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Chromium',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
  'Library/Application Support/Vivaldi',
  'Library/Application Support/com.operasoftware.Opera',
  'Library/Application Support/Firefox',
  'Library/Application Support/Arc',
  'Library/Safari',
  'Library/Cookies',
  'AppData/Local/Google/Chrome/User Data',
  'AppData/Local/Chromium/User Data',
  'AppData/Local/BraveSoftware',
  'AppData/Local/Microsoft/Edge/User Data',
  'AppData/Local/Vivaldi/User Data',
  'AppData/Roaming/Opera Software',
  'AppData/Roaming/Mozilla/Firefox',
];
const SHELL_STARTUP: readonly string[] = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.config/fish',
  '.config/powershell',
  'Documents/PowerShell',
  'Documents/WindowsPowerShell',
];

const bySegment = (beginnings: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const map = new Map<string, string[]>();
  for (const beginning of beginnings) {
    const segment = firstSegment(beginning);
    map.set(segment, [...(map.get(segment) ?? []), beginning]);
  }
  return map;
};
const lower = (beginnings: readonly string[]): readonly string[] => beginnings.map((beginning) => beginning.toLowerCase());
const HOME_PLACES = {
  exact: { browsers: bySegment(BROWSER_PROFILES), startup: bySegment(SHELL_STARTUP) },
  folded: { browsers: bySegment(lower(BROWSER_PROFILES)), startup: bySegment(lower(SHELL_STARTUP)) },
};

function firstSegment(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? path : path.slice(0, slash);
}

/**
 * Names of segments that a protection names: a shell operand that begins with one is looked at even when nothing exists there.
 */
export const PROTECTED_SEGMENTS: ReadonlySet<string> = new Set([...CREDENTIAL_SEGMENTS, '.docker', '.npmrc', '.mozilla']);

/** Folders that a recursive read skips, whatever rules say (spec 9, 5.4). */
export const SKIPPED_FOLDERS: readonly string[] = ['secrets', '.ssh', '.gnupg', '.aws', '.azure', '.kube'];

/** What protects `path` (canonical) against `access`; null when nothing does. Section 5.4. */
export function protectedReason(path: string, access: Access, places: ProtectedPlaces, platform: PlatformFacts): ProtectedReason | null {
  const text = comparable(path, platform);
  if (within(comparable(places.ownDataDir, platform), text)) return { kind: 'own_data', name: places.ownDataDir, action: 'deny' };
  const added = places.extra.find((extra) => within(comparable(extra, platform), text));
  if (added !== undefined) return { kind: 'added', name: added, action: 'deny' };
  const home = comparable(places.home, platform);
  const homeStart = relativeStart(home, text);
  const belowHome = homeStart < 0 ? null : text.slice(homeStart);
  const isLifted = (name: string): boolean => places.lifted.includes(name);
  const credential = credentialName(text, belowHome, platform, isLifted);
  if (credential !== null) return { kind: 'credentials', name: credential, action: 'deny' };
  if (access === 'read') return null;
  const settings = settingsName(text, belowHome, platform, isLifted);
  return settings === null ? null : { kind: 'agent_settings', name: settings, action: 'require' };
}

/**
 * What stands below `path` that removing or moving `path` would take along: our own files, what the person added, the home
 * folder with its credentials (deny); a repository's hooks or an agent's settings (require).
 */
export function protectedByRemoval(path: string, places: ProtectedPlaces, platform: PlatformFacts): ProtectedReason | null {
  const text = comparable(path, platform);
  if (within(text, comparable(places.ownDataDir, platform))) return { kind: 'own_data', name: places.ownDataDir, action: 'deny' };
  const added = places.extra.find((extra) => within(text, comparable(extra, platform)));
  if (added !== undefined) return { kind: 'added', name: added, action: 'deny' };
  if (within(text, comparable(places.home, platform)) && !places.lifted.includes('.ssh'))
    return { kind: 'credentials', name: '.ssh', action: 'deny' };
  if (text.endsWith('/.claude') && !places.lifted.includes('.claude/settings*.json'))
    return { kind: 'agent_settings', name: '.claude/settings*.json', action: 'require' };
  if (text.endsWith('/.git') && !places.lifted.includes('git_hooks')) return { kind: 'agent_settings', name: 'git_hooks', action: 'require' };
  return null;
}

function credentialName(text: string, belowHome: string | null, platform: PlatformFacts, isLifted: (name: string) => boolean): string | null {
  for (let at = text.indexOf('/.'); at >= 0; at = text.indexOf('/.', at + 2)) {
    const segment = segmentAt(text, at + 1);
    if (CREDENTIAL_SEGMENTS.has(segment)) {
      if (!isLifted(segment)) return segment;
    } else if (segment === '.docker' && segmentAt(text, at + 9) === 'config.json' && !isLifted('.docker/config.json')) return '.docker/config.json';
  }
  if (belowHome === null) return null;
  if (belowHome === '.npmrc' && !isLifted('.npmrc')) return '.npmrc';
  return !isLifted('browser_profiles') && isBelowHomePlace(belowHome, 'browsers', platform) ? 'browser_profiles' : null;
}

function settingsName(text: string, belowHome: string | null, platform: PlatformFacts, isLifted: (name: string) => boolean): string | null {
  const name = text.slice(text.lastIndexOf('/') + 1);
  if (name === '.mcp.json' && !isLifted('.mcp.json')) return '.mcp.json';
  if ((name === 'opencode.json' || name === 'opencode.jsonc') && !isLifted('.opencode')) return '.opencode';
  for (let at = text.indexOf('/.'); at >= 0; at = text.indexOf('/.', at + 2)) {
    const segment = segmentAt(text, at + 1);
    const rest = text.slice(at + 1 + segment.length + 1);
    if (SETTINGS_SEGMENTS.has(segment)) {
      if (!isLifted(segment)) return segment;
    } else if (segment === '.claude') {
      if (rest.startsWith('settings') && rest.endsWith('.json') && !rest.includes('/') && !isLifted('.claude/settings*.json'))
        return '.claude/settings*.json';
    } else if (segment === '.git') {
      const isHook = rest === 'hooks' || rest.startsWith('hooks/') || rest.includes('/hooks/') || rest.endsWith('/hooks');
      if ((isHook || rest === 'config') && !isLifted('git_hooks')) return 'git_hooks';
    } else if (segment === '.husky' && !isLifted('git_hooks')) return 'git_hooks';
    else if (segment === '.config' && firstSegment(rest) === 'opencode' && !isLifted('.opencode')) return '.opencode';
  }
  if (belowHome === null) return isSystemStartup(text) && !isLifted('shell_startup') ? 'shell_startup' : null;
  if (belowHome === '.claude.json' && !isLifted('.claude/settings*.json')) return '.claude/settings*.json';
  if (belowHome === '.gitconfig' && !isLifted('git_hooks')) return 'git_hooks';
  return !isLifted('shell_startup') && isBelowHomePlace(belowHome, 'startup', platform) ? 'shell_startup' : null;
}

const isSystemStartup = (text: string): boolean =>
  /^\/etc\/(?:profile|profile\.d|bash\.bashrc|bashrc|zsh|zshenv|zshrc|zprofile|fish)(?:\/|$)/.test(text);

function segmentAt(text: string, start: number): string {
  const end = text.indexOf('/', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

function isBelowHomePlace(belowHome: string, which: 'browsers' | 'startup', platform: PlatformFacts): boolean {
  const places = platform.caseSensitive ? HOME_PLACES.exact : HOME_PLACES.folded;
  return (places[which].get(firstSegment(belowHome)) ?? []).some((place) => within(place, belowHome));
}
