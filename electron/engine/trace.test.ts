import { describe, expect, it } from 'vitest';
import { decide } from './decide';
import type { CallFacts, Ruling, SessionFacts } from './facts';
import type { Outcomes } from './judge';
import { call, grant, NOW, policy, reading, redirect, rule, running, session, unit, writing } from './samples';
import { clip } from './trace';

const rulingOf = (
  facts: CallFacts,
  fields: Partial<SessionFacts> = {},
  rules: readonly Parameters<typeof rule>[0][] = [],
  outcomes: Outcomes = {},
): Ruling => decide(facts, session(fields), policy(rules.map(rule)), NOW, outcomes);
const steps = (ruling: Ruling): readonly string[] =>
  ruling.trace.map(({ step, check, outcome }) => `${step}${check === undefined ? '' : `.${check}`} ${outcome}`);
const early = ['1 pass', '2 pass', '3 pass', '4 pass', '5 pass', '6 pass'];

describe('the trace (spec 4)', () => {
  it.each<[string, Ruling, readonly string[]]>([
    ['allowed by a rule', rulingOf(writing('a'), {}, [{ tool_pattern: 'Write', action: 'allow' }]), [...early, '7.0 allow', '8 pass', '9 pass']],
    ['allowed by a relaxer', rulingOf(reading('a')), [...early, '7.0 require', '8 pass', '9 pass', '10.0 allow']],
    ['asked', rulingOf(running(['ls'])), [...early, '7.0 require', '8 pass', '9 pass', '10.0 require', '11 pass', '12 require']],
    ['denied by a rule', rulingOf(writing('a'), {}, [{ tool_pattern: 'Write', action: 'deny' }]), [...early, '7.0 deny']],
    ['cancelled', rulingOf(reading('a'), { cancelled: true }), ['1 deny']],
    ['planning', rulingOf(writing('a'), { phase: 'plan' }), ['1 pass', '2 deny']],
    ['withheld', rulingOf(writing('a'), { withheld: ['Write'] }), ['1 pass', '2 pass', '3 deny']],
    ['a floor', rulingOf(reading('.ssh/x')), ['1 pass', '2 pass', '3 pass', '4 deny']],
    ['a mode', rulingOf(writing('a'), { mode: 'read-only' }), ['1 pass', '2 pass', '3 pass', '4 pass', '5 pass', '6 deny']],
    [
      'hooks that were not run',
      rulingOf(running(['ls']), { hasPreToolHook: true }),
      [...early, '7.0 require', '8 skipped', '9 pass', '10.0 require', '11 pass', '12 require'],
    ],
    [
      'a reviewer that was not asked',
      rulingOf(running(['ls']), { hasReviewer: true }),
      [...early, '7.0 require', '8 pass', '9 pass', '10.0 require', '11 skipped', '12 require'],
    ],
    [
      'a reviewer that allowed',
      rulingOf(running(['ls']), { hasReviewer: true }, [], { reviewer: { outcome: 'allow', reason: '' } }),
      [...early, '7.0 require', '8 pass', '9 pass', '10.0 require', '11 allow'],
    ],
    ['staged', rulingOf(call({ tool: 'send' }), { outbox: ['send'] }), [...early, '7.0 require', '8 pass', '9 stage']],
    [
      'two checks of which one is relaxed',
      rulingOf(running(['npm test'], [redirect('out')]), { mode: 'guarded' }),
      [...early, '7.0 require', '7.1 require', '8 pass', '9 pass', '10.0 require', '10.1 allow', '11 pass', '12 require'],
    ],
  ])('%s', (_name, ruling, expected) => {
    expect(steps(ruling)).toEqual(expected);
  });

  it('says what was compared, and with which rule or answer', () => {
    const allowed = rulingOf(writing('src/a.ts'), {}, [{ id: 'r7', tool_pattern: '@fs_write', path_pattern: 'src/*', action: 'allow' }]);
    const rules = allowed.trace.find((step) => step.step === 7);
    expect(rules).toMatchObject({ name: 'rules', rule_id: 'r7', cause: 'rule' });
    expect(rules?.compared).toContain('src/a.ts against @fs_write `src/*` of `default`: match, allow');
    const given = grant({ surface: 'Bash', pattern: 'npm *', match: 'wildcard' });
    const relaxed = rulingOf(running(['npm test']), { grants: [given] }).trace.find((step) => step.step === 10);
    expect(relaxed).toMatchObject({ outcome: 'allow', cause: 'session_rule', grant_id: given.id });
    expect(relaxed?.compared).toContain('Bash npm test against the remembered answer Bash `npm *`');
  });

  it('says so where no rule matches, in which groups', () => {
    expect(rulingOf(writing('a'), { groupId: 'team' }).trace.find((step) => step.step === 7)?.compared).toContain(
      'no rule of `team` or of `default` matches',
    );
  });

  it('explains a hard require that a rule would have allowed', () => {
    const opaque = rulingOf(running([unit('eval $X', { opaque: true })]), {}, [{ tool_pattern: 'Bash', action: 'allow' }]);
    expect(opaque.trace.find((step) => step.step === 7)?.compared).toContain('opaque');
    expect(opaque.trace.find((step) => step.step === 10)?.compared).toContain('a hard require is not relaxed');
  });

  it('names ceilings with what is used', () => {
    expect(rulingOf(reading('a'), { budget: [{ ceiling: 'max_turns', limit: 9, used: 2 }] }).trace[0]?.compared).toContain('max_turns 2 of 9');
  });

  it('stays readable with a value of a million characters', () => {
    const ruling = rulingOf(running([`echo ${'x'.repeat(1_000_000)}`]));
    for (const step of ruling.trace) expect(step.compared.length).toBeLessThan(1000);
  });

  it('is part of the ruling as JSON', () => {
    const ruling = rulingOf(reading('a'));
    expect(JSON.parse(JSON.stringify(ruling))).toEqual({
      verdict: ruling.verdict,
      hard: ruling.hard,
      cause: ruling.cause,
      ruleId: ruling.ruleId,
      matchedRuleIds: ruling.matchedRuleIds,
      message: ruling.message,
      checks: ruling.checks,
      trace: ruling.trace,
      exclude: ruling.exclude,
    });
  });
});

describe('clip', () => {
  it('leaves short text alone and keeps both ends of long text', () => {
    expect(clip('short')).toBe('short');
    const cut = clip(`begin${'-'.repeat(1000)}end`);
    expect(cut).toMatch(/^begin-+…-+end$/);
    expect(cut.length).toBeLessThanOrEqual(300);
  });
});
