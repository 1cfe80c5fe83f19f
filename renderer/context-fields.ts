// The fields of a run context as a person meets them: their names, what they mean, how a value reads, and whom a change
// reaches. Pure.

import type { ContextLayer, EffectiveContext, RunContext, RunContextField, SessionView } from '../shared/model';
import { BUDGET_CEILINGS, type BudgetCeiling, type MailPolicy, type Mode, type Phase } from '../shared/terms';

export interface ContextFieldWords {
  readonly name: RunContextField;
  readonly label: string;
  readonly help: string;
}
export interface ContextPart {
  readonly title: string;
  readonly fields: readonly ContextFieldWords[];
}

/** In the order in which they are looked for: what is allowed, where, what is said, how far. */
export const CONTEXT_PARTS: readonly ContextPart[] = [
  {
    title: 'Permissions',
    fields: [
      { name: 'security_group', label: 'Permission group', help: 'Its rules are tried first, then those of default.' },
      { name: 'permission_mode', label: 'Permission mode', help: 'How far the session may go without a question.' },
      { name: 'phase', label: 'Phase', help: 'In plan, only calls that read and search pass.' },
      { name: 'withheld', label: 'Withheld tools', help: 'Tool names, one per line. They are hidden and denied.' },
    ],
  },
  {
    title: 'Files',
    fields: [
      { name: 'working_directory', label: 'Working directory', help: 'Relative paths start here. Reads in it ask nothing.' },
      { name: 'allow_fs_writes', label: 'Write without asking', help: 'Directories or files, one per line. What can be written can be read.' },
      { name: 'allow_fs_reads', label: 'Read without asking', help: 'Directories or files, one per line.' },
    ],
  },
  {
    title: 'Instructions and limits',
    fields: [
      { name: 'system_prompt', label: 'Instructions', help: 'Given to agents that have a place for them.' },
      { name: 'budget', label: 'Budget', help: 'At a ceiling every call is denied, and the ceiling is named.' },
      { name: 'compact_at_tokens', label: 'Compact at', help: 'Tokens, handed to agents that can use it.' },
    ],
  },
  {
    title: 'Run controls',
    fields: [
      { name: 'outbox', label: 'Outbox', help: 'Tool patterns, one per line. Their calls are drafted and wait for release.' },
      { name: 'hooks', label: 'Hooks', help: 'Commands that look at calls before or after they run. They can deny, never allow.' },
      { name: 'mail', label: 'Mail', help: 'Messages from other sessions.' },
      { name: 'homeostat', label: 'Machine load', help: 'Sampled when a run begins and kept with it.' },
    ],
  },
];
export const CONTEXT_FIELDS: readonly ContextFieldWords[] = CONTEXT_PARTS.flatMap((part) => part.fields);

export const fieldLabel = (name: RunContextField): string => CONTEXT_FIELDS.find((field) => field.name === name)?.label ?? name;

export const LAYER_WORDS: Readonly<Record<ContextLayer | 'none', string>> = {
  session: 'session',
  ticket: 'ticket',
  project: 'project',
  agent_default: 'agent default',
  source_default: 'source default',
  parent: 'parent session',
  none: 'built-in',
};

export const CEILING_WORDS: Readonly<Record<BudgetCeiling, { readonly label: string; readonly unit: string }>> = {
  max_turns: { label: 'Turns', unit: 'turns' },
  max_tool_calls: { label: 'Tool calls', unit: 'tool calls' },
  max_output_tokens: { label: 'Output tokens', unit: 'output tokens' },
  max_cost_usd: { label: 'Cost in USD', unit: 'USD' },
  max_wall_s: { label: 'Time in seconds', unit: 's' },
};

