import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/model';
import type { CallFacts, PlatformFacts } from '../engine/facts';
import { type CallToTakeIn, digestOf, MAX_INPUT_DEPTH, recall, type SessionPlace, takeIn } from './intake';
import { createPaths, type Paths } from './paths';

let root: string;
let paths: Paths;
const at = (...names: readonly string[]): string => join(root, ...names);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'intake-')));
  for (const directory of ['app/src', 'app/private', 'app/keys', 'app/sub/keys', 'ext/deep', 'home/.ssh'])
    mkdirSync(at(directory), { recursive: true });
  for (const file of ['app/src/a.ts', 'app/src/b.ts', 'app/keys/a', 'app/.env', 'home/.ssh/id_rsa', 'ext/s.txt']) writeFileSync(at(file), 'x');
  symlinkSync(at('ext/deep'), at('app/link'));
  symlinkSync(at('home/.ssh/id_rsa'), at('app/src/z-link'));
  paths = createPaths({ home: at('home') });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const place = (agent: string, more: Partial<SessionPlace> = {}): SessionPlace => ({
  agent,
  source: 'interactive',
  root: at('app'),
  workingDirectory: at('app'),
  ...more,
});

function taken(draft: CallToTakeIn, session: SessionPlace = place('claude-code'), where: Paths = paths): CallFacts {
  const result = takeIn(draft, session, where);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** `access path` of each path, short: below the root without it, `?` for one that cannot be resolved. */
function seen(facts: CallFacts, origin?: string): readonly string[] {
  return facts.paths
    .filter((path) => origin === undefined || path.origin === origin)
    .map((path) => `${path.access} ${path.canonical === null ? '?' : path.canonical.replace(`${root}/`, '')}`);
}
const bash = (command: string, more: Partial<CallToTakeIn> = {}, session?: SessionPlace): CallFacts =>
  taken({ tool: 'Bash', input: { command }, ...more }, session);

describe('the paths of a call', () => {
  const table: readonly (readonly [string, string, JsonObject, string, readonly string[]])[] = [
    ['claude-code', 'Read', { file_path: 'src/a.ts' }, 'read', ['read app/src/a.ts']],
    ['claude-code', 'Write', { file_path: 'link/x', content: 'y' }, 'edit', ['write ext/deep/x']],
    ['claude-code', 'Edit', { file_path: '~/x' }, 'edit', ['write home/x']],
    ['claude-code', 'MultiEdit', { file_path: 'a', edits: [] }, 'edit', ['write app/a']],
    ['claude-code', 'NotebookEdit', { notebook_path: 'n.ipynb' }, 'edit', ['write app/n.ipynb']],
    ['claude-code', 'Grep', { pattern: 'x' }, 'search', ['read app']],
    ['claude-code', 'Grep', { pattern: '/etc/x', path: 'src' }, 'search', ['read app/src']],
    ['claude-code', 'Glob', { pattern: '*.ts', path: '' }, 'search', ['read app']],
    ['claude-code', 'Glob', { pattern: 'private/**/*.ts' }, 'search', ['read app', 'read app/private']],
    ['claude-code', 'Glob', { pattern: '../../ext/*', path: 'src' }, 'search', ['read app/src', 'read ext']],
    ['claude-code', 'Glob', { pattern: '/etc/*' }, 'search', ['read app', 'read /etc']],
    ['claude-code', 'Glob', { pattern: '{src,private}/*' }, 'search', ['read app', 'read app/src', 'read app/private']],
    ['claude-code', 'Glob', { pattern: '*/../../x' }, 'search', ['read app', 'read ?']],
    ['claude-code', 'LS', { path: '/etc' }, 'search', ['read /etc']],
    ['claude-code', 'Read', {}, 'read', ['read app']],
    ['claude-code', 'Write', { content: 'x' }, 'edit', ['write app']],
    ['claude-code', 'Read', { file_path: 7 }, 'read', ['read ?']],
    ['claude-code', 'Write', { file_path: { a: 1 } }, 'edit', ['write ?']],
    ['claude-code', 'Read', { file_path: ['src/a.ts', 'src/b.ts'] }, 'read', ['read app/src/a.ts', 'read app/src/b.ts']],
    ['claude-code', 'Read', { file_path: 'a\0b' }, 'read', ['read ?']],
    ['claude-code', 'Read', { file_path: '\uD800' }, 'read', ['read ?']],
    ['claude-code', 'WebFetch', { url: 'file:///etc/passwd' }, 'fetch', ['read /etc/passwd']],
    ['claude-code', 'TodoWrite', { todos: [{ path: '/etc' }] }, 'other', []],
    ['claude-code', 'frobnicate', { path: '/etc/passwd' }, 'other', []],
    ['claude-code', 'mcp__filesystem__move_file', { source: 'a', destination: '../b' }, 'edit', ['write app/a', 'write b']],
    ['claude-code', 'mcp__filesystem__read_multiple_files', { paths: ['a', '/b'] }, 'read', ['read app/a', 'read /b']],
    ['claude-code', 'filesystem:write_file', { path: 'a' }, 'edit', ['write app/a']],
    [
      'codex',
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: n\n+x\n*** Update File: src/a.ts\n*** Move to: ../m\n*** End Patch' },
      'edit',
      ['write app/n', 'write app/src/a.ts', 'write m'],
    ],
    ['codex', 'apply_patch', { input: '--- a/src/a.ts\n+++ b/src/a.ts\n@@' }, 'edit', ['write app/src/a.ts']],
    ['codex', 'apply_patch', { input: 'no patch at all' }, 'edit', ['write ?']],
    ['codex', 'view_image', { path: 'x.png' }, 'read', ['read app/x.png']],
    ['opencode', 'edit', { filePath: 'a' }, 'edit', ['write app/a']],
    ['opencode', 'apply_patch', { patchText: '*** Delete File: a' }, 'edit', ['write app/a']],
    ['gemini', 'read_file', { absolute_path: 'a' }, 'read', ['read app/a']],
    ['gemini', 'read_file', { file_path: 'a', absolute_path: 'b' }, 'read', ['read app/a', 'read app/b']],
    ['gemini', 'read_many_files', { paths: ['src/*.ts', 'docs/x.md'] }, 'read', ['read app/src', 'read app/docs/x.md']],
    ['gemini', 'list_directory', { dir_path: 'src' }, 'search', ['read app/src']],
    ['copilot', 'view', { path: 'a' }, 'read', ['read app/a']],
    ['copilot', 'str_replace_editor', { command: 'view', path: 'a' }, 'edit', ['write app/a']],
    ['cline', 'read_files', { files: [{ path: 'a' }, 'b'] }, 'read', ['read app/a', 'read app/b']],
    ['cline', 'search_codebase', { queries: ['x'] }, 'search', ['read app']],
    ['skald', 'replace_lines', { path: 'a' }, 'edit', ['write app/a']],
    ['somebody', 'Write', { file_path: 'a' }, 'edit', ['write app/a']],
    ['somebody', 'read_file', { path: 'a' }, 'read', ['read app/a']],
    ['somebody', 'read_file', { file: 'a' }, 'other', []],
    ['somebody', 'grep', { pattern: 'x' }, 'other', []],
  ];
  it.each(table)('%s %s %j is %s', (agent, tool, input, kind, expected) => {
    const facts = taken({ tool, input }, place(agent));
    expect(facts.kind).toBe(kind);
    expect(seen(facts)).toEqual(expected);
  });

  it('are resolved in the directory of the call, which is named in the facts', () => {
    const facts = taken({ tool: 'Read', input: { file_path: 'a.ts' }, cwd: 'src' });
    expect(seen(facts)).toEqual(['read app/src/a.ts']);
    expect(facts.cwd).toBe(at('app/src'));
    expect(taken({ tool: 'Grep', input: {}, cwd: at('ext') }).paths[0]?.canonical).toBe(at('ext'));
    expect(taken({ tool: 'Read', input: { file_path: 'a' }, cwd: null }).cwd).toBe(at('app'));
  });

  it('cannot be resolved without any directory, or in one that leads nowhere', () => {
    const nowhere = place('claude-code', { root: null, workingDirectory: null });
    expect(seen(taken({ tool: 'Write', input: { file_path: 'a' } }, nowhere))).toEqual(['write ?']);
    expect(seen(taken({ tool: 'Write', input: { file_path: '/a' } }, nowhere))).toEqual(['write /a']);
    expect(seen(taken({ tool: 'Grep', input: {} }, nowhere))).toEqual(['read ?']);
    expect(seen(taken({ tool: 'Write', input: { file_path: 'a' }, cwd: 'x\0' }))).toEqual(['write ?']);
    expect(seen(bash('echo x > a', {}, nowhere), 'redirect')).toEqual(['write ?']);
  });

  it('count both ways where a tool may tidy them first', () => {
    expect(seen(taken({ tool: 'Read', input: { file_path: 'link/../x' } }))).toEqual(['read ext/x', 'read app/x']);
    expect(seen(taken({ tool: 'Read', input: { file_path: 'src/../x' } }))).toEqual(['read app/x']);
  });

  it('say what a call removes and what it reads below', () => {
    expect(
      taken({ tool: 'mcp__filesystem__move_file', input: { source: 'a', destination: 'b' } }).paths.map((path) => path.deletes === true),
    ).toEqual([true, false]);
    expect(taken({ tool: 'Grep', input: { path: 'src' } })).toMatchObject({ readsBelow: true, paths: [{ recursive: true }] });
    expect(taken({ tool: 'Read', input: { file_path: 'a' } })).toMatchObject({ readsBelow: false });
  });

  it('are reported as written and as canonical', () => {
    expect(taken({ tool: 'Write', input: { file_path: 'link/a.txt' } }).paths).toEqual([
      { raw: 'link/a.txt', canonical: at('ext/deep/a.txt'), access: 'write', origin: 'argument' },
    ]);
  });
});

describe('declared facts (spec 3.3)', () => {
  it('add paths and never replace what the input says', () => {
    const facts = taken({ tool: 'Write', input: { file_path: 'private/x' }, paths: [{ path: 'public/x', access: 'write' }, '~/.ssh/id'] });
    expect(seen(facts, 'argument')).toEqual(['write app/private/x']);
    expect(seen(facts, 'declared')).toEqual(['write app/public/x', 'write home/.ssh/id']);
    expect(seen(taken({ tool: 'Read', input: { file_path: 'a' }, paths: ['b'] }), 'declared')).toEqual(['read app/b']);
  });

  const kinds: readonly (readonly [string, JsonObject, CallToTakeIn['kind'], string, string | undefined])[] = [
    ['Write', { file_path: 'a' }, 'read', 'edit', 'read'],
    ['Bash', { command: 'ls' }, 'read', 'execute', 'read'],
    ['Read', { file_path: 'a' }, 'edit', 'edit', undefined],
    ['Read', { file_path: 'a' }, 'search', 'read', undefined],
    ['Read', { file_path: 'a' }, 'read', 'read', undefined],
    ['Write', { file_path: 'a' }, 'delete', 'delete', undefined],
    ['WebFetch', { url: 'https://a.b' }, 'read', 'fetch', 'read'],
    ['WebFetch', { url: 'https://a.b' }, 'execute', 'fetch', 'execute'],
    ['frobnicate', {}, 'read', 'other', 'read'],
    ['frobnicate', {}, 'execute', 'other', 'execute'],
    ['frobnicate', {}, 'fetch', 'other', 'fetch'],
  ];
  it.each(kinds)('%s %j declared as %s is %s', (tool, input, declared, kind, declaredKind) => {
    const facts = taken({ tool, input, ...(declared === undefined ? {} : { kind: declared }) });
    expect(facts.kind).toBe(kind);
    expect(facts.declaredKind).toBe(declaredKind);
    expect(facts.executes).toBe(tool === 'Bash');
  });

  it('never make a set of checks smaller', () => {
    const calls: readonly CallToTakeIn[] = [
      { tool: 'Write', input: { file_path: 'a' } },
      { tool: 'Read', input: { file_path: 'a' } },
      { tool: 'Bash', input: { command: 'cat /etc/hosts > out' } },
      { tool: 'Grep', input: {} },
      { tool: 'frobnicate', input: {} },
    ];
    const declared = fc.record(
      {
        kind: fc.constantFrom('read', 'edit', 'delete', 'search', 'execute', 'fetch', 'message', 'other'),
        paths: fc.array(
          fc.oneof(
            fc.constantFrom('a', '/etc', '~/.ssh/id', 'a\0'),
            fc.record({ path: fc.constantFrom('a', '../x'), access: fc.constantFrom('read', 'write') }),
          ),
          { maxLength: 3 },
        ),
        hosts: fc.array(fc.constantFrom('a.example', 'https://b.example/x', ''), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...calls), declared, (call, more) => {
        const plain = taken(call);
        const facts = taken({ ...call, ...more } as CallToTakeIn);
        for (const path of plain.paths) expect(facts.paths).toContainEqual(path);
        expect(facts.units).toEqual(plain.units);
        expect(facts.executes).toBe(plain.executes);
        expect(facts.hosts).toEqual(expect.arrayContaining([...plain.hosts]));
      }),
      { numRuns: 200 },
    );
  });
});

describe('commands', () => {
  const shapes: readonly (readonly [string, string, JsonObject, readonly string[]])[] = [
    ['claude-code', 'Bash', { command: 'ls && rm x', description: 'git status' }, ['ls', 'rm x']],
    ['codex', 'shell', { command: ['bash', '-lc', 'git status && rm -rf x'] }, ['bash -lc git status && rm -rf x', 'git status', 'rm -rf x']],
    ['codex', 'shell', { command: ['git', 'commit', '-m', 'a && b'] }, ['git commit -m a && b']],
    ['codex', 'shell', { command: 'rm x; ls' }, ['rm x', 'ls']],
    ['codex', 'local_shell', { action: { type: 'exec', command: ['rm', 'x'] } }, ['rm x']],
    ['codex', 'exec_command', { cmd: 'rm x' }, ['rm x']],
    ['codex', 'exec_command', { cmd: 'rm x', shell: '/bin/zsh' }, ['rm x']],
    ['codex', 'exec_command', { cmd: 'rm x', shell: '/tmp/evil' }, ['!rm x']],
    ['codex', 'exec_command', { cmd: 'rm x', shell: 'pwsh' }, ['!rm x']],
    ['codex', 'write_stdin', { session_id: 1, chars: 'rm x\n' }, ['!rm x']],
    ['codex', 'Bash', { command: 'rm x' }, ['rm x']],
    ['gemini', 'run_shell_command', { command: 'rm x' }, ['rm x']],
    ['copilot', 'powershell', { command: 'ls; rm x' }, ['!ls; rm x']],
    ['cline', 'run_commands', { commands: ['ls', 'sudo rm x'] }, ['ls', 'sudo rm x', 'rm x']],
    ['cline', 'run_commands', { commands: [{ command: 'rm', args: ['x y'] }] }, ['rm x y']],
    ['cline', 'run_commands', { command: 'rm', args: ['$x'] }, ['rm $x']],
    ['cline', 'run_commands', { commands: [7] }, ['!7']],
    ['skald', 'execute_cmd', { command: 'rm x' }, ['rm x']],
    ['claude-code', 'Bash', { command: ['rm', 'x'] }, ['rm x']],
    ['claude-code', 'Bash', { command: { a: 'rm x' } }, ['!{"a":"rm x"}']],
    ['claude-code', 'Bash', { command: '( rm' }, ['!( rm']],
    ['claude-code', 'Bash', {}, []],
    ['claude-code', 'Bash', { command: '' }, []],
  ];
  it.each(shapes)('of %s %s %j are units', (agent, tool, input, expected) => {
    const facts = taken({ tool, input }, place(agent));
    expect(facts.units.map((unit) => (unit.opaque ? `!${unit.text}` : unit.text))).toEqual(expected);
    expect(facts.executes).toBe(true);
    expect(facts.kind).toBe('execute');
  });

  it('of several texts keep apart which unit runs which', () => {
    expect(taken({ tool: 'run_commands', input: { commands: ['sudo a', 'sudo b'] } }, place('cline')).units.map((unit) => unit.wrapped_by)).toEqual([
      undefined,
      0,
      undefined,
      2,
    ]);
  });

  it('run in the directory that the input names, which counts as a place they read', () => {
    const facts = taken({ tool: 'exec_command', input: { cmd: 'echo x > out', workdir: '../ext' } }, place('codex'));
    expect(seen(facts)).toEqual(['read ext', 'write ext/out']);
    expect(seen(taken({ tool: 'exec_command', input: { cmd: 'echo x > out', workdir: 7 } }, place('codex')), 'redirect')).toEqual(['write ?']);
  });

  it('are not read as shell text where the system has another shell', () => {
    const windows: PlatformFacts = { separator: '\\', caseSensitive: false };
    const there = createPaths({ home: 'C:\\Users\\me', platform: windows });
    const session = place('gemini', { root: 'C:\\work', workingDirectory: 'C:\\work' });
    expect(taken({ tool: 'run_shell_command', input: { command: 'ls' } }, session, there).units).toMatchObject([{ opaque: true }]);
    const claude = taken({ tool: 'Bash', input: { command: 'echo x > /d/out' } }, { ...session, agent: 'claude-code' }, there);
    expect(claude.paths[0]?.canonical).toBe('D:\\out');
  });
});

describe('paths of shell text (spec 4 and 6)', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['echo x > out', ['write app/out']],
    ['echo x >> ./keys/sub/../a', ['write app/keys/a']],
    ['cat < keys/a', ['read app/keys/a']],
    ['echo x > ../ext/o', ['write ext/o']],
    ['echo x > link/o', ['write ext/deep/o']],
    ['cat link/../s.txt', ['read ext/s.txt']],
    ['cat src/a.ts nothing', ['read app/src/a.ts']],
    ['cat nothing .ssh/id', ['read app/.ssh/id']],
    ['cat ~/.ssh/id_rsa', ['read home/.ssh/id_rsa']],
    ['cat "$HOME/.ssh/id_rsa"', ['read home/.ssh/id_rsa']],
    ['cat "$x"/.ssh/id', ['read app/.ssh/id']],
    ['cat /etc/nothing-there', ['read /etc/nothing-there']],
    ['cat src/*.ts', ['read app/src/a.ts', 'read app/src/b.ts']],
    ['cat src/z*', ['read home/.ssh/id_rsa']],
    ['cat ~/.s*/id*', ['read home', 'read home/.ssh/id_rsa']],
    ['cat ~/none*', ['read home', 'read home/none*']],
    ['cat src/[ab].ts', ['read app/src/a.ts', 'read app/src/b.ts']],
    ['cat src/[!a].ts', ['read app/src/b.ts']],
    ['cat src/?.ts', ['read app/src/a.ts', 'read app/src/b.ts']],
    ["cat 'src/*.ts'", []],
    ['cat src/{a,b}.ts', ['read app/src/a.ts', 'read app/src/b.ts']],
    ['cat *', ['read app/keys', 'read ext/deep', 'read app/private', 'read app/src', 'read app/sub']],
    ['cat .e*', ['read app/.env']],
    ['cat $x/../y', ['read ?']],
    // A target that only the shell knows asks, whatever a rule allows: it is no write that could not be resolved.
    ['echo x > "$FILE"', ['read ?']],
    ['echo x > $(rm y)', ['read ?']],
    ['echo x 2>&1 >/dev/null', []],
    ['git commit -m "fix things"', []],
    // The directory in force.
    ['cd keys && echo x > a', ['read app/keys', 'write app/keys/a']],
    ['cd keys; echo x > a', ['read app/keys', 'write app/keys/a']],
    ['cd nothing; echo x > a', ['write app/nothing/a', 'write app/a']],
    ['cd nothing && echo x > a', ['write app/nothing/a']],
    ['cd keys || echo x > a', ['read app/keys', 'read ?']],
    ['cd nothing || echo x > a', ['write app/a']],
    ['(cd keys); echo x > a', ['read app/keys', 'write app/a']],
    ['cd sub && cd keys && echo x > a', ['read app/sub', 'read app/sub/keys', 'write app/sub/keys/a']],
    ['cd sub/.. && echo x > a', ['read app', 'write app/a']],
    ['cd link/.. && echo x > a', ['read ext', 'write app/a', 'write ext/a']],
    ['cd -P link/.. && echo x > a', ['read ext', 'write ext/a']],
    ['cd "$d" && echo x > a', ['read ?']],
    ['cd "$d" && echo x > ~/a', ['write home/a']],
    ['cd "$d" && cat a', []],
    ['cd "$d" && cat .ssh/id', ['read ?']],
    ['cd && echo x > a', ['write home/a']],
    ['cd - && echo x > a', ['read ?']],
    ['if a; then cd keys; fi; echo x > a', ['read app/keys', 'write app/keys/a', 'write app/a']],
    ['for d in keys; do cd $d; done; echo x > a', ['read app/keys', 'read ?']],
    ['for d in 1; do cd keys; echo x > a; done', ['read ?']],
    ['f() { echo x > a; }; cd keys; f', ['read ?', 'read app/keys']],
    ['f() { echo x > a; }; f', ['write app/a']],
    ["bash -c 'cd keys && echo x > a'; echo x > b", ['read app/keys', 'write app/keys/a', 'write app/b']],
    ['env -C keys tee > a', ['read app/keys', 'write app/a']],
    ['sudo -D keys cat a', ['read app/keys', 'read app/keys/a']],
    ['pushd keys && echo x > a', ['read app/keys', 'write app/keys/a']],
    ['pushd keys && popd && echo x > a', ['read app/keys', 'read ?']],
    ['command cd keys && echo x > a', ['read app/keys', 'write app/keys/a']],
    ['cd keys | cat; echo x > a', ['read app/keys', 'write app/a']],
    ['ssh host "echo x > a"', ['read ?']],
    ["apply_patch <<'E'\n*** Add File: keys/n\n*** Delete File: ../x\nE", ['write app/keys/n', 'write x']],
  ];
  it.each(table)('of %j are %j', (command, expected) => {
    expect([...seen(bash(command))].sort()).toEqual([...expected].sort());
  });

  it('know the rules that deny a segment', () => {
    const session = place('claude-code', { namesDeniedSegment: (segment) => segment === 'vault' });
    expect(seen(bash('cat vault/new sub/vault x', {}, session))).toEqual(['read app/vault/new', 'read app/sub/vault']);
    expect(seen(bash('cat vault/new'))).toEqual([]);
  });

  it('stand once, with what the patch removes', () => {
    expect(bash('cat /etc/x /etc/x; cat /etc/x').paths).toHaveLength(1);
    expect(bash("apply_patch <<'E'\n*** Delete File: a\nE").paths).toMatchObject([{ access: 'write', origin: 'redirect', deletes: true }]);
  });

  it('name where a leading cd goes', () => {
    const cds = (command: string): readonly unknown[] => bash(command).units.map((unit) => unit.cd);
    expect(cds('cd sub && git status')).toEqual([at('app/sub'), undefined]);
    expect(cds('cd ~ && ls')).toEqual([at('home'), undefined]);
    expect(cds('cd sub && cd keys; ls')).toEqual([at('app/sub'), at('app/sub/keys'), undefined]);
    expect(cds('(cd sub && make)')).toEqual([at('app/sub'), undefined]);
    expect(cds('cd link/..')).toEqual([null]);
    expect(cds('cd $x && ls')).toEqual([undefined, undefined]);
    expect(cds('ls && cd sub')).toEqual([undefined, undefined]);
    expect(cds('CDPATH=/x cd sub')).toEqual([undefined]);
    expect(cds('cd a b')).toEqual([undefined]);
    expect(cds('cd sub || cd keys')).toEqual([at('app/sub'), undefined]);
    expect(cds('if cd sub; then ls; fi')).toEqual([undefined, undefined]);
  });
});

