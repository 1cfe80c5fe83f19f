// The twelve steps of spec 4: what each can yield, and that none skips the ones before it.

import { describe, expect, it } from 'vitest';
import type { Grant, Rule } from '../../shared/model';
import { decide } from './decide';
import type { CallFacts, CeilingUse, Ruling, SessionFacts } from './facts';
import type { Outcomes } from './judge';
import { call, grant, NOW, operand, pathOf, policy, ROOT, reading, redirect, rule, running, searching, session, unit, writing } from './samples';

const rulingOf = (facts: CallFacts, fields: Partial<SessionFacts> = {}, rules: readonly Rule[] = [], outcomes: Outcomes = {}): Ruling =>
  decide(facts, session(fields), policy(rules), NOW, outcomes);
const of = (facts: CallFacts, fields: Partial<SessionFacts> = {}, rules: readonly Rule[] = [], outcomes: Outcomes = {}): string => {
  const { verdict, cause } = rulingOf(facts, fields, rules, outcomes);
  return `${verdict} ${cause ?? '-'}`;
};
const allowAll = [rule({ tool_pattern: '*', action: 'allow' })];
const hard = { tool_pattern: '@fs_any', path_pattern: 'secrets/*', action: 'deny', hard: true } as const;
const message = call({ tool: 'send_invoice', kind: 'message' });

describe('step 1: the run', () => {
  const used = (ceiling: CeilingUse['ceiling'], limit: number, count: number): readonly CeilingUse[] => [{ ceiling, limit, used: count }];
  it('a cancelled run is denied everything', () => {
    expect(of(reading('a'), { cancelled: true }, allowAll)).toBe('deny cancelled');
  });
  it.each([
    [2, 1, 'allow rule'],
    [2, 2, 'deny budget'],
    [2, 3, 'deny budget'],
    [0, 0, 'deny budget'],
  ])('limit %d with %d used: %s', (limit, count, expected) => {
    expect(of(writing('a'), { budget: used('max_tool_calls', limit, count) }, allowAll)).toBe(expected);
  });
  it('names the ceiling that is used up', () => {
    const budget = [...used('max_turns', 5, 1), ...used('max_cost_usd', 1, 1.25)];
    expect(rulingOf(writing('a'), { budget }, allowAll).message).toContain('max_cost_usd: 1.25 of 1, 0.25 over');
  });
  it('comes before the phase', () => {
    expect(of(running(['ls']), { cancelled: true, phase: 'plan' })).toBe('deny cancelled');
  });
});

describe('step 2: phase plan', () => {
  it.each([
    ['a read', reading('a'), 'allow directory'],
    ['a search', searching('.'), 'allow directory'],
    ['a write', writing('a'), 'deny phase'],
    ['a command', running(['ls']), 'deny phase'],
    ['a fetch', call({ tool: 'WebFetch', kind: 'fetch' }), 'deny phase'],
    ['a message', message, 'deny phase'],
    ['an unknown tool', call({ tool: 'x' }), 'deny phase'],
    ['a read that writes a path', { ...reading('a'), paths: [pathOf('a', 'read'), pathOf('b', 'write', { origin: 'declared' })] }, 'deny phase'],
    ['a search that runs a command', { ...searching('.'), executes: true }, 'deny phase'],
  ] as const)('%s', (_name, facts, expected) => {
    expect(of(facts, { phase: 'plan' })).toBe(expected);
  });
  it('execute and unset restrict nothing', () => {
    for (const phase of ['execute', null] as const) expect(of(running(['ls']), { phase }, allowAll)).toBe('allow rule');
  });
  it('comes before write roots and the outbox', () => {
    expect(of(writing('a'), { phase: 'plan', writeRoots: [ROOT] })).toBe('deny phase');
    expect(of(message, { phase: 'plan', outbox: ['send_invoice'] })).toBe('deny phase');
  });
});

