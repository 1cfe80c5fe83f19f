// A run context as the values of a form and back. Pure. A field is null while it is not set here and inherits; an empty list
// is a list that is set to nothing. What is not touched is carried over as it was.

import { z } from 'zod';
import type { Budget, Hook, RunContext, RunContextField } from '../shared/model';
import { runContextSchema } from '../shared/schemas';
import { BUDGET_CEILINGS, type BudgetCeiling, HOOK_EVENTS } from '../shared/terms';

export interface HookForm {
  readonly event: Hook['event'];
  readonly command: string;
  /** Patterns with commas between them; empty is every tool. */
  readonly tools: string;
  readonly timeout_s: string;
}
type TextField = Exclude<RunContextField, 'budget' | 'hooks'>;
/** Lists are one entry a line; numbers are text until they are checked. */
export type ContextForm = { [field in TextField]: string | null } & {
  budget: Record<BudgetCeiling, string> | null;
  hooks: HookForm[] | null;
};

const LISTS = ['allow_fs_writes', 'allow_fs_reads', 'withheld', 'outbox'] as const;
const WORDS = ['security_group', 'permission_mode', 'phase', 'working_directory', 'mail'] as const;

export const NEW_HOOK: HookForm = { event: HOOK_EVENTS[0], command: '', tools: '', timeout_s: '' };

export function toForm(context: RunContext | null): ContextForm {
  const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
  const lines = (items: readonly string[] | null | undefined): string | null => (items ?? null)?.join('\n') ?? null;
  const budget = context?.budget ?? null;
  return {
    security_group: text(context?.security_group),
    permission_mode: text(context?.permission_mode),
    phase: text(context?.phase),
    working_directory: text(context?.working_directory),
    mail: text(context?.mail),
    compact_at_tokens: text(context?.compact_at_tokens),
    homeostat: text(context?.homeostat),
    system_prompt: promptText(context),
    allow_fs_writes: lines(context?.allow_fs_writes),
    allow_fs_reads: lines(context?.allow_fs_reads),
    withheld: lines(context?.withheld),
    outbox: lines(context?.outbox),
    budget:
      budget === null ? null : (Object.fromEntries(BUDGET_CEILINGS.map((name) => [name, text(budget[name]) ?? ''])) as Record<BudgetCeiling, string>),
    hooks:
      context?.hooks?.map((hook) => ({
        event: hook.event,
        command: hook.command,
        tools: (hook.tools ?? []).join(', '),
        timeout_s: text(hook.timeout_s) ?? '',
      })) ?? null,
  };
}

const promptText = (context: RunContext | null): string | null => context?.system_prompt?.join('\n\n') ?? null;

/** Null when nothing is set: the layer is cleared. What is no number stays text, for the schema to say so. */
export function fromForm(form: ContextForm, before: RunContext | null): RunContext | null {
  const set: Record<string, unknown> = {};
  for (const name of WORDS) if (form[name] !== null) set[name] = form[name]?.trim();
  for (const name of LISTS) if (form[name] !== null) set[name] = linesOf(form[name] ?? '');
  // Fragments are joined by a blank line on screen; text that was not touched stays in its fragments.
  if (form.system_prompt !== null)
    set.system_prompt =
      form.system_prompt === promptText(before) ? before?.system_prompt : form.system_prompt.trim() === '' ? [] : [form.system_prompt];
  if (form.compact_at_tokens !== null) set.compact_at_tokens = numberOf(form.compact_at_tokens);
  if (form.homeostat !== null) set.homeostat = form.homeostat === 'true';
  if (form.budget !== null) set.budget = budgetOf(form.budget);
  if (form.hooks !== null) set.hooks = form.hooks.map(hookOf);
  return Object.keys(set).length === 0 ? null : (set as RunContext);
}

const linesOf = (text: string): readonly string[] => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

const numberOf = (text: string): number | string => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));

function budgetOf(form: Record<BudgetCeiling, string>): Budget {
  const set = BUDGET_CEILINGS.flatMap((name) => ((form[name] ?? '').trim() === '' ? [] : [[name, numberOf(form[name])]]));
  return Object.fromEntries(set) as Budget;
}

function hookOf({ event, command, tools, timeout_s }: HookForm): Hook {
  const patterns = tools.split(',').flatMap((tool) => (tool.trim() === '' ? [] : [tool.trim()]));
  return {
    event,
    command,
    ...(patterns.length === 0 ? {} : { tools: patterns }),
    ...(timeout_s.trim() === '' ? {} : { timeout_s: numberOf(timeout_s) as number }),
  };
}

/** The form through the schema of the command itself. `before`: what the layer has now. */
export const contextSchema = (before: RunContext | null) =>
  z
    .custom<ContextForm>((value) => typeof value === 'object' && value !== null)
    .transform((form) => fromForm(form, before) ?? {})
    .pipe(runContextSchema);

/**
 * The first thing that is wrong in what a form library keeps for a field, with the line or part it is about; undefined when
 * nothing is.
 */
export function errorText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string' && error.message !== '') return plainError(error.message);
  for (const [part, inner] of Object.entries(error)) {
    const text = part === 'ref' || part === 'root' ? undefined : errorText(inner);
    if (text !== undefined) return /^\d+$/.test(part) ? `Line ${Number(part) + 1}: ${text}` : part in CEILINGS ? `${CEILINGS[part]}: ${text}` : text;
  }
  return undefined;
}

const CEILINGS: Readonly<Record<string, string>> = {
  max_turns: 'Turns',
  max_tool_calls: 'Tool calls',
  max_output_tokens: 'Output tokens',
  max_cost_usd: 'Cost',
  max_wall_s: 'Time',
};

/** The schema speaks of types; a person types text. */
function plainError(message: string): string {
  if (/expected number/.test(message)) return 'must be a number';
  if (/^Too small: expected number to be >=?0/.test(message)) return 'must not be below zero';
  return message;
}