describe('hosts', () => {
  const table: readonly (readonly [string, string, JsonObject, readonly string[]])[] = [
    ['claude-code', 'WebFetch', { url: 'https://Example.COM:8443/x?y' }, ['example.com']],
    ['claude-code', 'WebFetch', { url: 'https://user:pw@evil.example@good.example/' }, ['good.example']],
    ['claude-code', 'WebFetch', { url: 'http://[::1]/x' }, ['[::1]']],
    ['claude-code', 'WebFetch', { url: 'http://0x7f.1/' }, ['127.0.0.1']],
    ['claude-code', 'WebFetch', { url: 'https://b\u00fccher.example/' }, ['xn--bcher-kva.example']],
    ['claude-code', 'WebFetch', { url: 'example.com/x' }, ['example.com']],
    ['claude-code', 'WebFetch', { url: 'data:text/html,x' }, []],
    ['claude-code', 'WebFetch', { url: 'javascript:alert(1)' }, []],
    ['claude-code', 'WebFetch', { url: 7 }, []],
    ['gemini', 'web_fetch', { prompt: 'read https://a.example/x, and (http://b.example).' }, ['a.example', 'b.example']],
    ['cline', 'fetch_web_content', { requests: [{ url: 'https://a.example' }, { url: 'https://b.example' }] }, ['a.example', 'b.example']],
    [
      'claude-code',
      'Bash',
      { command: 'curl https://a.example/x; git clone me@b.example:x/y; cat > /dev/tcp/c.example/80' },
      ['a.example', 'b.example', 'c.example'],
    ],
    ['claude-code', 'Read', { file_path: 'https://a.example' }, []],
  ];
  it.each(table)('of %s %s %j', (agent, tool, input, expected) => {
    expect(taken({ tool, input }, place(agent)).hosts).toEqual(expected);
  });
  it('may be declared besides', () => {
    expect(taken({ tool: 'x', input: {}, hosts: ['https://A.example/', 'b.example:80', ''] }).hosts).toEqual(['a.example', 'b.example']);
  });
});

