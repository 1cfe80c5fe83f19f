import { describe, expect, it } from 'vitest';
import { isWithin, matchesPath, matchesTool, mcpName, type PathMatchBases, type ToolSubject } from './match';
import { HOME, MAC, POSIX, ROOT, WINDOWS } from './samples';

const tool = (name: string, more: Partial<ToolSubject> = {}): ToolSubject => ({
  tool: name,
  mcp: mcpName(name),
  kind: 'other',
  executes: false,
  ...more,
});

describe('matchesTool by name (spec 5.1, 5.2)', () => {
  it.each([
    ['*_report', 'daily_report', 'daily_reports'],
    ['mcp__*__delete', 'mcp__files__delete', 'mcp__files__delete_all'],
    ['deploy*', 'deploy', 're_deploy'],
    ['tool.name', 'tool.name', 'toolXname'],
    ['deploy', 'deploy', 'Deploy'],
    ['gmail:send', 'mcp__gmail__send', 'mcp__gmail__search'],
    ['gmail:send', 'gmail:send', 'mcp__gmail2__send'],
    ['mcp__gmail__send', 'gmail:send', 'gmail:search'],
    ['gmail:*', 'mcp__gmail__send', 'mcp__gcal__send'],
    ['gmail:*', 'gmail:send', 'gmail'],
    ['*:send', 'mcp__gmail__send', 'mcp__gmail__sender'],
    ['gmail:s*', 'mcp__gmail__send', 'mcp__gmail__list'],
    ['mcp__gmail__*', 'gmail:send', 'gcal:send'],
    ['external_directory', 'external_directory', 'external_directories'],
  ])('%s matches %s and not %s', (pattern, hit, miss) => {
    expect(matchesTool(pattern, tool(hit))).toBe(true);
    expect(matchesTool(pattern, tool(miss))).toBe(false);
  });
});

describe('matchesTool by class (spec 5.2, 4)', () => {
  const read = tool('Read', { kind: 'read', access: 'read' });
  const write = tool('Write', { kind: 'edit', access: 'write' });
  const bash = tool('Bash', { kind: 'execute', executes: true });
  const redirect = tool('Bash', { kind: 'execute', executes: true, access: 'write' });
  const fetch = tool('WebFetch', { kind: 'fetch' });
  const mail = tool('mcp__gmail__send');
  it.each<[string, readonly ToolSubject[], readonly ToolSubject[]]>([
    ['@fs_read', [read], [write, bash, fetch, mail, redirect]],
    ['@fs_write', [write, redirect], [read, bash, fetch, mail]],
    ['@fs_any', [read, write, redirect], [bash, fetch, mail]],
    ['@exec', [bash, redirect], [read, write, fetch, mail]],
    ['@net', [fetch], [read, write, bash, mail]],
    ['@mcp', [mail, tool('gmail:send')], [read, write, bash, fetch]],
  ])('%s', (pattern, hits, misses) => {
    for (const hit of hits) expect(matchesTool(pattern, hit)).toBe(true);
    for (const miss of misses) expect(matchesTool(pattern, miss)).toBe(false);
  });

  it('matches a path check by its access, whatever the tool is', () => {
    expect(matchesTool('@fs_read', tool('move_file', { kind: 'edit', access: 'read' }))).toBe(true);
    expect(matchesTool('@fs_write', tool('move_file', { kind: 'edit', access: 'read' }))).toBe(false);
  });

  it('never matches a tool that is in no class', () => {
    for (const pattern of ['@fs_read', '@fs_write', '@fs_any', '@exec', '@net', '@mcp']) expect(matchesTool(pattern, tool('frobnicate'))).toBe(false);
  });
});

describe('mcpName', () => {
  it.each([
    ['mcp__gmail__send', 'gmail', 'send'],
    ['mcp__my_srv__a__b', 'my_srv', 'a__b'],
    ['gmail:send', 'gmail', 'send'],
  ])('%s is %s and %s', (name, server, bare) => {
    expect(mcpName(name)).toEqual({ server, tool: bare });
  });
  it.each(['Read', 'mcp__', 'mcp__x', ':send', 'gmail:', 'graph__update'])('%s is no MCP name', (name) => {
    expect(mcpName(name)).toBeNull();
  });
});

const bases: PathMatchBases = { root: ROOT, workingDirectory: ROOT, home: HOME, platform: POSIX };

