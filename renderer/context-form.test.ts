import { describe, expect, it } from 'vitest';
import type { RunContext } from '../shared/model';
import { fromForm, NOTHING, toForm } from './context-form';

describe('a run context as a form', () => {
  it.each<[string, RunContext | null]>([
    ['nothing', null],
    ['lists and words', { security_group: 'careful', allow_fs_writes: ['src', 'docs'], permission_mode: 'guarded', phase: 'plan' }],
    ['a list that is set to nothing', { allow_fs_writes: [] }],
    ['fragments of instructions', { system_prompt: ['First.', 'Second.\n\nWith a blank line.'] }],
    ['what the form does not show', { budget: { max_turns: 3 }, mail: 'hold', hooks: [{ event: 'pre_tool', command: 'check' }] }],
  ])('keeps %s when it is saved untouched', (_what, context) => {
    expect(fromForm(toForm(context), context)).toEqual(context);
  });

  it('tells an empty field, which inherits, from a list that is set to nothing', () => {
    const form = toForm(null);
    expect(fromForm({ ...form, allow_fs_writes: '' }, null)).toBeNull();
    expect(fromForm({ ...form, allow_fs_writes: NOTHING }, null)).toEqual({ allow_fs_writes: [] });
  });

  it('takes one entry a line and drops blanks', () => {
    expect(fromForm({ ...toForm(null), allow_fs_reads: ' src \n\n  docs' }, null)).toEqual({ allow_fs_reads: ['src', 'docs'] });
  });

  it('clears a field that was emptied', () => {
    const before: RunContext = { security_group: 'careful', mail: 'hold' };
    expect(fromForm({ ...toForm(before), security_group: '' }, before)).toEqual({ mail: 'hold' });
  });
});
