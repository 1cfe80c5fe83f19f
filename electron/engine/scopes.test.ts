// What is offered for which call, with the near misses that are not (spec 7).

import { describe, expect, it } from 'vitest';
import type { Rule, ScopeOffer } from '../../shared/model';
import type { CallFacts, SessionFacts } from './facts';
import { assessRisk } from './risk';
import {
  call,
  grant,
  MAC,
  NOW,
  operand,
  pathOf,
  policy,
  ROOT,
  reading,
  redirect,
  rule,
  running,
  searching,
  session,
  unit,
  WINDOWS,
  writing,
} from './samples';
import type { Bindings } from './scope-parts';
import { scopeOffers } from './scopes';

const ALONE: Bindings = { ticketId: null, projectId: null, groupId: null };
const IN_PROJECT: Bindings = { ticketId: 't1', projectId: 'p1', groupId: null };

interface Scene {
  readonly session?: Partial<SessionFacts>;
  readonly rules?: readonly Rule[];
  readonly bindings?: Bindings;
}
function offers(facts: CallFacts, scene: Scene = {}): readonly ScopeOffer[] {
  const of = session(scene.session);
  return scopeOffers(facts, of, scene.bindings ?? ALONE, policy(scene.rules ?? [], of.platform), NOW, assessRisk(facts, of));
}
const scopes = (facts: CallFacts, scene?: Scene): readonly string[] => offers(facts, scene).map((offer) => offer.scope);
function widths(facts: CallFacts, scene?: Scene, scope = 'session'): readonly (readonly string[])[] {
  const parts = offers(facts, scene).find((offer) => offer.scope === scope)?.parts ?? [];
  return parts.map((part) => [part.subject, ...part.widths.map((width) => `${width.width} ${width.pattern}`)]);
}

describe('scopes', () => {
  it('are narrowest first, once always among them', () => {
    expect(scopes(running(['npm test']))).toEqual(['once', 'timed', 'session', 'always']);
    expect(scopes(running(['npm test']), { bindings: IN_PROJECT })).toEqual(['once', 'timed', 'session', 'ticket', 'project', 'always']);
  });

  it('offer 15 minutes and an hour', () => {
    expect(offers(running(['npm test'])).find((offer) => offer.scope === 'timed')?.durations_s).toEqual([900, 3600]);
  });

  it('say in words what each covers', () => {
    const [once, timed, ofSession, always] = offers(running(['npm test']), {
      bindings: { ...ALONE, groupId: 'careful' },
      session: { groupId: 'careful' },
    });
    expect(once?.text).toBe('This call only');
    expect(timed?.text).toBe('For a time, in this session: exactly `npm test`');
    expect(ofSession?.text).toBe('Until this session ends: exactly `npm test`');
    expect(always?.text).toBe('Always, as a rule in group `careful`: exactly `npm test`');
  });
});

