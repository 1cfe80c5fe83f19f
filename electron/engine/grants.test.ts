// What an answer writes, and what it must not ask for (spec 7 and 13). Each allow is followed by the same call and its neighbours.

import { describe, expect, it } from 'vitest';
import { ALONE, afterwards, IN_PROJECT, refusal, type Scene, writes } from './answer-samples';
import type { CallFacts } from './facts';
import type { AnswerFields } from './grants';
import { call, NOW, operand, pathOf, ROOT, reading, redirect, rule, running, unit, writing } from './samples';

const ofSession = { scope: 'session' } as const;

describe('once', () => {
  it('writes nothing', () => {
    expect(writes(running(['npm test']), {})).toEqual({ grants: [], rules: [], moves: [] });
    expect(writes(running(['npm test']), { scope: 'once', note: 'fine' })).toEqual({ grants: [], rules: [], moves: [] });
  });

  it('takes no width, rule or duration', () => {
    expect(refusal(running(['npm test']), { choice: 'program' })).toBe('choice');
    expect(refusal(running(['npm test']), { rule: { surface: 'Bash', pattern: 'npm *' } })).toBe('rule');
    expect(refusal(running(['npm test']), { duration_s: 900 })).toBe('duration_s');
  });
});

describe('what is written', () => {
  it('is one grant for each check, owned by the session', () => {
    expect(writes(reading('/ext/a'), { ...ofSession, note: 'docs' }).grants).toEqual(
      ['Read', 'external_directory'].map((surface) => ({
        scope: 'session',
        session_id: 's1',
        ticket_id: null,
        project_id: null,
        expires_at: null,
        surface,
        pattern: '/ext/a',
        match: 'equal',
        access: 'read',
        action: 'allow',
        width: 'file',
        note: 'docs',
      })),
    );
  });

  it('belongs to the ticket or the project alone, which last', () => {
    const owner = (scope: 'ticket' | 'project'): unknown => {
      const [first] = writes(running(['npm test']), { scope }, { bindings: IN_PROJECT }).grants;
      return [first?.session_id, first?.ticket_id, first?.project_id, first?.expires_at];
    };
    expect(owner('ticket')).toEqual([null, 't1', null, null]);
    expect(owner('project')).toEqual([null, null, 'p1', null]);
  });

  it('ends by the clock when it is timed, after 15 minutes unless said otherwise', () => {
    const ends = (duration_s?: number): unknown => {
      const [first] = writes(running(['npm test']), { scope: 'timed', ...(duration_s === undefined ? {} : { duration_s }) }).grants;
      return [first?.session_id, Date.parse(first?.expires_at ?? '') - NOW];
    };
    expect(ends()).toEqual(['s1', 900_000]);
    expect(ends(3600)).toEqual(['s1', 3_600_000]);
    expect(ends(2)).toEqual(['s1', 2000]);
    expect(refusal(running(['npm test']), { scope: 'timed', duration_s: 3601 })).toBe('duration_s');
    expect(refusal(running(['npm test']), { scope: 'session', duration_s: 900 })).toBe('duration_s');
  });

  it('is nothing when the call is not asked about any more', () => {
    expect(writes(writing('a'), ofSession, { rules: [rule({ tool_pattern: 'Write', action: 'allow' })] }).grants).toEqual([]);
    const rules = [rule({ tool_pattern: 'Write', action: 'deny' })];
    expect(writes(writing('a'), { action: 'deny', ...ofSession }, { rules }).grants).toEqual([]);
  });
});

describe('scopes that are not offered', () => {
  it('are refused by name', () => {
    expect(refusal(running(['npm test']), { scope: 'project' })).toBe('scope');
    expect(refusal(running(['npm test']), { scope: 'ticket' })).toBe('scope');
    expect(refusal(running([unit('eval $X', { opaque: true })]), ofSession)).toBe('scope');
    expect(refusal(running(['git push --force']), { scope: 'always' })).toBe('scope');
    expect(refusal(writing('a'), ofSession, { rules: [rule({ tool_pattern: 'Write', action: 'require', hard: true })] })).toBe('scope');
    expect(refusal(writing('a'), ofSession, { rules: [rule({ tool_pattern: 'Write', action: 'deny' })] })).toBe('scope');
    expect(refusal(running(['ls *']), { scope: 'always' })).toBe('scope');
  });
});

