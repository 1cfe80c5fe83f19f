// A run context as text fields and back. Pure. A blank field means "not set here"; fields that the form does not show are
// carried over as they were, so that saving never loses them.

import { z } from 'zod';
import type { RunContext } from '../shared/model';
import { MODES, PHASES } from '../shared/terms';

const text = z.string();
export const contextForm = z.object({
  security_group: text,
  permission_mode: z.enum(['', ...MODES]),
  phase: z.enum(['', ...PHASES]),
  working_directory: text.max(8192, 'is too long'),
  system_prompt: text.max(100_000, 'is too long'),
  allow_fs_writes: text,
  allow_fs_reads: text,
  withheld: text,
  outbox: text,
});
export type ContextForm = z.output<typeof contextForm>;

/** The word in a list field for a list that is set, and empty. */
export const NOTHING = '(nothing)';

export function toForm(context: RunContext | null): ContextForm {
  const list = (items: readonly string[] | null | undefined): string =>
    items === null || items === undefined ? '' : items.length === 0 ? NOTHING : items.join('\n');
  return {
    security_group: context?.security_group ?? '',
    permission_mode: context?.permission_mode ?? '',
    phase: context?.phase ?? '',
    working_directory: context?.working_directory ?? '',
    system_prompt: (context?.system_prompt ?? []).join('\n\n'),
    allow_fs_writes: list(context?.allow_fs_writes),
    allow_fs_reads: list(context?.allow_fs_reads),
    withheld: list(context?.withheld),
    outbox: list(context?.outbox),
  };
}

/** Null when nothing is set: the layer is cleared. */
export function fromForm(form: ContextForm, before: RunContext | null): RunContext | null {
  const orNull = <T extends string>(value: T | ''): T | null => (value === '' ? null : value);
  const context: RunContext = {
    ...before,
    security_group: orNull(form.security_group),
    permission_mode: orNull(form.permission_mode),
    phase: orNull(form.phase),
    working_directory: orNull(form.working_directory.trim()),
    // Fragments are joined by a blank line on screen; text that was not touched stays in its fragments.
    system_prompt:
      form.system_prompt === toForm(before).system_prompt
        ? (before?.system_prompt ?? null)
        : form.system_prompt.trim() === ''
          ? null
          : [form.system_prompt],
    allow_fs_writes: linesOf(form.allow_fs_writes),
    allow_fs_reads: linesOf(form.allow_fs_reads),
    withheld: linesOf(form.withheld),
    outbox: linesOf(form.outbox),
  };
  const set = Object.entries(context).filter(([, value]) => value !== null && value !== undefined);
  return set.length === 0 ? null : (Object.fromEntries(set) as RunContext);
}

function linesOf(text: string): string[] | null {
  if (text.trim() === NOTHING) return [];
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return lines.length === 0 ? null : lines;
}
