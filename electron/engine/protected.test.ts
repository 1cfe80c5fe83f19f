import { describe, expect, it } from 'vitest';
import { PROTECTIONS, protectedByRemoval, protectedReason } from './protected';
import { HOME, MAC, POSIX, session, WINDOWS } from './samples';

const places = session().protectedPlaces;
const at = (path: string): string => (path.startsWith('/') ? path : path.startsWith('~') ? HOME + path.slice(1) : `/srv/app/${path}`);

describe('credentials are denied for reading and writing (spec 5.4)', () => {
  it.each([
    ['.ssh', '~/.ssh/id_rsa', '~/.ssh-notes/a'],
    ['.ssh', '~/.ssh', '~/ssh'],
    ['.ssh', '.ssh/id_rsa', 'docs/ssh/a'],
    ['.ssh', '/ext/home/.ssh/id', '/ext/home/x.ssh/id'],
    ['.gnupg', '~/.gnupg/private-keys-v1.d/x.key', '~/.gnupg2/x'],
    ['.aws', '~/.aws/credentials', '.aws2/a'],
    ['.azure', '~/.azure/accessTokens.json', '~/azure/x'],
    ['.kube', '~/.kube/config', '~/.kubernetes/x'],
    ['.docker/config.json', '~/.docker/config.json', '.docker/readme.md'],
    ['.docker/config.json', 'x/.docker/config.json', '.docker/config.json.bak'],
    ['.netrc', '~/.netrc', '~/.netrc.md'],
    ['.git-credentials', '~/.git-credentials', '~/git-credentials'],
    ['.npmrc', '~/.npmrc', '.npmrc'],
    ['browser_profiles', '~/.mozilla/firefox/x/cookies.sqlite', '~/.mozillax/a'],
    ['browser_profiles', '~/.config/google-chrome/Default/Cookies', '~/.config/google/x'],
    ['browser_profiles', '~/snap/firefox/common/.mozilla/firefox/x', '~/snap/other/x'],
    ['browser_profiles', '~/Library/Application Support/Google/Chrome/Default', '~/Library/Application Support/Google/Earth'],
  ])('%s: %s, but not %s', (name, hit, miss) => {
    for (const access of ['read', 'write'] as const) {
      expect(protectedReason(at(hit), access, places, POSIX)).toEqual({ kind: 'credentials', name, action: 'deny' });
      expect(protectedReason(at(miss), access, places, POSIX)).toBeNull();
    }
  });

  it('follows the case rules of the platform', () => {
    expect(protectedReason(`${HOME}/.SSH/id`, 'read', places, POSIX)).toBeNull();
    expect(protectedReason(`${HOME}/.SSH/id`, 'read', places, MAC)).toMatchObject({ name: '.ssh' });
    expect(protectedReason(`${HOME}/library/safari/History.db`, 'read', places, MAC)).toMatchObject({ name: 'browser_profiles' });
    const windows = { ...places, home: 'C:\\Users\\Ada', ownDataDir: 'C:\\Users\\Ada\\AppData\\Roaming\\Gatehouse' };
    expect(protectedReason('c:\\users\\ADA\\.ssh\\id', 'read', windows, WINDOWS)).toMatchObject({ name: '.ssh' });
    expect(protectedReason('C:\\Users\\Ada\\AppData\\Local\\Google\\Chrome\\User Data\\x', 'read', windows, WINDOWS)).toMatchObject({
      name: 'browser_profiles',
    });
    expect(protectedReason('C:\\USERS\\ada\\appdata\\roaming\\gatehouse\\operator.token', 'read', windows, WINDOWS)).toMatchObject({
      kind: 'own_data',
    });
    expect(protectedReason('C:\\Users\\Ada\\.npmrc', 'read', windows, WINDOWS)).toMatchObject({ name: '.npmrc' });
  });
});

describe('our own data folder', () => {
  it('is denied for reading and writing and cannot be lifted', () => {
    const lifted = { ...places, lifted: ['own_data', places.ownDataDir] };
    for (const access of ['read', 'write'] as const) {
      expect(protectedReason(`${places.ownDataDir}/operator.token`, access, lifted, POSIX)).toMatchObject({ kind: 'own_data', action: 'deny' });
      expect(protectedReason(places.ownDataDir, access, lifted, POSIX)).toMatchObject({ kind: 'own_data', action: 'deny' });
      expect(protectedReason(`${places.ownDataDir}-notes/x`, access, lifted, POSIX)).toBeNull();
    }
  });
});

