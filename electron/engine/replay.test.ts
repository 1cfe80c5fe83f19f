// Past calls against edited rules (spec 13), and what came nearest to allowing a call that asked.

import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../shared/model';
import { nearestMiss } from './near-miss';
import { type ReplayCall, replay } from './replay';
import { call, NOW, policy, reading, rule, running, session, unit, writing } from './samples';

describe('replay', () => {
  const asks = rule({ tool_pattern: '@exec', action: 'require', priority: 10 });
  const calls = (...facts: readonly ReplayCall['call'][]): readonly ReplayCall[] =>
    facts.map((one, index) => ({ requestId: `q${index}`, call: one, session: session() }));

  it('lists exactly the calls whose verdict changes, in their order', () => {
    const before = policy([asks]);
    const after = policy([
      asks,
      rule({ tool_pattern: 'Bash', command_pattern: 'npm *', action: 'allow', priority: 5 }),
      rule({ tool_pattern: 'Read', path_pattern: 'src/*', action: 'deny', priority: 5 }),
    ]);
    expect(replay(calls(running(['npm test']), running(['make']), reading('src/a'), reading('lib/a')), before, after, NOW)).toEqual([
      { request_id: 'q0', tool: 'Bash', text: 'Bash npm test', before: 'require', after: 'allow' },
      { request_id: 'q2', tool: 'Read', text: 'Read src/a', before: 'allow', after: 'deny' },
    ]);
  });

  it('finds nothing between equal policies', () => {
    expect(replay(calls(running(['npm test']), writing('a')), policy([asks]), policy([asks]), NOW)).toEqual([]);
  });

  it('goes through 50,000 calls against 1,000 rules in under two seconds', () => {
    const many = Array.from({ length: 1000 }, (_, index) => rule({ tool_pattern: 'Bash', command_pattern: `tool${index} *`, action: 'allow' }));
    const changed = many.map((one, index): Rule => (index % 2 === 0 ? { ...one, action: 'deny' } : one));
    const facts = Array.from({ length: 50_000 }, (_, index) => running([`tool${index % 1500} run ${index}`]));
    const past = calls(...facts);
    const [before, after] = [policy(many), policy(changed)];
    const start = performance.now();
    const changes = replay(past, before, after, NOW);
    expect(performance.now() - start).toBeLessThan(2000);
    expect(changes).toHaveLength(facts.filter((_, index) => index % 1500 < 1000 && (index % 1500) % 2 === 0).length);
  });
});

describe('the nearest miss', () => {
  const allow = (fields: Partial<Rule> & Pick<Rule, 'tool_pattern'>): Rule => rule({ action: 'allow', ...fields });
  const miss = (facts: ReplayCall['call'], ...rules: readonly Rule[]): unknown => {
    const found = nearestMiss(facts, session({ groupId: 'team' }), policy(rules), NOW);
    return found === null ? null : [rules.findIndex((one) => one.id === found.ruleId), found.missedBy, found.change];
  };

  const cases: readonly (readonly [string, ReplayCall['call'], readonly Rule[], unknown])[] = [
    [
      'a command',
      running(['npm run test -- --watch']),
      [allow({ tool_pattern: 'Bash', command_pattern: 'npm run test' })],
      [0, 'command', { command_pattern: 'npm run test *' }],
    ],
    [
      'the nearest of several commands',
      running(['npm run lint']),
      [allow({ tool_pattern: 'Bash', command_pattern: 'npm test' }), allow({ tool_pattern: 'Bash', command_pattern: 'npm run build' })],
      [1, 'command', { command_pattern: 'npm run *' }],
    ],
    ['a path', writing('src/b/x.ts'), [allow({ tool_pattern: 'Write', path_pattern: 'src/a/*' })], [0, 'path', { path_pattern: 'src/*' }]],
    ['a tool', writing('src/x.ts'), [allow({ tool_pattern: 'Edit', path_pattern: 'src/*' })], [0, 'tool', { tool_pattern: '@fs_write' }]],
    [
      'a tool of the same server',
      call({ tool: 'mcp__mail__send' }),
      [allow({ tool_pattern: 'mcp__mail__list' })],
      [0, 'tool', { tool_pattern: 'mcp__mail__*' }],
    ],
    ['an agent', running(['make']), [allow({ tool_pattern: 'Bash', command_pattern: 'make *', agent: 'codex' })], [0, 'agent', { agent: null }]],
    ['a source', running(['make']), [allow({ tool_pattern: 'Bash', source: 'cron' })], [0, 'source', { source: null }]],
    ['a rule that is off', running(['make']), [allow({ tool_pattern: 'Bash', enabled: false })], [0, 'disabled', { enabled: true }]],
    [
      'a rule that ran out',
      running(['make']),
      [allow({ tool_pattern: 'Bash', expires_at: new Date(NOW - 1).toISOString() })],
      [0, 'expired', { expires_at: null }],
    ],
    [
      'the order',
      running(['make']),
      [rule({ tool_pattern: '@exec', action: 'require', priority: 10 }), allow({ tool_pattern: 'Bash' })],
      [1, 'order', { priority: 9, group_id: 'default' }],
    ],
    [
      'the order of groups',
      running(['make']),
      [rule({ tool_pattern: '*', action: 'require', group_id: 'team', priority: 50 }), allow({ tool_pattern: 'Bash' })],
      [1, 'order', { priority: 49, group_id: 'team' }],
    ],
  ];
  it.each(cases)('tells %s and the smallest change', (_name, facts, rules, expected) => {
    expect(miss(facts, ...rules)).toEqual(expected);
  });

  const far: readonly (readonly [string, ReplayCall['call'], readonly Rule[]])[] = [
    ['another program', running(['make']), [allow({ tool_pattern: 'Bash', command_pattern: 'npm *' })]],
    ['another folder', writing('lib/x'), [allow({ tool_pattern: 'Write', path_pattern: 'src/*' })]],
    ['a rule for another tool alone', writing('src/x'), [allow({ tool_pattern: 'TodoWrite' })]],
    ['two differences', running(['make']), [allow({ tool_pattern: 'Bash', command_pattern: 'make *', agent: 'codex', enabled: false })]],
    ['a rule of a group that does not apply', running(['make']), [allow({ tool_pattern: 'Bash', group_id: 'other', enabled: false })]],
    ['an opaque unit', running([unit('eval $X', { opaque: true })]), [allow({ tool_pattern: 'Bash', command_pattern: 'eval $X y' })]],
    ['a call that is allowed', reading('src/x'), [allow({ tool_pattern: 'Read', enabled: false })]],
    ['a call that is denied', running(['make']), [rule({ tool_pattern: 'Bash', action: 'deny' }), allow({ tool_pattern: 'Bash', enabled: false })]],
  ];
  it.each(far)('is none for %s', (_name, facts, rules) => {
    expect(miss(facts, ...rules)).toBeNull();
  });

  it('says it in a sentence', () => {
    const near = allow({ tool_pattern: 'Bash', command_pattern: 'npm test' });
    expect(nearestMiss(running(['npm test --watch']), session(), policy([near]), NOW)?.text).toBe(
      'Rule Bash `npm test` of group `default` would have matched with the command `npm test *`.',
    );
  });
});