describe('MCP tools', () => {
  it('are recognised in both spellings', () => {
    expect(taken({ tool: 'mcp__gmail__send', input: {} })).toMatchObject({ mcp: { server: 'gmail', tool: 'send' }, kind: 'other' });
    expect(taken({ tool: 'gmail:send', input: {} })).toMatchObject({ mcp: { server: 'gmail', tool: 'send' } });
    expect(taken({ tool: 'Read', input: {} }).mcp).toBeNull();
  });
});

describe('bad input', () => {
  const nested = (depth: number): JsonObject => {
    let value: JsonObject = {};
    for (let level = 0; level < depth; level++) value = { a: value };
    return value;
  };

  it('that is nested too deeply is refused', () => {
    expect(takeIn({ tool: 'x', input: nested(MAX_INPUT_DEPTH + 1) }, place('any'), paths)).toMatchObject({
      ok: false,
      failure: { code: 'invalid', subject: 'input' },
    });
    expect(takeIn({ tool: 'x', input: nested(100_000) }, place('any'), paths).ok).toBe(false);
    expect(takeIn({ tool: 'x', input: nested(MAX_INPUT_DEPTH - 1) }, place('any'), paths).ok).toBe(true);
  });

  it('has no fields that come from a prototype', () => {
    const input = JSON.parse('{"__proto__": {"file_path": "/etc/passwd"}}');
    expect(seen(taken({ tool: 'Write', input }))).toEqual(['write app']);
  });

  const hostile: readonly (readonly [string, CallToTakeIn])[] = [
    ['a command of a megabyte', { tool: 'Bash', input: { command: `echo ${'x '.repeat(500_000)}` } }],
    ['ten thousand units', { tool: 'Bash', input: { command: 'cat a;'.repeat(10_000) } }],
    ['as many units as are read', { tool: 'Bash', input: { command: 'cat a;'.repeat(950) } }],
    ['a megabyte of patch', { tool: 'apply_patch', input: { input: '+x\n'.repeat(300_000) } }],
    ['a path of 5,000 segments', { tool: 'Write', input: { file_path: 'a/../'.repeat(5000) } }],
    ['many paths', { tool: 'Read', input: { file_path: Array.from({ length: 1000 }, (_, index) => `f${index}`) } }],
    ['stars', { tool: 'Bash', input: { command: `cat ${'*'.repeat(500)} ${'*/'.repeat(100)}x` } }],
    ['a glob of braces', { tool: 'Glob', input: { pattern: '{a,b}'.repeat(1000) } }],
    ['a wide input', { tool: 'x', input: { list: Array.from({ length: 50_000 }, () => ({ a: [] })) } }],
  ];
  it.each(hostile)('%s is answered within 50 ms of computing', (_name, draft) => {
    const timesMs = [1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage();
      taken(draft, place('codex'));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    expect(Math.min(...timesMs)).toBeLessThan(50);
  });

  it('of any shape is taken in without an exception', () => {
    const tools = fc.constantFrom(
      'Bash',
      'Read',
      'Write',
      'Glob',
      'apply_patch',
      'shell',
      'run_commands',
      'read_files',
      'web_fetch',
      'local_shell',
      'mcp__filesystem__move_file',
      'x',
    );
    const keys = fc.constantFrom(
      'command',
      'commands',
      'file_path',
      'path',
      'pattern',
      'input',
      'url',
      'prompt',
      'action',
      'args',
      'files',
      'source',
      'cwd',
    );
    fc.assert(
      fc.property(tools, fc.dictionary(keys, fc.jsonValue()), fc.constantFrom('claude-code', 'codex', 'cline', 'any'), (tool, input, agent) => {
        const facts = taken({ tool, input: input as JsonObject }, place(agent));
        for (const unit of facts.units) if (unit.wrapped_by !== undefined) expect(facts.units[unit.wrapped_by]).toBeDefined();
        for (const path of facts.paths) if (path.canonical !== null) expect(path.canonical.startsWith('/')).toBe(true);
      }),
      { numRuns: process.env.GATEHOUSE_DEEP === undefined ? 500 : 10_000 },
    );
  });
});

describe('the digest', () => {
  const digest = (input: JsonObject, cwd: string | null = '/w', list: readonly (string | null)[] = ['/w/a'], session = 's'): string =>
    digestOf(session, 'Read', input, cwd, list);
  it('is the same for the same call, however its input is ordered', () => {
    expect(digest({ a: 1, b: { c: 2, d: [3] } })).toBe(digest({ b: { d: [3], c: 2 }, a: 1 }));
    expect(digest({})).toMatch(/^[0-9a-f]{64}$/);
  });
  it('is another one when anything else differs', () => {
    const all = [
      digest({}),
      digest({ a: null }),
      digest({}, null),
      digest({}, '/w', []),
      digest({}, '/w', [null]),
      digest({}, '/w', ['/w/b']),
      digest({}, '/w', ['/w/a'], 't'),
      digest({ a: '\uD800' }),
      digest({ a: '\uFFFD' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a recorded request', () => {
  it('gives back the facts it was decided on', () => {
    const facts = bash('cd sub && sudo cat /etc/x > out');
    const { mcp: _mcp, executes: _executes, readsBelow: _readsBelow, ...recorded } = facts;
    const request = {
      ...recorded,
      id: 'r',
      session_id: 's',
      call_id: 'c',
      input: {},
      digest: '',
      risk: { level: 'low', facts: [] },
      status: 'pending',
      decision: null,
      trace: null,
      created_at: '',
      expires_at: null,
      detached: false,
    } as const;
    expect(recall(request)).toEqual(facts);
    const grep = taken({ tool: 'Grep', input: {} });
    expect(recall({ ...request, ...grep })).toEqual(grep);
  });
});