describe('step 3: withheld', () => {
  it.each([
    ['graph__kg_task_update', 'kg_task_update', true],
    ['graph__kg_task_update', 'graph__kg_task_update', true],
    ['graph__kg_task_update', 'task_update', false],
    ['graph__kg_task_update', 'graph', false],
    ['gmail:send', 'send', true],
    ['gmail:search', 'send', false],
    ['mcp__gmail__send_mail', 'send_mail', true],
    ['mcp__gmail__send_mail', 'gmail__send_mail', true],
    ['mcp__gmail__send_mail', 'gmail:send_mail', true],
    ['mcp__gmail__send_mail', 'mail', false],
    ['gmail:send_mail', 'mcp__gmail__send_mail', true],
    ['Read', 'Read', true],
    ['Read', 'read', false],
    ['Reader', 'Read', false],
  ])('%s with %s withheld: %s', (tool, name, expected) => {
    expect(of(call({ tool }), { withheld: [name] }, allowAll)).toBe(expected ? 'deny withheld' : 'allow rule');
  });
  it('comes before floors and the outbox', () => {
    expect(of(reading('secrets/x'), { withheld: ['Read'] }, [rule(hard)])).toBe('deny withheld');
    expect(of(message, { withheld: ['send_invoice'], outbox: ['send_invoice'] })).toBe('deny withheld');
  });
});

describe('step 4: floors', () => {
  it('credentials are denied whatever allows', () => {
    const open: Partial<SessionFacts> = { mode: 'full', access: [{ path: '/home/ada', mode: 'write' }], writeRoots: ['/'], readRoots: ['/'] };
    expect(of(reading('/home/ada/.ssh/id'), open, allowAll)).toBe('deny floor');
    expect(of(writing('/home/ada/.aws/credentials'), open, allowAll)).toBe('deny floor');
  });
  it('a hard deny of default or of the group, anywhere in the list, of any action above it', () => {
    const rules = [rule({ group_id: 'team', tool_pattern: '*', action: 'allow', priority: 0 }), ...allowAll, rule({ ...hard, priority: 999 })];
    expect(of(reading('secrets/key'), { groupId: 'team', mode: 'full' }, rules)).toBe('deny floor');
    expect(of(reading('secrets/key'), { groupId: 'team' }, [...allowAll, rule({ ...hard, group_id: 'team' })])).toBe('deny floor');
    expect(of(reading('src/key'), { groupId: 'team', mode: 'full' }, rules)).toBe('allow rule');
  });
  it('of another group, disabled, run out or for another agent it is none', () => {
    const others = [{ group_id: 'other' }, { enabled: false }, { expires_at: new Date(NOW).toISOString() }, { agent: 'codex' }, { source: 'cron' }];
    for (const fields of others) expect(of(reading('secrets/key'), {}, [rule({ ...hard, ...fields }), ...allowAll])).toBe('allow rule');
  });
  it('denies a unit of a command, also by the base name of its program', () => {
    const floor = [rule({ tool_pattern: '@exec', command_pattern: 'rm *', action: 'deny', hard: true }), ...allowAll];
    expect(of(running(['ls', 'rm x']), {}, floor)).toBe('deny floor');
    expect(of(running(['/bin/rm x']), {}, floor)).toBe('deny floor');
    expect(of(running(['rmdir x']), {}, floor)).toBe('allow rule');
  });
  it('denies a write whose path cannot be resolved', () => {
    const loop = { ...writing('x'), paths: [pathOf('loop/x', 'write', { canonical: null })] };
    expect(of(loop, { mode: 'full' }, allowAll)).toBe('deny floor');
  });
  it('names the rule, and tells its reason', () => {
    const floor = rule({ ...hard, reason: 'Ask Ada.' });
    expect(rulingOf(reading('secrets/key'), {}, [floor])).toMatchObject({ ruleId: floor.id, matchedRuleIds: [floor.id] });
    expect(rulingOf(reading('secrets/key'), {}, [floor]).message).toContain('Ask Ada.');
  });
  it('sees the target of a leading cd', () => {
    expect(of(running([unit('cd .ssh', { cd: `${ROOT}/.ssh` })]), { mode: 'full' })).toBe('deny floor');
    expect(of(running([unit('cd secrets', { cd: `${ROOT}/secrets` })]), {}, [rule(hard)])).toBe('deny floor');
  });
  it('sees what removing or moving a folder takes along', () => {
    const moving = call({ tool: 'move', kind: 'edit', paths: [pathOf('/home/ada', 'write', { deletes: true }), pathOf('b', 'write')] });
    expect(of(moving, { mode: 'full' }, allowAll)).toBe('deny floor');
  });
});