describe("writing an agent's settings asks, reading them does not (spec 5.4)", () => {
  it.each([
    ['.claude/settings*.json', '.claude/settings.json', '.claude/commands/x.md'],
    ['.claude/settings*.json', '.claude/settings.local.json', '.claude/settings.json.md'],
    ['.claude/settings*.json', '~/.claude/settings.json', '~/.claude/projects/settings.json'],
    ['.claude/settings*.json', '~/.claude.json', 'x/.claude.json'],
    ['.codex', '.codex/config.toml', '.codexx/config.toml'],
    ['.codex', '~/.codex', '~/codex'],
    ['.opencode', '.opencode/agent/x.md', '.opencode2/x'],
    ['.opencode', 'opencode.json', 'docs/opencode.json.md'],
    ['.opencode', 'x/opencode.jsonc', 'x/my-opencode.json'],
    ['.opencode', '~/.config/opencode/plugin/x.js', '~/.config/opencodex/x'],
    ['.gemini', '.gemini/settings.json', '.gemini.md'],
    ['.qwen', '~/.qwen/settings.json', '~/qwen/settings.json'],
    ['.mcp.json', '.mcp.json', '.mcp.json.bak'],
    ['git_hooks', '.git/hooks/pre-commit', '.git/info/exclude'],
    ['git_hooks', '.git/modules/sub/hooks/pre-commit', '.git/hooksx/a'],
    ['git_hooks', '.git/config', '.git/configs'],
    ['git_hooks', '.husky/pre-commit', 'husky/pre-commit'],
    ['git_hooks', '~/.gitconfig', 'x/.gitconfig'],
    ['shell_startup', '~/.bashrc', 'x/.bashrc'],
    ['shell_startup', '~/.zshenv', '~/.zshenv.d/x'],
    ['shell_startup', '~/.config/fish/config.fish', '~/.config/fisher/x'],
    ['shell_startup', '/etc/profile.d/x.sh', '/etc/profiles/x'],
  ])('%s: %s, but not %s', (name, hit, miss) => {
    expect(protectedReason(at(hit), 'write', places, POSIX)).toEqual({ kind: 'agent_settings', name, action: 'require' });
    expect(protectedReason(at(hit), 'read', places, POSIX)).toBeNull();
    expect(protectedReason(at(miss), 'write', places, POSIX)).toBeNull();
  });
});

describe('what the person changed in Settings', () => {
  it('adds places, which are denied like credentials', () => {
    const added = { ...places, extra: ['/vault'] };
    expect(protectedReason('/vault/x', 'read', added, POSIX)).toEqual({ kind: 'added', name: '/vault', action: 'deny' });
    expect(protectedReason('/vaults/x', 'read', added, POSIX)).toBeNull();
  });

  const examples: Readonly<Record<string, string>> = {
    browser_profiles: '~/.mozilla/firefox/x',
    git_hooks: '.git/hooks/x',
    shell_startup: '~/.bashrc',
    '.docker/config.json': '~/.docker/config.json',
    '.claude/settings*.json': '.claude/settings.json',
    '.mcp.json': '.mcp.json',
    '.npmrc': '~/.npmrc',
  };
  it.each(PROTECTIONS.map((protection) => protection.name))('can lift %s by its name, and nothing else with it', (name) => {
    const path = at(examples[name] ?? `${name}/x`);
    expect(protectedReason(path, 'write', places, POSIX)).toMatchObject({ name });
    expect(protectedReason(path, 'write', { ...places, lifted: [name] }, POSIX)).toBeNull();
    const others = PROTECTIONS.map((protection) => protection.name).filter((other) => other !== name);
    expect(protectedReason(path, 'write', { ...places, lifted: others }, POSIX)).toMatchObject({ name });
  });

  it('a lifted one does not hide a second one in the same path', () => {
    expect(protectedReason(`${HOME}/.ssh/.aws/x`, 'read', { ...places, lifted: ['.ssh'] }, POSIX)).toMatchObject({ name: '.aws' });
  });
});

describe('removing or moving a folder takes along what is in it', () => {
  it.each([
    [HOME, 'deny'],
    ['/home', 'deny'],
    ['/', 'deny'],
    [`${HOME}/.config`, 'deny'],
    ['/srv/app/.claude', 'require'],
    ['/srv/app/.git', 'require'],
    ['/srv/app', null],
    ['/srv/app/.github', null],
  ] as const)('%s: %s', (path, action) => {
    expect(protectedByRemoval(path, places, POSIX)?.action ?? null).toBe(action);
  });
  it('counts places that were added', () => {
    expect(protectedByRemoval('/mnt', { ...places, extra: ['/mnt/vault'] }, POSIX)).toMatchObject({ kind: 'added', action: 'deny' });
  });
});