describe('matchesPath (spec 5.3)', () => {
  it.each([
    ['the subtree', 'private/*', 'private/a', 'privates/a'],
    ['deep below', 'private/*', 'private/b/c/d.txt', 'src/private/a'],
    ['the directory itself', 'private/*', 'private', 'privat'],
    ['an exact file', 'config.yml', 'config.yml', 'config.yml2'],
    ['a star in front crosses directories', '*.env', 'conf/prod.env', '.env.local'],
    ['a star in front is also empty', '*.env', '.env', 'env'],
    ['a star in the middle crosses directories', 'src/*/test.ts', 'src/a/b/test.ts', 'src/test.ts'],
    ['a glued star', 'src*', 'src-old/a', 'lib/src'],
    ['brackets', 'pages/[id].ts', 'pages/[id].ts', 'pages/i.ts'],
    ['a question mark', 'a?.txt', 'a?.txt', 'ab.txt'],
    ['a trailing slash is the folder', 'private/', 'private/a', 'private2'],
    ['a leading dot', './private/*', 'private/a', 'a'],
    ['a doubled slash', 'private//x/*', 'private/x/a', 'private/a'],
    ['a step up and down', 'src/../private/*', 'private/a', 'src/private/a'],
    ['the whole root', './*', 'a/b', '/home/ada/other'],
    ['the root itself', '.', '.', 'a'],
    ['two stars are one', 'private/**', 'private/a/b', 'privat/a'],
    ['a folder wherever it is', '*/secrets/*', 'x/secrets/y', 'x/secrets2/y'],
    ['that folder itself', '*/secrets/*', 'x/secrets', 'x/secret'],
    ['outside by steps up', '../ext/*', '/home/ada/ext/a', '/home/ada/ext2/a'],
    ['a tail with a space', 'my *', 'my', 'mya'],
  ])('%s: %s covers %s and not %s', (_what, pattern, hit, miss) => {
    const at = (name: string): string => (name.startsWith('/') ? name : name === '.' ? ROOT : `${ROOT}/${name}`);
    expect(matchesPath(pattern, at(hit), bases)).toBe(true);
    expect(matchesPath(pattern, at(miss), bases)).toBe(false);
  });

  it.each([
    ['/a/b/*', '/a/b', '/a/bc'],
    ['/a/b/*', '/a/b/c/d', '/a'],
    ['/a/b', '/a/b', '/a/b/c'],
    ['/a/b*', '/a/bc', '/a/c'],
    ['/*', '/', 'relative'],
    ['/*', '/any/thing', 'C:/any'],
    ['~/proj/*', '/home/ada/proj/x', '/home/ada/project/x'],
    ['~', '/home/ada', '/home/ada/x'],
    ['~/*', '/home/ada/x', '/home/bob/x'],
    ['*', '/any/thing', ''],
  ])('%s is compared with the canonical path: %s, not %s', (pattern, hit, miss) => {
    expect(matchesPath(pattern, hit, bases)).toBe(true);
    if (miss !== '') expect(matchesPath(pattern, miss, bases)).toBe(false);
  });

  it('never drops the slash of an absolute path to make it relative', () => {
    expect(matchesPath('data/*', '/data/prod.db', bases)).toBe(false);
  });

  it('is relative to the root and to the working directory, either suffices', () => {
    const moved = { ...bases, workingDirectory: `${ROOT}/pkg` };
    expect(matchesPath('private/*', `${ROOT}/pkg/private/a`, moved)).toBe(true);
    expect(matchesPath('private/*', `${ROOT}/private/a`, moved)).toBe(true);
    expect(matchesPath('private/*', `${ROOT}/other/private/a`, moved)).toBe(false);
  });

  it('matches no relative pattern in a session without root and working directory', () => {
    expect(matchesPath('private/*', '/private/a', { ...bases, root: null, workingDirectory: null })).toBe(false);
    expect(matchesPath('*.env', '/x/prod.env', { ...bases, root: null, workingDirectory: null })).toBe(true);
  });

  it('sees through a link where a relative pattern begins, and only there', () => {
    const linked = { ...bases, links: [{ at: `${ROOT}/private`, to: `${ROOT}/vault` }] };
    expect(matchesPath('private/*', `${ROOT}/vault/a`, linked)).toBe(true);
    expect(matchesPath('private/*', `${ROOT}/vault`, linked)).toBe(true);
    expect(matchesPath('private/*', `${ROOT}/vaults/a`, linked)).toBe(false);
    expect(matchesPath('private/x', `${ROOT}/vault/x`, linked)).toBe(true);
    expect(matchesPath('priv*', `${ROOT}/vault/x`, linked)).toBe(false);
    expect(matchesPath('*private/*', `${ROOT}/vault/x`, linked)).toBe(false);
  });

  it('ignores case where the platform does', () => {
    expect(matchesPath('Private/*', `${ROOT}/PRIVATE/a`, { ...bases, platform: MAC })).toBe(true);
    expect(matchesPath('Private/*', `${ROOT}/PRIVATE/a`, bases)).toBe(false);
    expect(matchesPath('caf\u00e9/*', `${ROOT}/cafe\u0301/a`, { ...bases, platform: MAC })).toBe(true);
  });

  it.each([
    ['C:\\Work\\*', 'c:\\work\\a', 'c:\\workshop\\a'],
    ['C:/Work/*', 'C:\\Work\\a\\b', 'D:\\Work\\a'],
    ['C:\\*', 'C:\\x', 'D:\\x'],
    ['src\\*', 'C:\\app\\src\\a', 'C:\\app\\lib\\a'],
    ['src/*', 'C:\\app\\src', 'C:\\src'],
    ['\\\\srv\\share\\*', '\\\\SRV\\share\\a', '\\\\srv\\shared\\a'],
    ['~/x/*', 'C:\\Users\\Ada\\x\\y', 'C:\\Users\\Ada\\xy'],
    ['*.key', 'C:\\app\\a.KEY', 'C:\\app\\a.keys'],
  ])('on Windows %s covers %s and not %s', (pattern, hit, miss) => {
    const windows = { root: 'C:\\app', workingDirectory: 'C:\\app', home: 'C:\\Users\\Ada', platform: WINDOWS };
    expect(matchesPath(pattern, hit, windows)).toBe(true);
    expect(matchesPath(pattern, miss, windows)).toBe(false);
  });
});

describe('isWithin', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/b/c', true],
    ['/a/b', '/a/bc', false],
    ['/a/b', '/a', false],
    ['/', '/x', true],
    ['/', '/', true],
    ['/a', '/A/x', false],
  ])('%s holds %s: %s', (dir, path, expected) => {
    expect(isWithin(dir, path, POSIX)).toBe(expected);
  });
  it('follows the rules of the platform', () => {
    expect(isWithin('/a', '/A/x', MAC)).toBe(true);
    expect(isWithin('C:\\a', 'c:\\A\\x', WINDOWS)).toBe(true);
    expect(isWithin('C:\\', 'C:\\x', WINDOWS)).toBe(true);
    expect(isWithin('C:\\a', 'C:\\ab', WINDOWS)).toBe(false);
  });
});