describe('widths', () => {
  const covers: readonly (readonly [string, CallFacts, Partial<AnswerFields>, readonly CallFacts[], readonly CallFacts[], Scene?])[] = [
    [
      'this command',
      running(['npm run build']),
      ofSession,
      [running(['npm run build'])],
      [running(['npm run build -- --watch']), running(['npm run buildx']), running(['npm run'])],
    ],
    [
      'a command with a star, by equality',
      running(['ls *.ts']),
      ofSession,
      [running(['ls *.ts'])],
      [running(['ls a.ts']), running(['ls x.ts y.ts'])],
    ],
    [
      'program and sub-command',
      running(['git checkout main']),
      { ...ofSession, choice: 'sub' },
      [running(['git checkout -b x']), running(['git checkout'])],
      [running(['git push']), running(['gitx checkout']), running(['git checkoutx'])],
    ],
    [
      'the program',
      running(['grep foo a']),
      { ...ofSession, choice: 'program' },
      [running(['grep bar b']), running(['grep'])],
      [running(['grepx a']), running(['cat a'])],
    ],
    [
      'this file',
      writing('src/a.txt'),
      { ...ofSession, choice: 'file' },
      [writing('src/a.txt')],
      [writing('src/b.txt'), writing('src/a.txt2'), writing('src')],
    ],
    [
      'this folder',
      writing('src/a.txt'),
      { ...ofSession, choice: 'folder' },
      [writing('src/b.txt'), writing('src/deep/c')],
      [writing('srcs/a'), writing('a'), { ...writing('src/a.txt'), tool: 'Edit' }],
    ],
    [
      'a folder outside',
      reading('/ext/ref/a'),
      { ...ofSession, choice: 'folder' },
      [reading('/ext/ref/b/c')],
      [reading('/ext/ref-b/a'), reading('/ext/a'), writing('/ext/ref/a')],
    ],
    [
      'any file in the project',
      writing('src/a'),
      { ...ofSession, choice: 'project_files' },
      [writing('lib/b'), writing('a')],
      [writing('/ext/a'), { ...writing('src/a'), tool: 'Edit' }],
      { bindings: IN_PROJECT },
    ],
    [
      'this tool',
      call({ tool: 'mcp__mail__send' }),
      { ...ofSession, choice: 'tool' },
      [call({ tool: 'mcp__mail__send' }), call({ tool: 'mail:send' })],
      [call({ tool: 'mcp__mail__delete' })],
    ],
    [
      'this server',
      call({ tool: 'mcp__mail__send' }),
      { ...ofSession, choice: 'server' },
      [call({ tool: 'mcp__mail__search' }), call({ tool: 'mail:delete' })],
      [call({ tool: 'mcp__mails__send' }), call({ tool: 'mcp__cal__create' })],
    ],
    [
      'the outside path of an operand, for reading',
      running(['cat /ext/a'], [operand('/ext/a')]),
      ofSession,
      [],
      [running(['cat /ext/a'], [redirect('/ext/a')]), running(['cat /ext/b'], [operand('/ext/b')])],
    ],
    [
      'both ends of a move',
      call({ tool: 'move', kind: 'edit', paths: [pathOf('a', 'write'), pathOf('b', 'write')] }),
      ofSession,
      [],
      [call({ tool: 'move', kind: 'edit', paths: [pathOf('a', 'write'), pathOf('c', 'write')] })],
    ],
    [
      'a redirect with its command',
      running(['npm test'], [{ ...redirect('out.log'), unit: 0 }]),
      ofSession,
      [running(['npm test'])],
      [running(['npm test'], [redirect('src/a.ts')])],
    ],
    [
      'a neutral cd by nothing, the rest by what it is',
      running([unit('cd sub', { cd: `${ROOT}/sub` }), 'npm test']),
      ofSession,
      [running(['npm test'])],
      [running([unit('cd /ext', { cd: '/ext' }), 'npm test'], [operand('/ext')])],
    ],
  ];
  for (const [name, facts, answer, covered, uncovered, scene] of covers) {
    it(`cover ${name}, and no more`, () => {
      const verdict = afterwards(facts, answer, scene);
      expect(verdict(facts)).toBe('allow');
      for (const next of covered) expect(verdict(next)).toBe('allow');
      for (const next of uncovered) expect(verdict(next)).toBe('require');
    });
  }

  it('of another kind of part, and unknown parts, are refused', () => {
    expect(refusal(writing('a'), { ...ofSession, choice: 'program' })).toBe('choice');
    expect(refusal(running(['make']), { ...ofSession, choice: 'sub' })).toBe('choice');
    expect(refusal(running(['make']), { ...ofSession, choice: 'server' })).toBe('choice');
    expect(refusal(writing('a'), { ...ofSession, choice: 'project_files' })).toBe('choice');
    expect(refusal(running(['make']), { ...ofSession, choice: [{ unit: 'npm', width: 'exact' }] })).toBe('choice');
    expect(refusal(running(['make']), { ...ofSession, choice: [{ unit: 'make', width: 'sub' }] })).toBe('choice');
    const twice = [
      { unit: 'make', width: 'exact' },
      { unit: 'make', width: 'program' },
    ] as const;
    expect(refusal(running(['make']), { ...ofSession, choice: twice })).toBe('choice');
  });

  it('of one word go to the parts that have it, the others take their narrowest', () => {
    const verdict = afterwards(running(['git fetch origin', 'make'], [redirect('out.log')]), { ...ofSession, choice: 'program' });
    expect(verdict(running(['git status']))).toBe('allow');
    expect(verdict(running(['make all']))).toBe('allow');
    expect(verdict(running(['make'], [redirect('other.log')]))).toBe('require');
  });
});

