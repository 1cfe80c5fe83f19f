// One rule as a form, in its place in the list, with what it would have changed in the last week before it is saved.

import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ReplayChange, Rule } from '../../../shared/model';
import type { RuleDraft } from '../../../shared/schemas';
import { ACTIONS, type VerdictKind } from '../../../shared/terms';
import { useCommand } from '../../command';
import { errorText } from '../../context-form';
import { useUnsaved } from '../../guard';
import { newRuleForm, type RuleForm, ruleSchema, ruleToForm, withDraft } from '../../rule-form';
import { ACTION_WORDS } from '../../rule-words';
import { invoke } from '../../store';
import { Button, FailureNote, Field } from '../controls';

const TOOLS = ['@fs_read', '@fs_write', '@fs_any', '@exec', '@net', '@mcp', 'external_directory', '*'];

export function RuleEditor({
  groupId,
  rule,
  rules,
  onDone,
}: {
  readonly groupId: string;
  /** Null: a new one. */
  readonly rule: Rule | null;
  readonly rules: readonly Rule[];
  onDone(): void;
}) {
  const toolsId = useId();
  const { run, failure, forget, blocked } = useCommand();
  const schema = useMemo(() => ruleSchema(groupId), [groupId]);
  const { register, handleSubmit, setError, getValues, watch, formState } = useForm<RuleForm, unknown, RuleDraft>({
    resolver: zodResolver(schema),
    defaultValues: rule === null ? newRuleForm(rules) : ruleToForm(rule),
  });
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = formState;
  useUnsaved(rule === null ? 'the new rule' : 'the rule', isDirty && !isSubmitting && !isSubmitSuccessful);
  const [replay, setReplay] = useState<{ readonly items: readonly ReplayChange[]; readonly compared: number } | null>(null);
  const action = watch('action');

  const submit = handleSubmit(async (draft) => {
    const result = rule === null ? await run('rule.create', draft) : await run('rule.update', { ...draft, enabled: rule.enabled, id: rule.id });
    if (result.ok) return onDone();
    const { subject, message } = result.failure;
    if (typeof subject === 'string' && subject in getValues()) {
      forget();
      setError(subject as keyof RuleForm, { message: message.replaceAll('`', '') });
    }
  });
  const tryOut = handleSubmit(async (draft) => {
    setReplay(null);
    const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const result = await invoke('replay', { group_id: groupId, draft_rules: [...withDraft(rules, draft, rule?.id ?? null)], since });
    if (result.ok) setReplay(result.value);
  });
  const text = (
    name: 'tool_pattern' | 'path_pattern' | 'command_pattern' | 'agent' | 'source' | 'priority' | 'note' | 'reason',
    label: string,
    hint: string,
    isCode = false,
  ) => (
    <Field label={label} hint={hint} error={errorText(errors[name])}>
      {(bind) => (
        <input
          {...bind}
          {...register(name)}
          className={`field ${isCode ? 'font-mono' : ''}`}
          spellCheck={!isCode}
          autoComplete="off"
          {...(name === 'tool_pattern' ? { list: toolsId } : {})}
        />
      )}
    </Field>
  );
  return (
    <form
      onSubmit={submit}
      aria-label={rule === null ? 'New rule' : 'Edit rule'}
      noValidate
      className="grid gap-4 rounded-md border border-line bg-panel p-3"
    >
      <datalist id={toolsId}>
        {TOOLS.map((tool) => (
          <option key={tool} value={tool} />
        ))}
      </datalist>
      <div className="grid gap-4 wide:grid-cols-2 roomy:grid-cols-3">
        <Field label="Effect" error={errorText(errors.action)}>
          {(bind) => (
            <select {...bind} {...register('action')} className="field">
              {ACTIONS.map((one) => (
                <option key={one} value={one}>
                  {ACTION_WORDS[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {text('tool_pattern', 'Tool', 'A name, a pattern with *, or a class such as @exec.', true)}
        {text('command_pattern', 'Command', 'Such as npm test, or git * for git with anything. Empty is any.', true)}
        {text('path_pattern', 'Path', 'src/* is the folder and all below it, and never src2. Empty is any.', true)}
        {text('agent', 'Agent', 'Such as claude-code. Empty is any.', true)}
        {text('source', 'Source', 'Such as cron. Empty is any.', true)}
        {text('priority', 'Priority', 'Lower is tried earlier.')}
        <Field label="Expires" hint="Empty is never." error={errorText(errors.expires_at)}>
          {(bind) => <input {...bind} {...register('expires_at')} type="datetime-local" className="field" />}
        </Field>
        {text('note', 'Note', 'For you: why it is there.')}
        {action === 'deny' ? text('reason', 'Reason', 'What the agent is told when this denies.') : null}
      </div>
      {action === 'allow' ? null : (
        <label className="flex min-h-7 items-start gap-2">
          <input type="checkbox" className="mt-0.5" {...register('hard')} />
          <span>
            Hard
            <span className="block text-quiet">
              {action === 'deny' ? 'Nothing can outvote it: no rule before it, no answer, no mode.' : 'Nothing can relax it: it is asked each time.'}
            </span>
          </span>
        </label>
      )}
      <FailureNote failure={failure} />
      {replay === null ? null : <Replay {...replay} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="solid" blocked={blocked}>
          {isSubmitting ? 'Saving' : rule === null ? 'Add rule' : 'Save rule'}
        </Button>
        <Button blocked={blocked} onClick={() => void tryOut()}>
          Replay the last 7 days
        </Button>
        <Button onClick={onDone}>{rule === null ? 'Add nothing' : 'Leave it as it is'}</Button>
      </div>
    </form>
  );
}

const VERDICT_WORDS: Readonly<Record<VerdictKind, string>> = { allow: 'allow', deny: 'deny', require: 'ask', stage: 'stage' };
const STRICTNESS: readonly VerdictKind[] = ['allow', 'stage', 'require', 'deny'];

/** What would change, the looser apart from the stricter, each call named. */
function Replay({ items, compared }: { readonly items: readonly ReplayChange[]; readonly compared: number }) {
  const isLooser = (one: ReplayChange): boolean => STRICTNESS.indexOf(one.after) < STRICTNESS.indexOf(one.before);
  const parts = [
    { title: 'Looser', changes: items.filter(isLooser) },
    { title: 'Stricter', changes: items.filter((one) => !isLooser(one)) },
  ];
  return (
    <section aria-label="Replay" className="grid gap-2 rounded-md bg-sunk p-3">
      <p role="status">
        {compared === 0
          ? 'There are no calls of the last 7 days to compare.'
          : `${(compared - items.length).toLocaleString('en')} of ${compared.toLocaleString('en')} calls stay as they were${items.length === 0 ? '.' : ', these change:'}`}
      </p>
      {parts.map(({ title, changes }) =>
        changes.length === 0 ? null : (
          <div key={title}>
            <h4 className="text-quiet">
              {title}, {changes.length}
            </h4>
            <ul aria-label={title}>
              {changes.map((one) => (
                <li key={one.request_id} className="flex gap-3">
                  <span className="w-28 shrink-0 text-quiet">
                    {VERDICT_WORDS[one.before]} → {VERDICT_WORDS[one.after]}
                  </span>
                  <code className="min-w-0 wrap-anywhere">{one.text}</code>
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </section>
  );
}
