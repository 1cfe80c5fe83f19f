// "Settled finer points" and "Further settled points" of spec 4, and section 6 as far as checks go: sentence by sentence.

import { describe, expect, it } from 'vitest';
import type { Rule } from '../../shared/model';
import { checksOf } from './checks';
import { decide } from './decide';
import type { CallFacts, SessionFacts } from './facts';
import { namesDeniedSegment, relativeHeads } from './policy';
import {
  call,
  grant,
  HOME,
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
  session,
  unit,
  WINDOWS,
  writing,
} from './samples';

const of = (facts: CallFacts, fields: Partial<SessionFacts> = {}, rules: readonly Rule[] = []): string => {
  const { verdict, cause } = decide(facts, session(fields), policy(rules), NOW);
  return `${verdict} ${cause ?? '-'}`;
};
const bash = rule({ tool_pattern: 'Bash', action: 'allow', priority: 90 });
const values = (facts: CallFacts, fields: Partial<SessionFacts> = {}): readonly string[] =>
  checksOf(facts, session(fields)).map(({ surface, value, access }) => [surface, value, access].filter((part) => part !== undefined).join(' '));

describe('the checks of a request', () => {
  it.each<[string, CallFacts, readonly string[]]>([
    ['a path', reading('a'), [`Read ${ROOT}/a read`]],
    ['two paths', reading('a', 'b'), [`Read ${ROOT}/a read`, `Read ${ROOT}/b read`]],
    ['a path outside has two', writing('/ext/a'), ['Write /ext/a write', 'external_directory /ext/a write']],
    ['units', running(['git status', 'npm test']), ['Bash git status', 'Bash npm test']],
    ['a redirect', running(['echo x'], [redirect('out')]), ['Bash echo x', `Bash ${ROOT}/out write`]],
    ['an operand inside adds nothing', running(['cat a'], [operand('a')]), ['Bash cat a']],
    [
      'an operand outside only its outside check',
      running(['cat /ext/a'], [operand('/ext/a')]),
      ['Bash cat /ext/a', 'external_directory /ext/a read'],
    ],
    ['neither: the tool alone', call({ tool: 'deploy' }), ['deploy deploy']],
    [
      'paths that were only declared leave the one for the tool',
      call({ tool: 'deploy', paths: [pathOf('a', 'read', { origin: 'declared' })] }),
      [`deploy ${ROOT}/a read`, 'deploy deploy'],
    ],
    [
      'a path that could not be resolved is named as it was given',
      { ...reading('x'), paths: [pathOf('loop', 'read', { canonical: null })] },
      ['Read loop read'],
    ],
  ])('%s', (_name, facts, expected) => {
    expect(values(facts)).toEqual(expected);
  });

  it('the roots are the session root and the effective working directory', () => {
    expect(values(reading('/site/a'), { workingDirectory: '/site' })).toEqual(['Read /site/a read']);
    expect(values(reading('a'), { workingDirectory: '/site' })).toEqual([`Read ${ROOT}/a read`]);
    expect(values(reading('/a'), { root: null, workingDirectory: null })).toEqual(['Read /a read', 'external_directory /a read']);
  });
});