describe('step 5: directory access', () => {
  const ref = { path: '/ext/ref', mode: 'read' } as const;
  it('a write below a read entry is denied whatever allows', () => {
    expect(of(writing('/ext/ref/a'), { access: [ref], mode: 'full', writeRoots: ['/ext/ref/a'] }, allowAll)).toBe('deny directory');
    expect(of(writing('/ext/ref-2/a'), { access: [ref], mode: 'full' }, allowAll)).toBe('allow rule');
  });
  it('holds for redirects and not for other operands', () => {
    const access = [{ path: ROOT, mode: 'read' } as const];
    expect(of(running(['echo x'], [redirect('a')]), { access }, allowAll)).toBe('deny directory');
    expect(of(running(['cat a'], [operand('a')]), { access }, allowAll)).toBe('allow rule');
    expect(of(running(['sort'], [redirect('a', 'read')]), { access }, allowAll)).toBe('allow rule');
  });
  it('a grant does not lift it', () => {
    const given = grant({ surface: 'Write', pattern: '/ext/ref/a', access: 'write' });
    expect(of(writing('/ext/ref/a'), { access: [ref], grants: [given] })).toBe('deny directory');
  });
  it('moving a folder that holds a read entry writes there', () => {
    const moving = call({ tool: 'move', kind: 'edit', paths: [pathOf('/ext', 'write', { deletes: true })] });
    expect(of(moving, { access: [ref] }, allowAll)).toBe('deny directory');
  });
});

