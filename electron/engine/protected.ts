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

/** Places below home by their first segment; by its first character, most paths are known not to be among them. */
interface HomePlaces {
  readonly initials: ReadonlySet<number>;
  readonly bySegment: ReadonlyMap<string, readonly string[]>;
}

function homePlaces(places: readonly string[]): HomePlaces {
  const bySegment = new Map<string, readonly string[]>();
  for (const place of places) bySegment.set(firstSegment(place), [...(bySegment.get(firstSegment(place)) ?? []), place]);
  return { initials: new Set(places.map((place) => place.charCodeAt(0))), bySegment };
}

const folded = (places: readonly string[]): HomePlaces => homePlaces(places.map((place) => place.toLowerCase()));
const HOME_PLACES = {
  exact: { browsers: homePlaces(BROWSER_PROFILES), startup: homePlaces(SHELL_STARTUP) },
  folded: { browsers: folded(BROWSER_PROFILES), startup: folded(SHELL_STARTUP) },
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
  for (const extra of places.extra) if (within(comparable(extra, platform), text)) return { kind: 'added', name: extra, action: 'deny' };
  const homeStart = relativeStart(comparable(places.home, platform), text);
  const firstDot = text.indexOf('/.');
  const credential = credentialName(text, firstDot, homeStart, platform, places.lifted);
  if (credential !== null) return { kind: 'credentials', name: credential, action: 'deny' };
  if (access === 'read') return null;
  const settings = settingsName(text, firstDot, homeStart, platform, places.lifted);
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

/** `firstDot`: where the first segment that begins with a dot stands, -1 without one; `homeStart`: where the part below home begins. */
function credentialName(text: string, firstDot: number, homeStart: number, platform: PlatformFacts, lifted: readonly string[]): string | null {
  for (let at = firstDot; at >= 0; at = text.indexOf('/.', at + 2)) {
    const segment = segmentAt(text, at + 1);
    if (CREDENTIAL_SEGMENTS.has(segment)) {
      if (!lifted.includes(segment)) return segment;
    } else if (segment === '.docker' && segmentAt(text, at + 9) === 'config.json' && !lifted.includes('.docker/config.json'))
      return '.docker/config.json';
    else if (segment === '.npmrc' && at + 1 === homeStart && text.length === at + 7 && !lifted.includes('.npmrc')) return '.npmrc';
  }
  return !lifted.includes('browser_profiles') && isHomePlace('browsers', text, homeStart, platform) ? 'browser_profiles' : null;
}

function settingsName(text: string, firstDot: number, homeStart: number, platform: PlatformFacts, lifted: readonly string[]): string | null {
  if ((text.endsWith('/opencode.json') || text.endsWith('/opencode.jsonc')) && !lifted.includes('.opencode')) return '.opencode';
  for (let at = firstDot; at >= 0; at = text.indexOf('/.', at + 2)) {
    const name = settingsAt(segmentAt(text, at + 1), text, at + 1, homeStart);
    if (name !== null && !lifted.includes(name)) return name;
  }
  const isStartup = homeStart < 0 ? isSystemStartup(text) : isHomePlace('startup', text, homeStart, platform);
  return isStartup && !lifted.includes('shell_startup') ? 'shell_startup' : null;
}

/** The protection that a path passes through or ends in at the segment that begins at `start`. */
function settingsAt(segment: string, text: string, start: number, homeStart: number): string | null {
  if (SETTINGS_SEGMENTS.has(segment)) return segment;
  const rest = text.slice(start + segment.length + 1);
  switch (segment) {
    case '.mcp.json':
      return rest === '' ? '.mcp.json' : null;
    case '.claude':
      return rest.startsWith('settings') && rest.endsWith('.json') && !rest.includes('/') ? '.claude/settings*.json' : null;
    case '.claude.json':
      return rest === '' && start === homeStart ? '.claude/settings*.json' : null;
    case '.git': {
      const isHook = rest === 'hooks' || rest.startsWith('hooks/') || rest.includes('/hooks/') || rest.endsWith('/hooks');
      return isHook || rest === 'config' ? 'git_hooks' : null;
    }
    case '.husky':
      return 'git_hooks';
    case '.gitconfig':
      return rest === '' && start === homeStart ? 'git_hooks' : null;
    case '.config':
      return firstSegment(rest) === 'opencode' ? '.opencode' : null;
    default:
      return null;
  }
}

const isSystemStartup = (text: string): boolean =>
  text.startsWith('/etc/') && /^\/etc\/(?:profile|profile\.d|bash\.bashrc|bashrc|zsh|zshenv|zshrc|zprofile|fish)(?:\/|$)/.test(text);

function segmentAt(text: string, start: number): string {
  const end = text.indexOf('/', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

function isHomePlace(which: 'browsers' | 'startup', text: string, homeStart: number, platform: PlatformFacts): boolean {
  if (homeStart < 0) return false;
  const places = (platform.caseSensitive ? HOME_PLACES.exact : HOME_PLACES.folded)[which];
  if (!places.initials.has(text.charCodeAt(homeStart))) return false;
  const belowHome = text.slice(homeStart);
  return (places.bySegment.get(firstSegment(belowHome)) ?? []).some((place) => within(place, belowHome));
}
