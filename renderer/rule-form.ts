// A rule as the values of a form and back, and where a new one goes. Pure. An empty text is "any".

import { z } from 'zod';
import type { Rule } from '../shared/model';
import { type RuleDraft, ruleDraftSchema } from '../shared/schemas';
import { ACTIONS, type Action } from '../shared/terms';
import { inOrder } from './rule-words';

export interface RuleForm {
  readonly action: Action;
  readonly tool_pattern: string;
  readonly path_pattern: string;
  readonly command_pattern: string;
  readonly agent: string;
  readonly source: string;
  readonly priority: string;
  readonly hard: boolean;
  readonly note: string;
  readonly reason: string;
  /** As a field of local date and time has it; empty is never. */
  readonly expires_at: string;
}

export function newRuleForm(rules: readonly Rule[]): RuleForm {
  return {
    action: ACTIONS[0],
    tool_pattern: '',
    path_pattern: '',
    command_pattern: '',
    agent: '',
    source: '',
    priority: String(placeForNew(rules)),
    hard: false,
    note: '',
    reason: '',
    expires_at: '',
  };
}

/** Before the first rule that asks: below it a new one would not be reached. */
export function placeForNew(rules: readonly Rule[]): number {
  const asks = inOrder(rules).find((rule) => rule.action === 'require' && rule.enabled);
  return asks === undefined ? 100 : Math.min(100, asks.priority - 1);
}

export function ruleToForm(rule: Rule): RuleForm {
  return {
    action: rule.action,
    tool_pattern: rule.tool_pattern,
    path_pattern: rule.path_pattern ?? '',
    command_pattern: rule.command_pattern ?? '',
    agent: rule.agent ?? '',
    source: rule.source ?? '',
    priority: String(rule.priority),
    hard: rule.hard,
    note: rule.note,
    reason: rule.reason,
    expires_at: rule.expires_at === null ? '' : localTime(rule.expires_at),
  };
}

export function formToRule(form: RuleForm, groupId: string): Record<string, unknown> {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const { priority, expires_at, ...rest } = form;
  const at = new Date(expires_at);
  return {
    ...rest,
    group_id: groupId,
    tool_pattern: form.tool_pattern.trim(),
    path_pattern: orNull(form.path_pattern),
    command_pattern: orNull(form.command_pattern),
    agent: orNull(form.agent),
    source: orNull(form.source),
    priority: priority.trim() === '' ? Number.NaN : Number(priority),
    expires_at: expires_at === '' ? null : Number.isNaN(at.getTime()) ? expires_at : at.toISOString(),
  };
}

/** The form through the schema of the command itself. */
export const ruleSchema = (groupId: string) =>
  z
    .custom<RuleForm>((value) => typeof value === 'object' && value !== null)
    .transform((form) => formToRule(form, groupId))
    .pipe(ruleDraftSchema as unknown as z.ZodType<RuleDraft, Record<string, unknown>>);

/** A rule that there is, as a draft. */
export function draftOf(rule: Rule): RuleDraft {
  const { id: _id, created_at: _at, created_by: _by, hits: _hits, last_hit_at: _last, ...draft } = rule;
  return draft;
}

/** The rules of a group as they would be with this draft: in place of one of them, or beside them. */
export const withDraft = (rules: readonly Rule[], draft: RuleDraft, replacedId: string | null): readonly RuleDraft[] => [
  ...rules.filter((rule) => rule.id !== replacedId).map(draftOf),
  draft,
];

function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