export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  'read-only': 'Reads in its directories; changes and commands are denied',
  guarded: 'Files in its directories ask nothing; commands go by the rules',
  workspace: 'As guarded, and a reviewer is asked before you are',
  full: 'Nothing is asked but what is hard; floors and hard denies hold',
};
export const PHASE_WORDS: Readonly<Record<Phase, string>> = { plan: 'Only reads and searches pass', execute: 'No restriction' };
export const MAIL_WORDS: Readonly<Record<MailPolicy, string>> = {
  accept: 'Delivered at the next turn',
  hold: 'Kept until you change this',
  refuse: 'Refused, and the sender is told',
};

/** What holds where no layer sets the field. */
export function builtIn(name: RunContextField): string {
  switch (name) {
    case 'security_group':
      return 'default';
    case 'permission_mode':
      return 'unset: rules decide';
    case 'phase':
      return 'execute';
    case 'working_directory':
      return 'root of the session';
    case 'allow_fs_reads':
      return 'working directory, its docs and skills';
    case 'homeostat':
      return 'not sampled';
    case 'mail':
      return 'accept';
    case 'allow_fs_writes':
    case 'system_prompt':
    case 'withheld':
    case 'budget':
    case 'hooks':
    case 'outbox':
    case 'compact_at_tokens':
      return 'none';
  }
}

/** A value as lines; a list that is set and empty says so. `null` is what holds where nothing is set. */
export function valueLines(name: RunContextField, value: unknown): readonly string[] {
  if (value === null || value === undefined) return [builtIn(name)];
  switch (name) {
    case 'budget':
      return ceilingLines(value as RunContext['budget']);
    case 'hooks':
      return orNothing(
        (value as NonNullable<RunContext['hooks']>).map(
          (hook) => `${hook.event}: ${hook.command}${(hook.tools ?? []).length > 0 ? `, for ${hook.tools?.join(', ')}` : ''}`,
        ),
      );
    case 'homeostat':
      return [value === true ? 'sampled' : 'not sampled'];
    case 'compact_at_tokens':
      return [`${Number(value).toLocaleString('en')} tokens`];
    case 'allow_fs_writes':
    case 'allow_fs_reads':
    case 'withheld':
    case 'outbox':
    case 'system_prompt':
      return orNothing((value as readonly string[]).map(String));
    case 'security_group':
    case 'permission_mode':
    case 'phase':
    case 'working_directory':
    case 'mail':
      return [String(value)];
  }
}

const orNothing = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ['nothing'] : lines);

function ceilingLines(budget: RunContext['budget']): readonly string[] {
  const set = BUDGET_CEILINGS.flatMap((ceiling) => {
    const limit = budget?.[ceiling];
    return limit === null || limit === undefined ? [] : [`${limit.toLocaleString('en')} ${CEILING_WORDS[ceiling].unit}`];
  });
  return set.length === 0 ? [builtIn('budget')] : set;
}

/** What a field would be if this layer did not set it: the strongest of what it replaced. */
export function inherited(
  effective: EffectiveContext,
  name: RunContextField,
  layer: ContextLayer,
): { readonly value: unknown; readonly origin: ContextLayer | 'none' } {
  const field = effective.fields[name];
  if (field.origin !== layer) return { value: field.value, origin: field.origin };
  return field.replaced[0] ?? { value: null, origin: 'none' };
}

const STRENGTH: readonly (ContextLayer | 'none')[] = ['none', 'source_default', 'agent_default', 'project', 'ticket', 'session'];

/** Live sessions for which a change of these fields at this layer changes something: those that no stronger layer keeps from it. */
export function reached(
  sessions: Iterable<SessionView>,
  layer: 'project' | 'ticket',
  ownerId: string,
  fields: readonly RunContextField[],
): { readonly changed: readonly SessionView[]; readonly kept: readonly SessionView[] } {
  const bound = [...sessions].filter((one) => one.state !== 'ended' && (layer === 'project' ? one.project_id : one.ticket_id) === ownerId);
  const follows = (one: SessionView): boolean =>
    fields.some((name) => STRENGTH.indexOf(one.effective.fields[name].origin) <= STRENGTH.indexOf(layer));
  return { changed: bound.filter(follows), kept: bound.filter((one) => !follows(one)) };
}