describe('step 6: mode', () => {
  it.each([
    ['reading', reading('a'), 'allow directory'],
    ['writing', writing('a'), 'deny mode'],
    ['a command', running(['ls']), 'deny mode'],
    ['an unknown tool', call({ tool: 'x' }), 'deny mode'],
    ['a message', message, 'deny mode'],
    ['fetching', call({ tool: 'WebFetch', kind: 'fetch' }), 'allow rule'],
    ['reading outside', reading('/ext/a'), 'deny mode'],
    ['a read that writes', { ...reading('a'), paths: [pathOf('a', 'read'), pathOf('b', 'write')] }, 'deny mode'],
  ] as const)('read-only: %s', (_name, facts, expected) => {
    expect(of(facts, { mode: 'read-only' }, facts.kind === 'read' ? [] : allowAll)).toBe(expected);
  });
  it.each(['guarded', 'workspace'] as const)('%s: a path outside the boundary is denied whatever allows', (mode) => {
    const fields: Partial<SessionFacts> = { mode, access: [{ path: '/ext/out', mode: 'write' }], writeRoots: ['/ext/rcw'], readRoots: ['/ext/rcr'] };
    expect(of(reading('/ext/a'), fields, allowAll)).toBe('deny mode');
    expect(of(writing('/ext/a'), fields, allowAll)).toBe('deny mode');
    expect(of(writing('/ext/out/a'), fields)).toBe('allow mode');
    expect(of(writing('/ext/rcw/a'), fields)).toBe('allow run_context');
    expect(of(reading('/ext/rcr/a'), fields)).toBe('allow run_context');
    expect(of(writing('a'), fields)).toBe('allow mode');
    expect(of(reading('a'), fields)).toBe('allow directory');
    expect(of(running(['npm test']), fields)).toBe('require -');
  });
  it('a read root is inside for reading; writing there is a question', () => {
    expect(of(writing('/ext/rcr/a'), { mode: 'guarded', readRoots: ['/ext/rcr'] })).toBe('require -');
  });
  it('a redirect out of the boundary is denied, an operand out of it asks', () => {
    const bash = [rule({ tool_pattern: 'Bash', action: 'allow' })];
    expect(of(running(['echo x'], [redirect('/ext/a')]), { mode: 'guarded' }, bash)).toBe('deny mode');
    expect(of(running(['cat /ext/a'], [operand('/ext/a')]), { mode: 'guarded' }, bash)).toBe('require -');
  });
  it('guarded: a redirect inside the boundary needs no rule of its own, its command does', () => {
    const npm = [rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow' })];
    expect(rulingOf(running(['npm test'], [redirect('out')]), { mode: 'guarded' }, npm).verdict).toBe('allow');
    expect(rulingOf(running(['make'], [redirect('out')]), { mode: 'guarded' }, npm).verdict).toBe('require');
  });
  it('a tool that is neither file nor command is judged by the rules', () => {
    expect(of(call({ tool: 'send' }), { mode: 'guarded' })).toBe('require -');
    const declared = call({ tool: 'send', paths: [pathOf('a', 'read', { origin: 'declared' })] });
    expect(of(declared, { mode: 'guarded' })).toBe('require -');
  });
  it('full turns every soft require into allow and nothing else', () => {
    expect(of(running(['npm test']), { mode: 'full' })).toBe('allow mode');
    expect(of(writing('/ext/a'), { mode: 'full' })).toBe('allow mode');
    expect(of(call({ tool: 'x' }), { mode: 'full' })).toBe('allow mode');
    expect(of(running([unit('eval $X', { opaque: true })]), { mode: 'full' })).toBe('require -');
    expect(of(writing('.claude/settings.json'), { mode: 'full' })).toBe('require -');
    expect(of(running(['ls']), { mode: 'full' }, [rule({ tool_pattern: 'Bash', action: 'require', hard: true })])).toBe('require -');
    expect(of(running(['ls']), { mode: 'full' }, [rule({ tool_pattern: 'Bash', action: 'deny' })])).toBe('deny rule');
  });
  it('unset: the rules decide', () => {
    expect(of(writing('a'), {}, [rule({ tool_pattern: 'Write', action: 'allow' })])).toBe('allow rule');
    expect(of(writing('a'))).toBe('require -');
  });
});

describe('step 7: rules', () => {
  const group = { groupId: 'team' };
  it.each<[string, readonly Parameters<typeof rule>[0][], CallFacts, Partial<SessionFacts>, string]>([
    ['no rule asks', [], writing('x'), {}, 'require -'],
    ['a deny denies', [{ tool_pattern: 'Write', action: 'deny' }], writing('x'), {}, 'deny rule'],
    [
      'the lower number first',
      [
        { priority: 20, tool_pattern: 'Write', action: 'deny' },
        { priority: 10, tool_pattern: 'Write', action: 'allow' },
      ],
      writing('x'),
      {},
      'allow rule',
    ],
    [
      'order decides and not how specific a pattern is',
      [
        { priority: 10, tool_pattern: 'Bash', action: 'deny' },
        { priority: 20, tool_pattern: 'Bash', command_pattern: 'git status', action: 'allow' },
      ],
      running(['git status']),
      {},
      'deny rule',
    ],
    [
      'the group first',
      [
        { group_id: 'team', priority: 900, tool_pattern: 'Write', action: 'allow' },
        { priority: 1, tool_pattern: 'Write', action: 'deny' },
      ],
      writing('x'),
      group,
      'allow rule',
    ],
    [
      'a group that does not match falls to default',
      [
        { group_id: 'team', tool_pattern: 'Edit', action: 'deny' },
        { tool_pattern: 'Write', action: 'allow' },
      ],
      writing('x'),
      group,
      'allow rule',
    ],
    [
      'a catch-all of the group hides default',
      [
        { group_id: 'team', priority: 999_999, tool_pattern: '*', action: 'require' },
        { priority: 1, tool_pattern: 'Write', action: 'allow' },
      ],
      writing('x'),
      group,
      'require -',
    ],
    ['another group is silent', [{ group_id: 'other', tool_pattern: 'Write', action: 'allow' }], writing('x'), group, 'require -'],
    ['a deleted group counts as no rules', [{ tool_pattern: 'Write', action: 'allow' }], writing('x'), { groupId: 'gone' }, 'allow rule'],
    ['a disabled rule is silent', [{ tool_pattern: 'Write', action: 'allow', enabled: false }], writing('x'), {}, 'require -'],
    ['for this agent', [{ tool_pattern: 'Write', action: 'allow', agent: 'claude-code' }], writing('x'), {}, 'allow rule'],
    ['for another agent', [{ tool_pattern: 'Write', action: 'allow', agent: 'codex' }], writing('x'), {}, 'require -'],
    ['from this source', [{ tool_pattern: 'Write', action: 'allow', source: 'interactive' }], writing('x'), {}, 'allow rule'],
    [
      'agent and source both have to hold',
      [{ tool_pattern: 'Write', action: 'allow', agent: 'claude-code', source: 'cron' }],
      writing('x'),
      {},
      'require -',
    ],
    [
      'a rule that has not run out yet',
      [{ tool_pattern: 'Write', action: 'allow', expires_at: new Date(NOW + 1).toISOString() }],
      writing('x'),
      {},
      'allow rule',
    ],
    ['a rule that ran out', [{ tool_pattern: 'Write', action: 'allow', expires_at: new Date(NOW).toISOString() }], writing('x'), {}, 'require -'],
  ])('%s', (_name, rules, facts, fields, expected) => {
    expect(of(facts, fields, rules.map(rule))).toBe(expected);
  });

  it('breaks ties of priority by id, which sorts by creation', () => {
    const first = rule({ id: 'a', tool_pattern: 'Write', action: 'allow' });
    const second = rule({ id: 'b', tool_pattern: 'Write', action: 'deny' });
    expect(of(writing('x'), {}, [second, first])).toBe('allow rule');
  });

  it('deny is stronger than require, require than allow, over the paths and units of one call', () => {
    const rules = [
      rule({ priority: 1, tool_pattern: '@fs_any', path_pattern: 'keys/*', action: 'deny' }),
      rule({ priority: 2, tool_pattern: 'move', path_pattern: 'a/*', action: 'allow' }),
    ];
    const move = (from: string, to: string): CallFacts => call({ tool: 'move', kind: 'edit', paths: [pathOf(from, 'write'), pathOf(to, 'write')] });
    expect(of(move('a/x', 'a/y'), {}, rules)).toBe('allow rule');
    expect(of(move('a/x', 'b/y'), {}, rules)).toBe('require -');
    expect(of(move('b/y', 'keys/x'), {}, rules)).toBe('deny rule');
  });

  it('counts each rule that was a first match, and names the one that decided', () => {
    const git = rule({ tool_pattern: 'Bash', command_pattern: 'git *', action: 'allow' });
    const rm = rule({ tool_pattern: 'Bash', command_pattern: 'rm *', action: 'deny', reason: 'Use trash instead.' });
    const ruling = rulingOf(running(['git status', 'rm x']), {}, [git, rm]);
    expect(ruling).toMatchObject({ verdict: 'deny', ruleId: rm.id, matchedRuleIds: [git.id, rm.id] });
    expect(ruling.message).toContain('Use trash instead.');
    expect(ruling.message).toContain('rm x');
    expect(rulingOf(running(['git status']), {}, [git, rm])).toMatchObject({ verdict: 'allow', ruleId: git.id });
  });

  it('names the rule that asks', () => {
    const asks = rule({ tool_pattern: 'Bash', action: 'require' });
    expect(rulingOf(running(['ls']), {}, [asks])).toMatchObject({ verdict: 'require', ruleId: asks.id, hard: false, cause: null });
  });
});

describe('step 8: hooks', () => {
  const fields = { hasPreToolHook: true };
  const hook = (outcome: 'deny' | 'require'): Outcomes => ({ hook: { outcome, reason: 'never on fridays', command: 'check' } });
  it('deny, whatever allows', () => {
    const ruling = rulingOf(writing('a'), { ...fields, mode: 'full', outbox: ['Write'] }, allowAll, hook('deny'));
    expect(ruling).toMatchObject({ verdict: 'deny', cause: 'hook' });
    expect(ruling.message).toContain('never on fridays');
  });
  it('raise to a require that nothing relaxes', () => {
    const relaxed = { ...fields, mode: 'full', writeRoots: [ROOT] } as const;
    expect(rulingOf(writing('a'), relaxed, allowAll, hook('require'))).toMatchObject({ verdict: 'require', hard: true, cause: null });
    const reviewed = { ...hook('require'), reviewer: { outcome: 'allow', reason: '' } } as const;
    expect(of(writing('a'), { ...relaxed, hasReviewer: true }, allowAll, reviewed)).toBe('require -');
  });
  it('never allow', () => {
    expect(of(writing('a'), fields, [], { hook: { outcome: 'pass' } })).toBe('require -');
    expect(of(writing('a'), fields, allowAll, { hook: { outcome: 'pass' } })).toBe('allow rule');
  });
  it('are not heard for a call that a rule denied, nor without a hook', () => {
    expect(of(writing('a'), fields, [rule({ tool_pattern: 'Write', action: 'deny' })], hook('deny'))).toBe('deny rule');
    expect(of(writing('a'), {}, allowAll, hook('deny'))).toBe('allow rule');
  });
});

describe('step 9: outbox', () => {
  const fields = { outbox: ['send_invoice', 'gmail:*'] };
  it.each([
    ['a routed tool', message, 'stage outbox'],
    ['a routed MCP tool in its other spelling', call({ tool: 'mcp__gmail__send' }), 'stage outbox'],
    ['a name that is longer', call({ tool: 'send_invoice2' }), 'require -'],
  ])('%s', (_name, facts, expected) => {
    expect(of(facts, fields)).toBe(expected);
  });
  it('is not skipped by an allow, by mode full, or when nobody is there', () => {
    expect(of(message, { ...fields, mode: 'full', headless: true }, allowAll)).toBe('stage outbox');
  });
  it('comes after denies and floors', () => {
    expect(of(message, fields, [rule({ tool_pattern: 'send_invoice', action: 'deny' })])).toBe('deny rule');
    expect(of(message, fields, [rule({ tool_pattern: 'send_invoice', action: 'deny', hard: true })])).toBe('deny floor');
  });
});

describe('step 10: relaxers', () => {
  it.each<[string, CallFacts, Partial<SessionFacts>, string]>([
    ['reading below the root', reading('src/a'), {}, 'allow directory'],
    ['reading the root itself', reading('.'), {}, 'allow directory'],
    ['reading below the working directory', reading('/site/a'), { workingDirectory: '/site' }, 'allow run_context'],
    ['reading below the root when the working directory is elsewhere', reading('x'), { workingDirectory: `${ROOT}/sub` }, 'allow directory'],
    ['reading in a read entry', reading('/ext/ref/a'), { access: [{ path: '/ext/ref', mode: 'read' }] }, 'allow directory'],
    ['reading in a write entry', reading('/ext/out/a'), { access: [{ path: '/ext/out', mode: 'write' }] }, 'allow directory'],
    ['writing in a write entry follows the rules', writing('/ext/out/a'), { access: [{ path: '/ext/out', mode: 'write' }] }, 'require -'],
    ['reading in a read root, both checks', reading('/ext/ref/a'), { readRoots: ['/ext/ref'] }, 'allow run_context'],
    ['reading an exact file', reading('/ext/one.txt'), { readRoots: ['/ext/one.txt'] }, 'allow run_context'],
    ['reading in a write root', reading('/ext/out/a'), { writeRoots: ['/ext/out'] }, 'allow run_context'],
    ['writing in a write root', writing('logs/deep/a'), { writeRoots: [`${ROOT}/logs`] }, 'allow run_context'],
    ['writing beside a write root', writing('logs-old/a'), { writeRoots: [`${ROOT}/logs`] }, 'require -'],
    ['writing in a read root', writing('/ext/ref/a'), { readRoots: ['/ext/ref'] }, 'require -'],
    ['a command is not covered by write roots', running(['touch x']), { writeRoots: [ROOT] }, 'require -'],
    ['reading outside', reading('/ext/a'), {}, 'require -'],
  ])('%s', (_name, facts, fields, expected) => {
    expect(of(facts, fields)).toBe(expected);
  });

  it('relax an explicit soft require and never a hard one', () => {
    expect(of(reading('a'), {}, [rule({ tool_pattern: '@fs_read', action: 'require' })])).toBe('allow directory');
    expect(of(reading('a'), {}, [rule({ tool_pattern: '@fs_read', action: 'require', hard: true })])).toBe('require -');
    const given = grant({ surface: 'Write', pattern: `${ROOT}/a` });
    for (const isHard of [true, false]) {
      const rules = [rule({ tool_pattern: 'Write', action: 'require', hard: isHard })];
      expect(of(writing('a'), { writeRoots: [ROOT] }, rules)).toBe(isHard ? 'require -' : 'allow run_context');
      expect(of(writing('a'), { mode: 'guarded' }, rules)).toBe(isHard ? 'require -' : 'allow mode');
      expect(of(writing('a'), { grants: [given] }, rules)).toBe(isHard ? 'require -' : 'allow session_rule');
    }
  });

  it('every path of a call has to be covered', () => {
    const move = (to: string): CallFacts => call({ tool: 'move', kind: 'edit', paths: [pathOf('data/a', 'write'), pathOf(to, 'write')] });
    expect(of(move('data/b'), { writeRoots: [`${ROOT}/data`] })).toBe('allow run_context');
    expect(of(move('src/b'), { writeRoots: [`${ROOT}/data`] })).toBe('require -');
  });
});

describe('step 10: answers of a person (spec 7)', () => {
  const allowedBy = (facts: CallFacts, ...grants: readonly Grant[]): string => of(facts, { grants });
  it.each<[string, Parameters<typeof grant>[0], CallFacts, CallFacts]>([
    ['this file', { surface: 'Write', pattern: `${ROOT}/src/a.txt`, access: 'write' }, writing('src/a.txt'), writing('src/a.txt2')],
    [
      'for this tool only',
      { surface: 'Write', pattern: `${ROOT}/src/a.txt`, access: 'write' },
      writing('src/a.txt'),
      { ...writing('src/a.txt'), tool: 'Edit' },
    ],
    ['this folder', { surface: 'Write', pattern: `${ROOT}/src/*`, match: 'path', access: 'write' }, writing('src/deep/c'), writing('srcs/a')],
    ['a file with odd characters', { surface: 'Write', pattern: `${ROOT}/we[i]rd (1)/*` }, writing('we[i]rd (1)/*'), writing('we[i]rd (1)/x')],
    ['this command', { surface: 'Bash', pattern: 'npm run build' }, running(['npm run build']), running(['npm run build -- --watch'])],
    ['a command with a star in it', { surface: 'Bash', pattern: 'ls *' }, running(['ls *']), running(['ls x'])],
    ['program and sub-command', { surface: 'Bash', pattern: 'git checkout *', match: 'wildcard' }, running(['git checkout']), running(['git push'])],
    ['the program', { surface: 'Bash', pattern: 'grep *', match: 'wildcard' }, running(['grep bar b']), running(['grepx a'])],
    [
      'this MCP tool',
      { surface: 'mcp__gmail__send', pattern: 'mcp__gmail__send' },
      call({ tool: 'gmail:send' }),
      call({ tool: 'mcp__gmail__delete' }),
    ],
    [
      'any call of the tool',
      { surface: 'mcp__gmail__send', pattern: '*', match: 'wildcard' },
      call({ tool: 'mcp__gmail__send' }),
      call({ tool: 'mcp__gcal__send' }),
    ],
    [
      'this MCP server',
      { surface: 'mcp__gmail__*', pattern: '*', match: 'wildcard' },
      call({ tool: 'gmail:delete' }),
      call({ tool: 'mcp__gcal__create' }),
    ],
    ['a rule by hand', { surface: 'Bash', pattern: 'gh issue *', match: 'wildcard' }, running(['gh issue list']), running(['gh pr list'])],
    ['a path rule by hand', { surface: 'Write', pattern: 'src/*', match: 'wildcard' }, writing('src/a'), writing('lib/src/a')],
  ])('%s', (_name, fields, hit, miss) => {
    expect(allowedBy(hit, grant(fields))).toBe('allow session_rule');
    expect(allowedBy(miss, grant(fields))).toBe('require -');
  });

  it('names its cause by its scope', () => {
    const fields = { surface: 'Bash', pattern: 'ls' };
    expect(allowedBy(running(['ls']), grant({ ...fields, scope: 'timed' }))).toBe('allow session_rule');
    expect(allowedBy(running(['ls']), grant({ ...fields, scope: 'ticket' }))).toBe('allow grant');
    expect(allowedBy(running(['ls']), grant({ ...fields, scope: 'project' }))).toBe('allow grant');
    expect(allowedBy(running(['ls']), grant({ ...fields, scope: 'project' }), grant(fields))).toBe('allow session_rule');
  });

  it('names the latest answer that covers the check', () => {
    const early = grant({ surface: 'Bash', pattern: 'ls' });
    const late = grant({ surface: 'Bash', pattern: 'ls' });
    expect(rulingOf(running(['ls']), { grants: [early, late] }).checks[0]?.grantId).toBe(late.id);
  });

  it('an answer for reading does not cover writing, nor one check the other', () => {
    const read = grant({ surface: 'Read', pattern: '/ext/a', access: 'read' });
    const outside = grant({ surface: 'external_directory', pattern: '/ext/a', access: 'read' });
    expect(allowedBy(reading('/ext/a'), read, outside)).toBe('allow session_rule');
    expect(allowedBy(reading('/ext/a'), read)).toBe('require -');
    expect(allowedBy(reading('/ext/a'), outside)).toBe('require -');
    const write = grant({ surface: 'Write', pattern: '/ext/a', access: 'write' });
    expect(allowedBy(writing('/ext/a'), write, outside)).toBe('require -');
    expect(allowedBy(writing('/ext/a'), write, { ...outside, access: 'write' })).toBe('allow session_rule');
  });

  it('of a command that redirects covers the target by its access', () => {
    const command = grant({ surface: 'Bash', pattern: 'npm test' });
    const target = grant({ surface: 'Bash', pattern: `${ROOT}/out.log`, access: 'write' });
    expect(allowedBy(running(['npm test'], [redirect('out.log')]), command, target)).toBe('allow session_rule');
    expect(allowedBy(running(['npm test'], [redirect('out.log')]), command)).toBe('require -');
    expect(allowedBy(running(['sort'], [redirect('out.log', 'read')]), target)).toBe('require -');
  });

  it('runs out by the clock', () => {
    const timed = (at: number): Grant => grant({ surface: 'Bash', pattern: 'ls', scope: 'timed', expires_at: new Date(at).toISOString() });
    expect(allowedBy(running(['ls']), timed(NOW + 1))).toBe('allow session_rule');
    expect(allowedBy(running(['ls']), timed(NOW))).toBe('require -');
  });

  it('reaches no denied call', () => {
    const wide = grant({ surface: 'Bash', pattern: 'git *', match: 'wildcard' });
    const rules = [rule({ tool_pattern: 'Bash', command_pattern: 'git push *', action: 'deny' })];
    expect(of(running(['git status']), { grants: [wide] }, rules)).toBe('allow session_rule');
    expect(of(running(['git push origin']), { grants: [wide] }, rules)).toBe('deny rule');
  });

  it('cannot allow an opaque unit, an unresolvable read or a write to settings', () => {
    const everything = grant({ surface: '*', pattern: '*', match: 'wildcard' });
    expect(allowedBy(running(['ls']), everything)).toBe('allow session_rule');
    expect(allowedBy(running([unit('eval $X', { opaque: true })]), everything)).toBe('require -');
    expect(allowedBy({ ...reading('x'), paths: [pathOf('x', 'read', { canonical: null })] }, everything)).toBe('require -');
    expect(allowedBy(writing('.mcp.json'), everything)).toBe('require -');
  });
});

describe('step 11: the reviewer', () => {
  const fields: Partial<SessionFacts> = { mode: 'workspace', hasReviewer: true };
  const said = (outcome: 'allow' | 'deny' | 'unsure'): Outcomes => ({ reviewer: { outcome, reason: 'builds only' } });
  it.each([
    ['allow', 'allow reviewer'],
    ['deny', 'deny reviewer'],
    ['unsure', 'require -'],
  ] as const)('%s', (outcome, expected) => {
    expect(of(running(['npm test']), fields, [], said(outcome))).toBe(expected);
  });
  it('lifts no hard require', () => {
    expect(of(running(['npm test', unit('eval $X', { opaque: true })]), fields, [], said('allow'))).toBe('require -');
  });
  it('is not heard for what is allowed or denied already, nor where there is none', () => {
    expect(of(running(['npm test']), fields, allowAll, said('deny'))).toBe('allow rule');
    expect(of(running(['npm test']), fields, [rule({ tool_pattern: 'Bash', action: 'deny' })], said('allow'))).toBe('deny rule');
    expect(of(running(['npm test']), { mode: 'workspace' }, [], said('allow'))).toBe('require -');
  });
  it('tells the agent why it refused', () => {
    expect(rulingOf(running(['npm test']), fields, [], said('deny')).message).toContain('builds only');
  });
});

describe('step 12: a person', () => {
  it('decides what is left, and nobody where nobody is', () => {
    expect(rulingOf(running(['ls']))).toMatchObject({ verdict: 'require', cause: null, message: '' });
    const alone = rulingOf(running(['ls']), { headless: true });
    expect(alone).toMatchObject({ verdict: 'require', cause: 'headless' });
    expect(alone.message).toContain('nobody is there to ask');
    expect(alone.message.toLowerCase()).not.toContain('denied');
  });
  it('a headless session still reads, and is still denied', () => {
    expect(of(reading('a'), { headless: true })).toBe('allow directory');
    expect(of(reading('secrets/x'), { headless: true }, [rule(hard)])).toBe('deny floor');
  });
});

describe('the answer to an allowed recursive read (spec 9)', () => {
  it('names the folders to skip', () => {
    expect(rulingOf(searching('.')).exclude).toContain('secrets');
    expect(rulingOf(searching('.')).exclude).toContain('.ssh');
    expect(rulingOf(reading('a')).exclude).toEqual([]);
  });
  it('names folders that a rule closes to the tool', () => {
    const closed = rule({ tool_pattern: '@fs_read', path_pattern: 'private/keys/*', action: 'deny' });
    expect(rulingOf(searching('.'), {}, [closed]).exclude).toContain('private/keys');
    const open = rule({ tool_pattern: 'Grep', action: 'allow', priority: 1 });
    expect(rulingOf(searching('.'), {}, [closed, open]).exclude).not.toContain('private/keys');
    expect(rulingOf(searching('.'), {}, [{ ...closed, tool_pattern: '@fs_write' }]).exclude).not.toContain('private/keys');
  });
  it('is empty when the read was not allowed', () => {
    expect(rulingOf(searching('/ext')).exclude).toEqual([]);
  });
});
