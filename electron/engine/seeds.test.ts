import { describe, expect, it } from 'vitest';
import type { Rule } from '../../shared/model';
import { ruleDraftSchema } from '../../shared/schemas';
import { decide } from './decide';
import type { CallFacts } from './facts';
import { call, NOW, operand, policy, reading, redirect, rule, running, searching, session, writing } from './samples';
import { seededRules } from './seeds';

const seeded: readonly Rule[] = seededRules().map((draft) => rule({ ...draft, created_by: 'seed' }));
const verdictOf = (facts: CallFacts): string => {
  const { verdict, cause } = decide(facts, session(), policy(seeded), NOW);
  return `${verdict} ${cause ?? '-'}`;
};

describe('seeded rules (spec 5.5)', () => {
  it('are drafts that the rules command would take', () => {
    for (const draft of seededRules()) expect(ruleDraftSchema.parse(draft)).toEqual(draft);
  });

  it('have the priorities of the spec', () => {
    expect(
      seededRules().map(({ tool_pattern, path_pattern, action, hard, priority }) => [tool_pattern, path_pattern, action, hard, priority]),
    ).toEqual([
      ['write_todos', null, 'allow', false, 0],
      ['TodoWrite', null, 'allow', false, 0],
      ['notify', null, 'allow', false, 0],
      ['@fs_any', 'secrets/*', 'deny', true, 5],
      ['@fs_any', 'memory/*', 'allow', false, 5],
      ['@fs_any', 'data/*', 'allow', false, 5],
      ['@exec', null, 'require', false, 10],
      ['*', null, 'require', false, 999_999],
    ]);
  });

  it.each([
    ['a note', writing('memory/notes.md'), 'allow rule'],
    ['a deep note', writing('memory/sub/deep.md'), 'allow rule'],
    ['data', writing('data/x'), 'allow rule'],
    ['an absolute /data', writing('/data/x'), 'require -'],
    ['a secret', reading('secrets/key'), 'deny floor'],
    ['writing a secret', writing('secrets/key'), 'deny floor'],
    ['the secrets folder', searching('secrets'), 'deny floor'],
    ['a secret in shell text', running(['cat secrets/key'], [operand('secrets/key')]), 'deny floor'],
    ['near secrets', reading('secrets2/key'), 'allow directory'],
    ['reading in the root', reading('src/main.rs'), 'allow directory'],
    ['writing in the root', writing('src/main.rs'), 'require -'],
    ['a command', running(['ls']), 'require -'],
    ['a command into data', running(['echo x'], [redirect('data/x')]), 'require -'],
    ['a to-do list', call({ tool: 'TodoWrite' }), 'allow rule'],
    ['a message', call({ tool: 'notify', kind: 'message' }), 'allow rule'],
    ['an unknown tool', call({ tool: 'frobnicate' }), 'require -'],
    ['an MCP tool', call({ tool: 'mcp__x__y' }), 'require -'],
  ])('%s', (_name, facts, expected) => {
    expect(verdictOf(facts)).toBe(expected);
  });

  it('keeps secrets closed to a group that allows everything', () => {
    const open = [...seeded, rule({ group_id: 'open', tool_pattern: '*', action: 'allow' })];
    expect(decide(reading('secrets/key'), session({ groupId: 'open' }), policy(open), NOW)).toMatchObject({ verdict: 'deny', cause: 'floor' });
    expect(decide(writing('src/a'), session({ groupId: 'open' }), policy(open), NOW)).toMatchObject({ verdict: 'allow', cause: 'rule' });
  });
});
