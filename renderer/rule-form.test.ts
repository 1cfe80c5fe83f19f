import { describe, expect, it } from 'vitest';
import { draftOf, formToRule, newRuleForm, placeForNew, ruleSchema, ruleToForm, withDraft } from './rule-form';
import { ruleSample } from './testing/samples';

describe('a rule as a form', () => {
  it('keeps a rule that is saved untouched', () => {
    const rule = ruleSample({
      tool_pattern: '@exec',
      command_pattern: 'npm *',
      agent: 'codex',
      action: 'deny',
      hard: true,
      reason: 'No.',
      expires_at: '2027-01-01T12:30:00.000Z',
    });
    expect(ruleSchema('default').parse(ruleToForm(rule))).toEqual(draftOf(rule));
  });

  it.each([
    ['no tool', { tool_pattern: ' ' }, 'tool_pattern'],
    ['a priority that is no number', { priority: 'first' }, 'priority'],
    ['a priority with a fraction', { priority: '1.5' }, 'priority'],
    ['an end that is no time', { expires_at: 'soon' }, 'expires_at'],
  ])('names the field of %s', (_what, over, field) => {
    const result = ruleSchema('default').safeParse({ ...newRuleForm([]), tool_pattern: 'Bash', ...over });
    expect(result.error?.issues[0]?.path).toEqual([field]);
  });

  it('reads empty texts as any', () => {
    expect(formToRule({ ...newRuleForm([]), tool_pattern: ' Bash ' }, 'careful')).toMatchObject({
      group_id: 'careful',
      tool_pattern: 'Bash',
      path_pattern: null,
      command_pattern: null,
      agent: null,
    });
  });
});

describe('a new rule', () => {
  it('goes before the first that asks, where it can be reached', () => {
    expect(placeForNew([ruleSample({ priority: 5, action: 'allow' }), ruleSample({ id: 'b', priority: 10, action: 'require' })])).toBe(9);
    expect(placeForNew([ruleSample({ priority: 999_999 })])).toBe(100);
    expect(placeForNew([])).toBe(100);
  });

  it('takes the place of the rule it changes when the past is replayed', () => {
    const draft = draftOf(ruleSample({ id: 'x', action: 'deny' }));
    const rules = [ruleSample({ id: 'a' }), ruleSample({ id: 'b' })];
    expect(withDraft(rules, draft, 'a')).toHaveLength(2);
    expect(withDraft(rules, draft, null)).toHaveLength(3);
  });
});