describe('chains', () => {
  const chain = running(
    ['npm test', 'make'],
    [
      { ...redirect('test.log'), unit: 0 },
      { ...redirect('make.log'), unit: 1 },
    ],
  );

  it('grant only the units that were ticked, each with its own redirects', () => {
    const verdict = afterwards(chain, { ...ofSession, choice: [{ unit: 'npm test', width: 'exact' }] });
    expect(verdict(running(['npm test'], [redirect('test.log')]))).toBe('allow');
    expect(verdict(running(['npm test'], [redirect('make.log')]))).toBe('require');
    expect(verdict(running(['make']))).toBe('require');
    expect(verdict(chain)).toBe('require');
  });

  it('take a width for each unit, and for a redirect by its path', () => {
    const choice = [
      { unit: 'npm test', width: 'program' },
      { unit: 'make', width: 'exact' },
      { unit: `${ROOT}/test.log`, width: 'folder' },
    ] as const;
    const verdict = afterwards(chain, { ...ofSession, choice });
    expect(verdict(chain)).toBe('allow');
    expect(verdict(running(['npm run x'], [redirect('other.log')]))).toBe('allow');
    expect(verdict(running(['make all']))).toBe('require');
  });

  it('give a redirect that nobody can place to all units together', () => {
    const facts = running(['npm test', 'make'], [redirect('out.log')]);
    expect(writes(facts, { ...ofSession, choice: [{ unit: 'npm test', width: 'exact' }] }).grants).toHaveLength(1);
    const both = [
      { unit: 'npm test', width: 'exact' },
      { unit: 'make', width: 'exact' },
    ] as const;
    expect(afterwards(facts, { ...ofSession, choice: both })(facts)).toBe('allow');
  });
});

describe('a denied call', () => {
  it('stays denied next to a wide answer', () => {
    const rules = [rule({ tool_pattern: 'Bash', command_pattern: 'git push *', action: 'deny', priority: 50 })];
    for (const scope of ['session', 'timed', 'always'] as const) {
      const verdict = afterwards(running(['git fetch origin']), { scope, choice: 'program' }, { rules });
      expect(verdict(running(['git status']))).toBe('allow');
      expect(verdict(running(['git push origin']))).toBe('deny');
    }
  });
});