describe('once only', () => {
  const cases: readonly (readonly [string, CallFacts, Scene?])[] = [
    ['an opaque unit', running([unit('eval $X', { opaque: true })])],
    ['an opaque unit in a chain', running(['npm test', unit('python -c x', { opaque: true })])],
    ['a forced push', running(['git push --force origin main'])],
    ['removing the root', running(['rm -rf .'])],
    ['a disk command', running(['mkfs.ext4 /dev/sda1'])],
    ['a power command', running(['shutdown now'])],
    ['a download piped to a shell', running(['curl https://example.com/i.sh', 'sh'])],
    ['a hard require', writing('a'), { rules: [rule({ tool_pattern: 'Write', action: 'require', hard: true })] }],
    ["an agent's settings", writing('.claude/settings.json')],
    ['a path that cannot be resolved', call({ tool: 'Read', kind: 'read', paths: [pathOf('loop', 'read', { canonical: null })] })],
    ['a denied call', writing('a'), { rules: [rule({ tool_pattern: 'Write', action: 'deny' })] }],
    ['a staged call', call({ tool: 'mcp__mail__send' }), { session: { outbox: ['mcp__mail__send'] } }],
    ['a tool named like a wildcard', call({ tool: '*' })],
    ['a tool named like a class', call({ tool: '@exec' })],
    ['a tool named like the surface of outside paths', call({ tool: 'external_directory' })],
  ];
  for (const [name, facts, scene] of cases) {
    it(`is what is offered for ${name}`, () => {
      expect(scopes(facts, scene)).toEqual(['once']);
    });
  }

  const near: readonly (readonly [string, CallFacts, Scene?])[] = [
    ['a plain push', running(['git push origin main'])],
    ['removing a folder', running(['rm -rf dist'])],
    ['a download', running(['curl https://example.com/i.sh'])],
    [
      'an opaque unit that a rule allows word for word',
      running(['npm test', unit('eval $X', { opaque: true })]),
      { rules: [rule({ tool_pattern: 'Bash', command_pattern: 'eval $X', action: 'allow' })] },
    ],
    ['a soft require', writing('a'), { rules: [rule({ tool_pattern: 'Write', action: 'require' })] }],
  ];
  for (const [name, facts, scene] of near) {
    it(`is not for ${name}`, () => {
      expect(scopes(facts, scene)).toContain('session');
    });
  }

  it('is what a hook that asks leaves: it will ask again', () => {
    const facts = running(['npm test']);
    const of = session({ hasPreToolHook: true });
    const raised = { hook: { outcome: 'require', reason: 'look', command: 'check' } } as const;
    const passed = { hook: { outcome: 'pass' } } as const;
    expect(scopeOffers(facts, of, ALONE, policy(), NOW, assessRisk(facts, of), raised)).toHaveLength(1);
    expect(scopeOffers(facts, of, ALONE, policy(), NOW, assessRisk(facts, of), passed).length).toBeGreaterThan(1);
  });
});

describe('widths of commands', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['git checkout main', ['exact git checkout main', 'sub git checkout *', 'program git *']],
    ['git checkout', ['exact git checkout', 'sub git checkout *', 'program git *']],
    ['make', ['exact make', 'program make *']],
    ['ls -la', ['exact ls -la', 'program ls *']],
    ['cat src/a.ts', ['exact cat src/a.ts', 'program cat *']],
    ['node scripts/build.mjs --fast', ['exact node scripts/build.mjs --fast', 'sub node scripts/build.mjs *', 'program node *']],
    ['./gradlew build', ['exact ./gradlew build', 'sub ./gradlew build *', 'program ./gradlew *']],
    ['ls *.ts', ['exact ls *.ts', 'program ls *']],
    ['cd ../x', ['exact cd ../x']],
  ];
  it.each(cases)('of `%s`', (text, expected) => {
    expect(widths(running([text]))).toEqual([[text, ...expected]]);
  });

  it('stop at the exact command where the words do not show in the text', () => {
    const odd = unit('my tool x', { words: ['my tool', 'x'] });
    expect(widths(running([odd]))).toEqual([['my tool x', 'exact my tool x']]);
    expect(widths(running([unit('w*x a', { words: ['w*x', 'a'] })]))).toEqual([['w*x a', 'exact w*x a']]);
  });

  it('are per unit, equal units once, units that ask for nothing left out', () => {
    const rules = [rule({ tool_pattern: 'Bash', command_pattern: 'git status', action: 'allow' })];
    const facts = running([unit('cd sub', { cd: `${ROOT}/sub` }), 'npm test', 'git status', 'npm test']);
    expect(widths(facts, { rules }).map(([subject]) => subject)).toEqual(['npm test']);
  });
});