describe('an allow for the tool does not cover files outside the roots', () => {
  const read = rule({ tool_pattern: 'Read', action: 'allow' });
  const outside = (path_pattern: string | null): Rule => rule({ tool_pattern: 'external_directory', path_pattern, action: 'allow' });
  it.each<[string, readonly Rule[], string]>([
    ['the tool alone', [read], 'require -'],
    ['a class with the path', [rule({ tool_pattern: '@fs_any', path_pattern: '/ext/*', action: 'allow' })], 'require -'],
    ['tool and directory', [read, outside('/ext/*')], 'allow rule'],
    ['tool and every outside path', [read, outside('*')], 'allow rule'],
    ['tool and the surface unfiltered', [read, outside(null)], 'allow rule'],
    ['the directory alone', [outside('/ext/*')], 'require -'],
    ['tool and another directory', [read, outside('/ext2/*')], 'require -'],
    ['an unfiltered star matches every surface', [rule({ tool_pattern: '*', action: 'allow' })], 'allow rule'],
    [
      'a deny of the surface',
      [rule({ tool_pattern: 'external_directory', action: 'deny', priority: 1 }), rule({ tool_pattern: '*', action: 'allow' })],
      'deny rule',
    ],
  ])('%s', (_name, rules, expected) => {
    expect(of(reading('/ext/a'), {}, rules)).toBe(expected);
  });

  it('inside an authorised directory a deny and a hard require on the surface still hold', () => {
    const access = [{ path: '/ext', mode: 'write' } as const];
    expect(of(reading('/ext/a'), { access })).toBe('allow directory');
    expect(of(reading('/ext/a'), { access }, [rule({ tool_pattern: 'external_directory', action: 'deny' })])).toBe('deny rule');
    expect(of(reading('/ext/a'), { access, mode: 'full' }, [rule({ tool_pattern: 'external_directory', action: 'require', hard: true })])).toBe(
      'require -',
    );
  });
});

describe('what a caller declares (spec 3.3)', () => {
  const unknown = (fields: Partial<CallFacts>): CallFacts => call({ tool: 'frobnicate', ...fields });
  const star = rule({ tool_pattern: '*', action: 'allow', priority: 999 });
  it.each<[string, Partial<CallFacts>, string, string]>([
    ['a kind that a deny names', { declaredKind: 'edit' }, '@fs_write', 'deny rule'],
    ['another kind', { declaredKind: 'read' }, '@fs_write', 'allow rule'],
    ['execution', { declaredKind: 'execute' }, '@exec', 'deny rule'],
    ['fetching', { declaredKind: 'fetch' }, '@net', 'deny rule'],
    ['hosts', { hosts: ['example.com'] }, '@net', 'deny rule'],
    ['no hosts', {}, '@net', 'allow rule'],
  ])('%s', (_name, fields, denied, expected) => {
    expect(of(unknown(fields), {}, [rule({ tool_pattern: denied, action: 'deny' }), star])).toBe(expected);
  });
  it('never lends the allow of a class, also not above a deny or a question', () => {
    for (const [declaredKind, pattern] of [
      ['fetch', '@net'],
      ['execute', '@exec'],
      ['read', '@fs_read'],
    ] as const) {
      expect(of(unknown({ declaredKind }), {}, [rule({ tool_pattern: pattern, action: 'allow' })])).toBe('require -');
      expect(
        of(unknown({ declaredKind }), {}, [
          rule({ tool_pattern: pattern, action: 'require', priority: 1 }),
          rule({ tool_pattern: '*', action: 'deny' }),
        ]),
      ).toBe('deny rule');
    }
  });
  it('a declared mutation is one for read-only mode and for floors', () => {
    const fetching = call({ tool: 'WebFetch', kind: 'fetch', declaredKind: 'edit' });
    expect(of(fetching, { mode: 'read-only' }, [star])).toBe('deny mode');
    expect(of(fetching, {}, [rule({ tool_pattern: '@fs_write', action: 'deny', hard: true }), star])).toBe('deny floor');
  });
});