describe('always', () => {
  const always = { scope: 'always' } as const;

  it('writes rules, both for an outside path, and no grant', () => {
    const { rules, grants, moves } = writes(reading('/ext/a'), { ...always, note: 'docs' });
    expect([grants, moves]).toEqual([[], []]);
    expect(rules.map(({ tool_pattern, path_pattern }) => [tool_pattern, path_pattern])).toEqual([
      ['Read', '/ext/a'],
      ['external_directory', '/ext/a'],
    ]);
    expect(rules[0]).toMatchObject({
      group_id: 'default',
      priority: 100,
      action: 'allow',
      hard: false,
      note: 'docs',
      reason: '',
      agent: null,
      source: null,
    });
  });

  it("goes to the session's group, or to `default` where that is gone", () => {
    const group = (groupId: string | null): unknown =>
      writes(running(['npm test']), always, { session: { groupId: 'team' }, bindings: { ...ALONE, groupId } }).rules[0]?.group_id;
    expect(group('team')).toBe('team');
    expect(group(null)).toBe('default');
  });

  it('stands just above the require that asked', () => {
    const asks = rule({ tool_pattern: '@exec', action: 'require', priority: 10 });
    const last = rule({ tool_pattern: '*', action: 'require', priority: 999_999 });
    expect(writes(running(['npm test']), always, { rules: [asks, last] }).rules[0]?.priority).toBe(9);
    expect(writes(call({ tool: 'deploy' }), always, { rules: [asks, last] }).rules[0]?.priority).toBe(999_998);
  });

  it('moves what follows down when no number is free, and keeps its order', () => {
    const deny = rule({ id: 'a', tool_pattern: 'Bash', command_pattern: 'git push *', action: 'deny' });
    const asks = rule({ id: 'b', tool_pattern: 'Bash', action: 'require' });
    const next = rule({ id: 'c', tool_pattern: 'Write', action: 'require', priority: 101 });
    const far = rule({ id: 'd', tool_pattern: 'Edit', action: 'require', priority: 200 });
    const answer = { ...always, choice: 'program' } as const;
    const taken = writes(running(['git fetch']), answer, { rules: [deny, asks, next, far] });
    expect(taken.rules[0]?.priority).toBe(100);
    expect(taken.moves).toEqual([
      { id: 'b', priority: 101 },
      { id: 'c', priority: 102 },
    ]);
    const verdict = afterwards(running(['git fetch']), answer, { rules: [deny, asks, next, far] });
    expect(verdict(running(['git status']))).toBe('allow');
    expect(verdict(running(['git push x']))).toBe('deny');
    expect(verdict(running(['npm test']))).toBe('require');
  });
});

describe('a denial with a scope', () => {
  const deny = { action: 'deny', ...ofSession } as const;

  it('denies the same call, keeps the note, and nothing else', () => {
    const facts = running(['rm x']);
    expect(writes(facts, { ...deny, note: 'use build/' }).grants).toMatchObject([
      { surface: 'Bash', pattern: 'rm x', match: 'equal', action: 'deny', note: 'use build/' },
    ]);
    const verdict = afterwards(facts, deny);
    expect(verdict(facts)).toBe('deny');
    expect(verdict(running(['npm test']))).toBe('require');
  });

  it('says no to the tool or command, not to the path for everybody', () => {
    expect(writes(reading('/ext/a'), deny).grants.map((one) => one.surface)).toEqual(['Read']);
    expect(writes(running(['cat /ext/a'], [operand('/ext/a')]), deny).grants.map((one) => [one.surface, one.pattern])).toEqual([
      ['Bash', 'cat /ext/a'],
    ]);
    const rules = [rule({ tool_pattern: 'Bash', action: 'allow' })];
    expect(writes(running(['cat /ext/a'], [operand('/ext/a')]), deny, { rules }).grants.map((one) => one.surface)).toEqual(['external_directory']);
  });

  it('is taken for what an allow is offered once only', () => {
    expect(afterwards(running(['git push -f']), deny)(running(['git push -f']))).toBe('deny');
    const opaque = running([unit('eval $X', { opaque: true })]);
    expect(afterwards(opaque, deny)(opaque)).toBe('deny');
    expect(afterwards(writing('.claude/settings.json'), deny)(writing('.claude/settings.json'))).toBe('deny');
  });

  it('takes widths and a rule by hand', () => {
    const wide = afterwards(running(['git push origin']), { ...deny, choice: 'sub' });
    expect(wide(running(['git push']))).toBe('deny');
    expect(wide(running(['git fetch']))).toBe('require');
    const byHand = afterwards(running(['git push origin']), { ...deny, rule: { surface: '@exec', pattern: 'git *' } });
    expect(byHand(running(['git fetch']))).toBe('deny');
    expect(refusal(running(['git push origin']), { ...deny, rule: { surface: 'Bash', pattern: 'npm *' } })).toBe('rule');
  });

  it('with `always` is a deny rule that tells the agent the note', () => {
    const asks = rule({ tool_pattern: '@exec', action: 'require', priority: 10 });
    const answer = { action: 'deny', scope: 'always', note: 'never push' } as const;
    expect(writes(running(['git push']), answer, { rules: [asks] }).rules).toMatchObject([
      { command_pattern: 'git push', action: 'deny', hard: false, priority: 9, reason: 'never push', note: '' },
    ]);
    expect(afterwards(running(['git push']), answer, { rules: [asks] })(running(['git push']))).toBe('deny');
  });
});
