import { describe, expect, it } from 'vitest';
import type { RunContext } from '../shared/model';
import { type ContextForm, contextSchema, errorText, fromForm, toForm } from './context-form';

const form = (over: Partial<ContextForm>, before: RunContext | null = null): ContextForm => ({ ...toForm(before), ...over });

describe('a run context as a form', () => {
  it.each<[string, RunContext | null]>([
    ['nothing', null],
    ['lists and words', { security_group: 'careful', allow_fs_writes: ['src', 'docs'], permission_mode: 'guarded', phase: 'plan' }],
    ['a list that is set to nothing', { allow_fs_writes: [], hooks: [], system_prompt: [] }],
    ['fragments of instructions', { system_prompt: ['First.', 'Second.\n\nWith a blank line.'] }],
    ['numbers and switches', { budget: { max_turns: 3, max_cost_usd: 0.5 }, compact_at_tokens: 100_000, homeostat: false, mail: 'hold' }],
    [
      'hooks',
      {
        hooks: [
          { event: 'pre_tool', command: 'check', tools: ['Bash', '@net'], timeout_s: 5 },
          { event: 'session_end', command: 'tidy' },
        ],
      },
    ],
  ])('keeps %s when it is saved untouched', (_what, context) => {
    expect(fromForm(toForm(context), context)).toEqual(context);
  });

  it('tells a field that inherits from a list that is set to nothing', () => {
    expect(fromForm(form({ allow_fs_writes: null }), null)).toBeNull();
    expect(fromForm(form({ allow_fs_writes: '' }), null)).toEqual({ allow_fs_writes: [] });
  });

  it('takes one entry a line and drops blanks', () => {
    expect(fromForm(form({ allow_fs_reads: ' src \n\n  docs' }), null)).toEqual({ allow_fs_reads: ['src', 'docs'] });
  });

  it('clears a field that was reset and keeps the others', () => {
    const before: RunContext = { security_group: 'careful', mail: 'hold' };
    expect(fromForm(form({ security_group: null }, before), before)).toEqual({ mail: 'hold' });
  });

  it('makes one fragment of instructions that were written anew', () => {
    const before: RunContext = { system_prompt: ['First.', 'Second.'] };
    expect(fromForm(form({ system_prompt: 'First.\n\nThird.' }, before), before)).toEqual({ system_prompt: ['First.\n\nThird.'] });
  });
});

describe('the schema of the form', () => {
  const schema = contextSchema(null);
  const firstIssue = (over: Partial<ContextForm>) => schema.safeParse(form(over)).error?.issues[0];

  it('is that of the command: what it lets through, the command takes', () => {
    expect(schema.parse(form({ budget: { ...EMPTY, max_turns: '12' }, allow_fs_writes: 'src' }))).toEqual({
      budget: { max_turns: 12 },
      allow_fs_writes: ['src'],
    });
  });

  it.each<[string, Partial<ContextForm>, readonly (string | number)[]]>([
    ['an empty working directory', { working_directory: ' ' }, ['working_directory']],
    ['a ceiling that is no number', { budget: { ...emptyBudget(), max_turns: 'many' } }, ['budget', 'max_turns']],
    ['a ceiling below zero', { budget: { ...emptyBudget(), max_cost_usd: '-1' } }, ['budget', 'max_cost_usd']],
    ['a hook without a command', { hooks: [{ event: 'pre_tool', command: ' ', tools: '', timeout_s: '' }] }, ['hooks', 0, 'command']],
    ['a path that is far too long', { allow_fs_reads: `src\n${'x'.repeat(9_000)}` }, ['allow_fs_reads', 1]],
    ['tokens that are no whole number', { compact_at_tokens: '1.5' }, ['compact_at_tokens']],
  ])('names the field of %s', (_what, over, path) => {
    expect(firstIssue(over)?.path).toEqual(path);
  });
});

const EMPTY = emptyBudget();
function emptyBudget(): NonNullable<ContextForm['budget']> {
  return { max_turns: '', max_tool_calls: '', max_output_tokens: '', max_cost_usd: '', max_wall_s: '' };
}

describe('what is wrong, in words', () => {
  it('names the line or the ceiling', () => {
    expect(errorText([undefined, { message: 'must not be empty' }])).toBe('Line 2: must not be empty');
    expect(errorText({ max_turns: { message: 'Invalid input: expected number, received string' } })).toBe('Turns: must be a number');
    expect(errorText({ message: 'is unknown' })).toBe('is unknown');
    expect(errorText(undefined)).toBeUndefined();
  });
});