describe('settled finer points', () => {
  it('a call’s cwd resolves names and is never a root', () => {
    expect(of({ ...writing('/ext/a'), cwd: '/ext' }, {}, [rule({ tool_pattern: 'Write', action: 'allow' })])).toBe('require -');
  });

  it('class tokens match a path check by its access, whatever the tool', () => {
    const secrets = rule({ tool_pattern: '@fs_any', path_pattern: 'secrets/*', action: 'deny', priority: 1 });
    expect(of(running(['echo x'], [redirect('secrets/key')]), {}, [secrets, bash])).toBe('deny rule');
    expect(of(running(['cat'], [redirect('secrets/key', 'read')]), {}, [secrets, bash])).toBe('deny rule');
    expect(of(running(['cat x'], [operand('secrets/key')]), {}, [secrets, bash])).toBe('deny rule');
    const writes = rule({ tool_pattern: '@fs_write', path_pattern: 'logs/*', action: 'allow', priority: 1 });
    const npm = rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow' });
    expect(of(running(['npm test'], [redirect('logs/a')]), {}, [writes, npm])).toBe('allow rule');
    expect(of(running(['npm test'], [redirect('src/a')]), {}, [writes, npm])).toBe('require -');
  });

  it('a class of file tools is denied also where a call’s paths are not known, and never allowed there', () => {
    const patch = call({ tool: 'apply_patch', kind: 'edit' });
    expect(of(patch, {}, [rule({ tool_pattern: '@fs_write', action: 'deny' })])).toBe('deny rule');
    expect(of(patch, {}, [rule({ tool_pattern: '@fs_write', action: 'allow' })])).toBe('require -');
  });

  it('an allow of @exec says what may run and not where it writes; a deny of it holds for both', () => {
    const exec = (fields: Partial<Rule> & Pick<Rule, 'action'>): Rule => rule({ tool_pattern: '@exec', ...fields });
    expect(of(running(['echo x'], [redirect('notes')]), {}, [exec({ action: 'allow' })])).toBe('require -');
    expect(of(running(['echo x']), {}, [exec({ action: 'allow' })])).toBe('allow rule');
    expect(of(running(['echo x'], [redirect('logs/a')]), {}, [exec({ action: 'allow' }), exec({ action: 'allow', path_pattern: 'logs/*' })])).toBe(
      'allow rule',
    );
    expect(of(running(['echo x'], [redirect('keys/a')]), {}, [exec({ action: 'deny', path_pattern: 'keys/*', priority: 1 }), bash])).toBe(
      'deny rule',
    );
    const given = grant({ surface: '@exec', pattern: '*', match: 'wildcard' });
    expect(of(running(['echo x'], [redirect('notes')]), { grants: [given] })).toBe('require -');
  });

  it('a rule for the tool covers its redirects; a command rule does not', () => {
    expect(of(running(['echo x'], [redirect('notes')]), {}, [bash])).toBe('allow rule');
    expect(of(running(['npm test'], [redirect('out')]), {}, [rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow' })])).toBe(
      'require -',
    );
    const keys = rule({ tool_pattern: 'Bash', path_pattern: 'keys/*', action: 'deny', priority: 1 });
    expect(of(running(['echo x'], [redirect('keys/a')]), {}, [keys, bash])).toBe('deny rule');
  });

  it('a redirect target inside an allowed write root is allowed, its command is not with it', () => {
    const npm = rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow' });
    const fields = { writeRoots: [`${ROOT}/logs`] };
    expect(decide(running(['npm test'], [redirect('logs/out')]), session(fields), policy([npm]), NOW).verdict).toBe('allow');
    expect(of(running(['npm test'], [redirect('src/out')]), fields, [npm])).toBe('require -');
    expect(of(running(['make'], [redirect('logs/out')]), fields, [npm])).toBe('require -');
  });

  it('operands of shell text can only tighten', () => {
    const cat = rule({ tool_pattern: 'Bash', command_pattern: 'cat *', action: 'allow' });
    const catchAll = rule({ tool_pattern: '*', action: 'require', priority: 999_999 });
    const outside = rule({ tool_pattern: 'external_directory', path_pattern: '/ext/*', action: 'allow', priority: 1 });
    const allowed = rule({ tool_pattern: '@fs_read', path_pattern: 'a', action: 'allow' });
    expect(of(running(['cat a'], [operand('a')]), {}, [cat, catchAll])).toBe('allow rule');
    expect(of(running(['cat /ext/a'], [operand('/ext/a')]), {}, [cat, catchAll])).toBe('require -');
    expect(of(running(['cat /ext/a'], [operand('/ext/a')]), {}, [cat, catchAll, outside])).toBe('allow rule');
    expect(of(running(['cat a'], [operand('a')]), {}, [allowed])).toBe('require -');
  });

  it('floors and rules see operands with access read', () => {
    const hardRead = rule({ tool_pattern: '@fs_read', path_pattern: 'private/*', action: 'require', hard: true, priority: 1 });
    const softRead = { ...hardRead, hard: false };
    const write = rule({ tool_pattern: '@fs_write', path_pattern: 'private/*', action: 'deny', priority: 1 });
    const facts = running(['cat private/a'], [operand('private/a')]);
    expect(of(facts, {}, [hardRead, bash])).toBe('require -');
    expect(decide(facts, session(), policy([softRead, bash]), NOW).verdict).toBe('allow');
    expect(of(facts, {}, [write, bash])).toBe('allow rule');
    expect(of(running(['cat x'], [operand(`${HOME}/.ssh/id`)]), { mode: 'full' }, [bash])).toBe('deny floor');
  });

  it('an operand that cannot be resolved asks', () => {
    expect(of(running(['cat loop'], [{ ...operand('loop'), canonical: null }]), { mode: 'full' }, [bash])).toBe('require -');
  });

  it('a program given by a path is compared also by its base name, for deny and require only', () => {
    const rules = (action: Rule['action']): readonly Rule[] => [
      rule({ tool_pattern: 'Bash', command_pattern: 'rm *', action, hard: action === 'require' }),
    ];
    for (const text of ['/bin/rm x', './rm x', '../bin/rm x']) {
      expect(of(running([text]), { mode: 'full' }, rules('deny'))).toBe('deny rule');
      expect(of(running([text]), { mode: 'full' }, rules('require'))).toBe('require -');
      expect(of(running([text]), {}, rules('allow'))).toBe('require -');
    }
    expect(of(running(['/bin/rmdir x']), { mode: 'full' }, rules('deny'))).toBe('allow mode');
    const exact = rule({ tool_pattern: 'Bash', command_pattern: '/bin/rm x', action: 'allow', priority: 1 });
    expect(of(running(['/bin/rm x']), {}, [exact, ...rules('deny')])).toBe('allow rule');
  });

  it('on Windows also without its extension', () => {
    const rules = policy([rule({ tool_pattern: 'Bash', command_pattern: 'rm *', action: 'deny' })], WINDOWS);
    for (const program of ['C:\\bin\\rm.exe', 'rm.EXE', 'C:/bin/rm']) {
      expect(decide(running([`${program} x`]), session({ platform: WINDOWS, mode: 'full' }), rules, NOW).verdict).toBe('deny');
    }
    expect(decide(running(['rm.txt x']), session({ platform: WINDOWS, mode: 'full' }), rules, NOW).verdict).toBe('allow');
  });

  it('a denial with a scope is judged at step 7, whatever rule allows', () => {
    const no = grant({ surface: 'Bash', pattern: 'rm x', action: 'deny', note: 'use build/' });
    const { verdict, cause, message, trace } = decide(running(['rm x']), session({ grants: [no] }), policy([bash]), NOW);
    expect([verdict, cause]).toEqual(['deny', 'session_rule']);
    expect(message).toContain('use build/');
    expect(trace.at(-1)).toMatchObject({ step: 7, outcome: 'deny', grant_id: no.id });
    expect(of(running(['npm test']), { grants: [no] })).toBe('require -');
    expect(of(running(['rm x']), { grants: [{ ...no, scope: 'project' }] })).toBe('deny grant');
  });

  it('a grant never covers a denied target: a wider allow given later leaves the denial', () => {
    const no = grant({ surface: 'Bash', pattern: 'rm x', action: 'deny' });
    const later = grant({ surface: 'Bash', pattern: 'rm *', match: 'wildcard' });
    expect(of(running(['rm x']), { grants: [no, later] })).toBe('deny session_rule');
    expect(of(running(['rm y']), { grants: [no, later] })).toBe('allow session_rule');
  });
});

describe('further settled points', () => {
  const allowAll = rule({ tool_pattern: '*', action: 'allow' });
  it('a write to an agent’s settings is require (hard) whatever rule allows, and a deny still denies', () => {
    const facts = writing('.claude/settings.json');
    expect(decide(facts, session({ mode: 'full' }), policy([allowAll]), NOW)).toMatchObject({ verdict: 'require', hard: true });
    expect(of(facts, {}, [rule({ tool_pattern: 'Write', path_pattern: '.claude/*', action: 'deny', priority: 1 }), allowAll])).toBe('deny rule');
    expect(of(running(['echo'], [redirect('.claude/settings.json')]), {}, [bash])).toBe('require -');
    expect(of(reading('.claude/settings.json'))).toBe('allow directory');
  });

  it('an unresolvable read is require (hard) whatever rule allows, and a deny still denies', () => {
    const facts = { ...reading('x'), paths: [pathOf('secrets/loop', 'read', { canonical: null })] };
    expect(decide(facts, session({ mode: 'full' }), policy([allowAll]), NOW)).toMatchObject({ verdict: 'require', hard: true });
    expect(of(facts, {}, [rule({ tool_pattern: 'Read', action: 'deny' })])).toBe('deny rule');
    expect(of(facts, {}, [rule({ tool_pattern: 'Read', path_pattern: 'secrets/*', action: 'deny' })])).toBe('deny rule');
    const key = { ...reading('x'), paths: [pathOf('~/.ssh/loop', 'read', { canonical: null })] };
    expect(of(key, { mode: 'full' })).toBe('deny floor');
  });

  it('the strictest check names the cause, on ties the first in step 10’s order', () => {
    const npm = rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow' });
    const given = grant({ surface: 'Bash', pattern: 'make' });
    expect(of(running(['npm test', 'make']), { grants: [given] }, [npm])).toBe('allow session_rule');
    expect(of(running(['npm test'], [redirect('logs/a')]), { writeRoots: [`${ROOT}/logs`] }, [npm])).toBe('allow run_context');
    expect(of(reading('a', '/site/b'), { workingDirectory: '/site' })).toBe('allow directory');
    expect(of(reading('/site/b', 'a'), { workingDirectory: '/site' })).toBe('allow directory');
  });

  it('an authorised directory does not name the cause of a write that a rule or mode allowed', () => {
    const access = [{ path: '/ext/out', mode: 'write' } as const];
    expect(of(writing('/ext/out/a'), { access }, [rule({ tool_pattern: 'Write', action: 'allow' })])).toBe('allow rule');
    expect(of(writing('/ext/out/a'), { access, mode: 'guarded' })).toBe('allow mode');
  });

  it('a hard require below an earlier allow is not reached: first match decides', () => {
    const rules = [
      rule({ priority: 1, tool_pattern: 'Bash', action: 'allow' }),
      rule({ priority: 2, tool_pattern: 'Bash', action: 'require', hard: true }),
    ];
    expect(of(running(['ls']), {}, rules)).toBe('allow rule');
  });

  it('exact widths compare by equality, paths by the rules of the platform', () => {
    const given = grant({ surface: 'Write', pattern: `${ROOT}/A`, access: 'write' });
    expect(of(writing('a'), { grants: [given] })).toBe('require -');
    expect(decide(writing('a'), session({ grants: [given], platform: MAC }), policy([], MAC), NOW).verdict).toBe('allow');
  });

  it('a rule with a path and a command covers redirects of that command', () => {
    const both = { tool_pattern: 'Bash', path_pattern: 'logs/*', command_pattern: 'npm *' };
    const npm = rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow' });
    const make = rule({ tool_pattern: 'Bash', command_pattern: 'make *', action: 'allow' });
    const allow = [rule({ ...both, action: 'allow' }), npm, make];
    expect(of(running(['npm test'], [redirect('logs/a')]), {}, allow)).toBe('allow rule');
    expect(of(running(['make'], [redirect('logs/a')]), {}, allow)).toBe('require -');
    expect(of(running(['npm test', 'make'], [redirect('logs/a')]), {}, allow)).toBe('require -');
    const deny = [rule({ ...both, action: 'deny', priority: 1 }), bash];
    expect(of(running(['make', 'npm test'], [redirect('logs/a')]), {}, deny)).toBe('deny rule');
    expect(of(running(['make'], [redirect('logs/a')]), {}, deny)).toBe('allow rule');
  });
});

describe('opaque units (spec 6)', () => {
  const opaque = (text: string): CallFacts => running([unit(text, { opaque: true })]);
  it('are require (hard): a general allow is not enough', () => {
    expect(decide(opaque('eval git status'), session({ mode: 'full' }), policy([bash]), NOW)).toMatchObject({ verdict: 'require', hard: true });
    expect(of(opaque('eval git status'), {}, [rule({ tool_pattern: 'Bash', command_pattern: 'eval *', action: 'allow' })])).toBe('require -');
  });
  it('stay hard where a rule asks softly', () => {
    const asks = rule({ tool_pattern: 'Bash', action: 'require' });
    expect(decide(opaque('eval x'), session({ mode: 'full' }), policy([asks]), NOW)).toMatchObject({
      verdict: 'require',
      hard: true,
      ruleId: asks.id,
    });
  });
  it('only an allow whose pattern is the text, word for word, allows one', () => {
    const exact = rule({ tool_pattern: 'Bash', command_pattern: 'python -c print(1*2)', action: 'allow' });
    expect(of(opaque('python -c print(1*2)'), {}, [bash, exact])).toBe('allow rule');
    expect(of(opaque('python -c print(1+1*2)'), {}, [exact])).toBe('require -');
    expect(of(opaque('eval git status'), {}, [rule({ tool_pattern: 'Bash', command_pattern: 'eval git *', action: 'allow' })])).toBe('require -');
    expect(of(opaque('eval git'), {}, [rule({ tool_pattern: 'Bash', command_pattern: 'eval git *', action: 'allow' })])).toBe('require -');
  });
  it('a deny still denies, also below an allow that is not exact', () => {
    const deny = rule({ tool_pattern: 'Bash', command_pattern: 'python *', action: 'deny' });
    expect(of(opaque('python -c x'), {}, [deny])).toBe('deny rule');
    expect(of(opaque('/usr/bin/python -c x'), {}, [rule({ tool_pattern: 'Bash', action: 'allow', priority: 1 }), deny])).toBe('deny rule');
    expect(of(opaque('echo "unclosed'), {}, [rule({ tool_pattern: 'Bash', action: 'deny' })])).toBe('deny rule');
  });
  it('a require above the exact allow is reached first', () => {
    const exact = rule({ tool_pattern: 'Bash', command_pattern: 'eval x', action: 'allow', priority: 2 });
    expect(of(opaque('eval x'), {}, [rule({ tool_pattern: 'Bash', action: 'require', priority: 1 }), exact])).toBe('require -');
  });
  it('one makes the whole call ask', () => {
    expect(of(running(['git status', unit('eval $X', { opaque: true })]), {}, [bash])).toBe('require -');
  });
});

describe('wrappers (spec 6)', () => {
  const sudo = running(['sudo ls', unit('ls', { wrapped_by: 0 })]);
  const allow = (command_pattern: string): Rule => rule({ tool_pattern: 'Bash', command_pattern, action: 'allow' });
  it('the rule of the wrapper does not cover the inner command, nor the other way round', () => {
    expect(of(sudo, {}, [allow('sudo *')])).toBe('require -');
    expect(of(sudo, {}, [allow('ls *')])).toBe('require -');
    expect(of(sudo, {}, [allow('sudo *'), allow('ls *')])).toBe('allow rule');
  });
  it('a deny of the inner command reaches through', () => {
    expect(of(sudo, {}, [rule({ tool_pattern: 'Bash', command_pattern: 'ls *', action: 'deny', priority: 1 }), bash])).toBe('deny rule');
  });
});

describe('a leading cd (spec 6)', () => {
  const git = rule({ tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow' });
  const enter = (to: string | null): CallFacts => running([unit(`cd ${to ?? 'x'}`, { cd: to }), 'git status']);
  it('into a directory that reads are allowed in asks for nothing', () => {
    expect(of(enter(`${ROOT}/sub`), {}, [git])).toBe('allow rule');
    expect(of(enter('/site'), { workingDirectory: '/site' }, [git])).toBe('allow rule');
    expect(of(enter('/ext/ref'), { access: [{ path: '/ext/ref', mode: 'read' }] }, [git])).toBe('allow rule');
    expect(of(enter('/ext/ref/x'), { readRoots: ['/ext/ref'] }, [git])).toBe('allow rule');
    const given = grant({ surface: 'Bash', pattern: 'npm test' });
    expect(of(running([unit('cd sub', { cd: `${ROOT}/sub` }), 'npm test']), { grants: [given] })).toBe('allow session_rule');
  });
  it('elsewhere it is a command like any other', () => {
    expect(of(enter('/ext'), {}, [git])).toBe('require -');
    expect(of(enter(null), {}, [git])).toBe('require -');
    expect(of(running([unit('cd sub'), 'git status']), {}, [git])).toBe('require -');
  });
  it('is neutral and not allowed: denies and hard requires see it', () => {
    expect(of(enter(`${ROOT}/sub`), {}, [rule({ tool_pattern: 'Bash', command_pattern: 'cd *', action: 'deny', priority: 1 }), git])).toBe(
      'deny rule',
    );
    expect(of(running([unit('cd sub', { cd: `${ROOT}/sub` })]), {}, [rule({ tool_pattern: 'Bash', action: 'deny' })])).toBe('deny rule');
    expect(
      of(enter(`${ROOT}/sub`), {}, [rule({ tool_pattern: 'Bash', command_pattern: 'cd *', action: 'require', hard: true, priority: 1 }), git]),
    ).toBe('require -');
  });
  it('alone it is allowed by where it goes', () => {
    expect(of(running([unit('cd sub', { cd: `${ROOT}/sub` })]))).toBe('allow directory');
  });
  it('hides nothing that follows', () => {
    const rm = rule({ tool_pattern: 'Bash', command_pattern: 'rm *', action: 'deny' });
    expect(of(running([unit('cd sub', { cd: `${ROOT}/sub` }), 'rm -rf y']), {}, [rm, git])).toBe('deny rule');
    expect(of(running([unit('cd sub', { cd: `${ROOT}/sub` }), 'npm i']), {}, [rm, git])).toBe('require -');
  });
});

describe('what intake has to look at', () => {
  const rules = policy([
    rule({ tool_pattern: '@fs_any', path_pattern: 'secrets/*', action: 'deny' }),
    rule({ tool_pattern: '@fs_any', path_pattern: '*/vault/x*', action: 'deny' }),
    rule({ tool_pattern: '@fs_any', path_pattern: 'memory/*', action: 'allow' }),
    rule({ tool_pattern: '@fs_any', path_pattern: 'gone/*', action: 'deny', enabled: false }),
    rule({ tool_pattern: '@fs_any', path_pattern: 'src/gen/*', action: 'deny', group_id: 'team' }),
  ]);
  it.each([
    ['secrets', null, true],
    ['vault', null, true],
    ['memory', null, false],
    ['gone', null, false],
    ['secret', null, false],
    ['src', null, false],
    ['src', 'team', true],
    ['secrets', 'team', true],
    ['.ssh', null, true],
    ['.npmrc', null, true],
    ['origin', null, false],
  ])('a deny names %s in group %s: %s', (segment, group, expected) => {
    expect(namesDeniedSegment(rules, group, segment)).toBe(expected);
  });
  it('relative patterns begin at these heads, where a link may stand', () => {
    expect(relativeHeads(rules)).toEqual(['secrets', 'memory', 'src/gen']);
  });
  it('ignores case where the platform does', () => {
    expect(namesDeniedSegment(policy([rule({ tool_pattern: '*', path_pattern: 'Secrets/*', action: 'deny' })], MAC), null, 'SECRETS')).toBe(true);
  });
});
