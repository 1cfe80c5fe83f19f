import { describe, expect, it } from 'vitest';
import type { TraceStep } from '../shared/model';
import { justBefore, reasonsOf } from './reasons';
import { groupSample, requestSample, ruleSample, settledSample } from './testing/samples';

const policy = {
  groups: new Map([['careful', groupSample({ id: 'careful', name: 'Careful' })]]),
  rules: new Map(
    [
      ruleSample({ id: 'r1', group_id: 'careful', priority: 10, action: 'allow' }),
      ruleSample({ id: 'r2', group_id: 'careful', priority: 20, note: 'Edits ask' }),
      ruleSample({ id: 'r3', group_id: 'careful', priority: 30, tool_pattern: '@exec', command_pattern: 'git *' }),
    ].map((rule) => [rule.id, rule]),
  ),
};
const asked = (over: Partial<TraceStep>): TraceStep => ({ step: 7, name: 'rules', outcome: 'require', compared: 'x', ...over });

describe('why a person is asked', () => {
  it('names the rule by its place in the list, and says its note', () => {
    expect(reasonsOf([asked({ rule_id: 'r2', check: 0 })], policy)).toEqual([
      { rule: { id: 'r2', groupId: 'careful', label: 'Group Careful, rule 2' }, text: 'Edits ask', parts: 1 },
    ]);
  });

  it('says a rule itself where it has no note', () => {
    expect(reasonsOf([asked({ rule_id: 'r3' })], policy)[0]?.text).toBe('@exec git *: Ask');
  });

  it('says each reason once, with how many parts it asks about', () => {
    const steps = [
      asked({ rule_id: 'r2', check: 0 }),
      asked({ rule_id: 'r2', check: 1 }),
      asked({ check: 2, compared: 'external_directory /x: no rule matches, require' }),
    ];
    expect(reasonsOf(steps, policy).map(({ parts }) => parts)).toEqual([2, 1]);
  });

  it('leaves out what was relaxed afterwards', () => {
    const steps = [asked({ rule_id: 'r2', check: 0 }), asked({ rule_id: 'r3', check: 1 }), asked({ step: 10, outcome: 'allow', check: 0 })];
    expect(reasonsOf(steps, policy).map(({ rule }) => rule?.id)).toEqual(['r3']);
  });

  it.each([
    ['Bash eval x is opaque: only an allow with exactly this text can allow it, require (hard)', 'cannot be read beforehand'],
    ['Read /x cannot be resolved, require (hard)', 'cannot be resolved'],
    ['Write /x is a protected setting (git_hooks), require (hard)', 'git_hooks'],
  ])('says what no rule can relax: %s', (compared, text) => {
    expect(reasonsOf([asked({ rule_id: 'r2', compared })], policy)[0]).toMatchObject({ rule: null, text: expect.stringContaining(text) });
  });

  it('says that a hook asked, and that a reviewer was not sure', () => {
    const steps = [
      asked({ step: 8, name: 'hooks', compared: 'check.sh: require, not today' }),
      asked({ step: 11, outcome: 'pass', compared: 'the reviewer is not sure: unclear' }),
    ];
    expect(reasonsOf(steps, policy).map(({ text }) => text)).toEqual([
      'A hook asks: check.sh: require, not today.',
      'The reviewer is not sure: unclear.',
    ]);
  });

  it('has something to say about an empty trace', () => {
    expect(reasonsOf([], policy)).toHaveLength(1);
  });
});

describe('what was just before', () => {
  it('is what the same session did until then', () => {
    const recent = [
      settledSample({ id: 'later', created_at: '2026-12-01T11:00:00.000Z' }),
      settledSample({ id: 'other', session_id: 's2' }),
      settledSample({ id: 'before', created_at: '2026-12-01T09:00:00.000Z' }),
    ];
    expect(justBefore(recent, requestSample(), 3).map(({ id }) => id)).toEqual(['before']);
  });
});
