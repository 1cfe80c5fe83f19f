import { describe, expect, it } from 'vitest';
import { decide } from './decide';
import type { CallFacts, SessionFacts } from './facts';
import { blockedMessage, deniedByPerson, releasedMessage, stagedMessage } from './messages';
import { call, grant, HOME, NOW, pathOf, policy, reading, rule, running, session, writing } from './samples';

const told = (facts: CallFacts, fields: Partial<SessionFacts> = {}, rules: readonly Parameters<typeof rule>[0][] = []): string =>
  decide(facts, session(fields), policy(rules.map(rule)), NOW).message;

describe('what the agent is told on a refusal', () => {
  it.each<[string, CallFacts, Partial<SessionFacts>, readonly Parameters<typeof rule>[0][], readonly string[]]>([
    [
      'a rule',
      running(['npm install']),
      {},
      [{ tool_pattern: 'Bash', action: 'deny', reason: 'Use pnpm here.' }],
      ['Denied by a rule', 'npm install', 'Use pnpm here.', 'another way'],
    ],
    [
      'a hard rule',
      reading('secrets/k'),
      {},
      [{ tool_pattern: '@fs_any', path_pattern: 'secrets/*', action: 'deny', hard: true, reason: 'Closed.' }],
      ['secrets/k', 'Closed.', 'another way'],
    ],
    ['credentials', reading(`${HOME}/.ssh/id`), {}, [], ['.ssh/id', 'credentials']],
    ['our own files', reading(`${HOME}/.config/gatehouse/operator.token`), {}, [], ['operator.token', 'own files']],
    [
      'a path without a place',
      { ...writing('x'), paths: [pathOf('loop/x', 'write', { canonical: null })] },
      {},
      [],
      ['loop/x', 'cannot be resolved'],
    ],
    ['a read-only directory', writing('/ext/a'), { access: [{ path: '/ext', mode: 'read' }] }, [], ['/ext/a', 'only read']],
    ['read-only mode', running(['ls']), { mode: 'read-only' }, [], ['read-only']],
    ['the boundary', reading('/ext/a'), { mode: 'guarded' }, [], ['/ext/a', 'outside the boundary', 'guarded']],
    ['plan', writing('a'), { phase: 'plan' }, [], ['plan phase', 'Write']],
    ['withheld', reading('a'), { withheld: ['Read'] }, [], ['withheld', 'Read']],
    ['cancelled', reading('a'), { cancelled: true }, [], ['cancelled', 'Stop']],
    [
      'budget',
      reading('a'),
      { budget: [{ ceiling: 'max_output_tokens', limit: 1000, used: 1234 }] },
      [],
      ['max_output_tokens', '1234 of 1000', '234 over'],
    ],
    [
      'an earlier denial',
      running(['rm x']),
      { grants: [grant({ surface: 'Bash', pattern: 'rm x', action: 'deny', note: 'use build/' })] },
      [],
      ['a person refused', 'use build/'],
    ],
    ['staged', call({ tool: 'send' }), { outbox: ['send'] }, [], ['Drafted, not sent', 'send']],
    ['nobody there', running(['ls']), { headless: true }, [], ['Blocked', 'nobody is there to ask']],
  ])('%s', (_name, facts, fields, rules, parts) => {
    const message = told(facts, fields, rules);
    for (const part of parts) expect(message).toContain(part);
  });

  it('is nothing for an allow and while a person is asked', () => {
    expect(told(reading('a'))).toBe('');
    expect(told(running(['ls']))).toBe('');
  });

  it('says nothing of a rule that did not decide', () => {
    const rules = [
      { priority: 1, tool_pattern: 'Bash', command_pattern: 'npm install', action: 'allow' },
      { priority: 2, tool_pattern: 'Bash', action: 'deny', reason: 'Use pnpm here.' },
    ] as const;
    expect(told(running(['npm install']), {}, rules)).toBe('');
  });

  it('cuts a value that would fill the screen, and keeps both its ends', () => {
    const message = told(running([`echo ${'x'.repeat(10_000)} end`]), {}, [{ tool_pattern: 'Bash', action: 'deny' }]);
    expect(message.length).toBeLessThan(600);
    expect(message).toContain('echo xx');
    expect(message).toContain('xx end');
  });

  it('names a budget that is exactly used up without an amount over it', () => {
    expect(told(reading('a'), { budget: [{ ceiling: 'max_cost_usd', limit: 0.3, used: 0.1 + 0.2 }] })).toContain('max_cost_usd: 0.3 of 0.3');
  });
});

describe('what the broker tells', () => {
  it('a person’s denial: with a note a correction, verbatim; without one a stop', () => {
    expect(deniedByPerson('wrong file, use build/')).toContain('wrong file, use build/');
    expect(deniedByPerson('wrong file')).toContain('Adapt');
    expect(deniedByPerson(null)).toContain('Stop');
    expect(deniedByPerson('  ')).toContain('Stop');
  });
  it.each(['headless', 'expired', 'withdrawn', 'cancelled', 'fault'] as const)('%s is blocked and never called a refusal', (cause) => {
    const message = blockedMessage(cause);
    expect(message).toMatch(/^Blocked: /);
    expect(message.toLowerCase()).not.toMatch(/den(y|ied)|refus|reject|forbid/);
  });
  it('a draft and its release name the tool', () => {
    expect(stagedMessage('send_mail')).toContain('send_mail');
    expect(releasedMessage('send_mail')).toContain('send_mail');
  });
});