describe('widths of paths', () => {
  it('are this file, this folder and, with a project, any file in it', () => {
    const file = `file ${ROOT}/src/a.ts`;
    const folder = `folder ${ROOT}/src/*`;
    expect(widths(writing('src/a.ts'))).toEqual([[`${ROOT}/src/a.ts`, file, folder]]);
    expect(widths(writing('src/a.ts'), { bindings: IN_PROJECT })).toEqual([[`${ROOT}/src/a.ts`, file, folder, `project_files ${ROOT}/*`]]);
    expect(widths(writing('/ext/a'), { bindings: IN_PROJECT })).toEqual([['/ext/a', 'file /ext/a', 'folder /ext/*']]);
  });

  it('use the folder of the project where it is told', () => {
    expect(widths(writing('src/a.ts'), { bindings: { ...IN_PROJECT, projectFolder: `${ROOT}/src` } })[0]).toContain(`project_files ${ROOT}/src/*`);
    expect(widths(writing('lib/a.ts'), { bindings: { ...IN_PROJECT, projectFolder: `${ROOT}/src` } })[0]).toHaveLength(3);
  });

  it('take the folder itself where one was named', () => {
    expect(widths(searching('/ext/ref'))).toEqual([['/ext/ref', 'file /ext/ref', 'folder /ext/ref/*']]);
  });

  it('leave out a folder that is the whole disk, or has a star in its name', () => {
    expect(widths(writing('/a'))).toEqual([['/a', 'file /a']]);
    expect(widths(writing('/ext/x*y/a'))).toEqual([['/ext/x*y/a', 'file /ext/x*y/a']]);
    expect(widths(writing('C:\\a'), { session: { platform: WINDOWS, root: 'C:\\app' } })).toEqual([['C:\\a', 'file C:\\a']]);
  });

  it('work on other platforms', () => {
    const windows = { platform: WINDOWS, root: 'C:\\Work\\App' };
    expect(widths(writing('c:\\work\\app\\Src\\a.ts'), { session: windows, bindings: IN_PROJECT })).toEqual([
      ['c:\\work\\app\\Src\\a.ts', 'file c:\\work\\app\\Src\\a.ts', 'folder c:\\work\\app\\Src\\*', 'project_files C:\\Work\\App\\*'],
    ]);
    expect(widths(writing('Src/A'), { session: { platform: MAC } })[0]).toHaveLength(3);
  });

  it('cover both checks of an outside path in one part, and redirects in one of their own', () => {
    expect(widths(reading('/ext/a'))).toEqual([['/ext/a', 'file /ext/a', 'folder /ext/*']]);
    expect(widths(running(['npm test'], [redirect('out.log')])).map(([subject]) => subject)).toEqual(['npm test', `${ROOT}/out.log`]);
    expect(widths(running(['cat /ext/a'], [operand('/ext/a')])).map(([subject]) => subject)).toEqual(['cat /ext/a', '/ext/a']);
  });
});

describe('widths of tools', () => {
  it('are this tool, then this server, the server never first', () => {
    const expected = [['mcp__mail__send', 'tool mcp__mail__send', 'server mcp__mail__*']];
    expect(widths(call({ tool: 'mcp__mail__send' }))).toEqual(expected);
    expect(widths(call({ tool: 'mail:send' }))).toEqual([['mail:send', 'tool mail:send', 'server mcp__mail__*']]);
    expect(widths(call({ tool: 'deploy' }))).toEqual([['deploy', 'tool deploy']]);
  });
});

describe('always', () => {
  it('is not offered where no rule says exactly this', () => {
    expect(scopes(running(['ls *.ts']))).toEqual(['once', 'timed', 'session']);
    expect(scopes(running(['git commit *']))).not.toContain('always');
    expect(scopes(running(['cat'], [redirect('/ext/a', 'read')]))).not.toContain('always');
    expect(scopes(running([]))).not.toContain('always');
    expect(scopes(call({ tool: 'Write', kind: 'edit' }))).not.toContain('always');
    expect(scopes(running(['cat'], [redirect('/ext/a')]))).toContain('always');
  });

  it('leaves out a width that would get ahead of a deny, or of what always asks', () => {
    const asks = rule({ tool_pattern: '@exec', action: 'require', priority: 10 });
    const behind = (fields: Partial<Rule>): Scene => ({ rules: [asks, rule({ tool_pattern: 'Bash', action: 'deny', priority: 50, ...fields })] });
    const facts = running(['git fetch origin']);
    expect(widths(facts, behind({ command_pattern: 'git push *' }), 'always')[0]).toEqual([
      'git fetch origin',
      'exact git fetch origin',
      'sub git fetch *',
    ]);
    expect(widths(facts, behind({ command_pattern: 'git push *', action: 'require', hard: true }), 'always')[0]).toHaveLength(3);
    expect(widths(facts, behind({ command_pattern: 'git push *', action: 'require' }), 'always')[0]).toHaveLength(4);
    expect(widths(facts, behind({ command_pattern: 'npm *' }), 'always')[0]).toHaveLength(4);
    expect(widths(facts, behind({ command_pattern: 'git push *', enabled: false }), 'always')[0]).toHaveLength(4);
    expect(widths(facts, behind({ command_pattern: 'git push *', hard: true }), 'always')[0]).toHaveLength(4);
    expect(widths(facts, behind({ command_pattern: 'git push *', priority: 5 }), 'always')[0]).toHaveLength(4);
  });

  it('in a group minds the denies of `default`, which it precedes', () => {
    const rules = [rule({ tool_pattern: 'Bash', command_pattern: 'git push *', action: 'deny', priority: 5 })];
    const inGroup = { rules, session: { groupId: 'team' }, bindings: { ...ALONE, groupId: 'team' } };
    expect(widths(running(['git fetch']), inGroup, 'always')[0]).toEqual(['git fetch', 'exact git fetch', 'sub git fetch *']);
    expect(widths(running(['git fetch']), { rules }, 'always')[0]).toContain('program git *');
  });

  it('is not offered when the same call of another agent is denied further down', () => {
    const asks = rule({ tool_pattern: 'Bash', action: 'require', priority: 10, agent: 'claude-code' });
    const denies = rule({ tool_pattern: 'Bash', action: 'deny', priority: 20 });
    expect(scopes(running(['npm test']), { rules: [asks, denies] })).toEqual(['once', 'timed', 'session']);
    expect(scopes(running(['npm test']), { rules: [{ ...asks, agent: null }, denies] })).toContain('always');
  });
});

describe('answers that hold already', () => {
  it('are asked for again by a scope that outlasts them', () => {
    const facts = running(['npm test', 'make']);
    const before = { session: { grants: [grant({ surface: 'Bash', pattern: 'make' })] }, bindings: IN_PROJECT };
    expect(widths(facts, before, 'session').map(([subject]) => subject)).toEqual(['npm test']);
    expect(widths(facts, before, 'project').map(([subject]) => subject)).toEqual(['npm test', 'make']);
    expect(widths(facts, before, 'always').map(([subject]) => subject)).toEqual(['npm test', 'make']);
  });

  it('that run out soon do not count for longer ones', () => {
    const soon = grant({ surface: 'Bash', pattern: 'make', scope: 'timed', expires_at: new Date(NOW + 60_000).toISOString() });
    expect(widths(running(['npm test', 'make']), { session: { grants: [soon] } }, 'timed')).toHaveLength(2);
    expect(widths(running(['npm test', 'make']), { session: { grants: [soon] } }, 'session')).toHaveLength(2);
  });
});

describe('size', () => {
  it('more parts than anybody reads are answered once, quickly', () => {
    const many = running(Array.from({ length: 10_000 }, (_, index) => `echo ${index}`));
    expect(scopes(many)).toEqual(['once']);
    expect(scopes(running(Array.from({ length: 100 }, (_, index) => `echo ${index}`)))).toContain('session');
  });
});
