// The run context of one session, project or ticket as a form: each field with its effective value, where it comes from and
// what it replaced. An empty field is not set here and inherits; a list that is set to nothing says so.

import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import type { ContextOwner } from '../../shared/commands';
import type { Failure } from '../../shared/failure';
import type { ContextLayer, EffectiveContext, RunContext, RunContextField } from '../../shared/model';
import { MODES, PHASES } from '../../shared/terms';
import { type ContextForm, contextForm, fromForm, toForm } from '../context-form';
import { bridge, useProjection } from '../store';
import { Button, FailureNote, Field, INPUT } from './controls';

const LAYER_WORDS: Readonly<Record<ContextLayer | 'none', string>> = {
  session: 'session',
  ticket: 'ticket',
  project: 'project',
  agent_default: 'default of the agent',
  source_default: 'default of the source',
  parent: 'parent session',
  none: 'not set',
};

const LISTS = [
  ['allow_fs_writes', 'Write without asking', 'Directories or files, one per line. Writable implies readable.'],
  ['allow_fs_reads', 'Read without asking', 'Directories or files, one per line.'],
  ['withheld', 'Withheld tools', 'Tool names, one per line. They are hidden and denied.'],
  ['outbox', 'Outbox', 'Tool patterns, one per line. Their calls are drafted and wait for release.'],
] as const;

export function RunContextForm({
  target,
  own,
  layer,
}: {
  readonly target: ContextOwner;
  readonly own: RunContext | null;
  readonly layer: ContextLayer;
}) {
  const groups = useProjection((projection) => projection.groups);
  const [effective, setEffective] = useState<EffectiveContext | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const form = useForm<ContextForm>({ resolver: zodResolver(contextForm), defaultValues: toForm(own) });
  const { register, handleSubmit, reset, setError, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const targetKey = JSON.stringify(target);
  const ownKey = JSON.stringify(own);
  useEffect(() => {
    reset(toForm(own));
    let isCurrent = true;
    void bridge.invoke('run_context.effective', { target }).then((result) => {
      if (isCurrent && result.ok) setEffective(result.value);
    });
    return () => {
      isCurrent = false;
    };
  }, [targetKey, ownKey, reset]);

  const save = handleSubmit(async (values) => {
    setFailure(null);
    const result = await bridge.invoke('run_context.set', { target, run_context: fromForm(values, own) });
    if (result.ok) {
      setEffective(result.value);
      toast.success('Run context saved. It holds from the next call on.');
      return;
    }
    const field = typeof result.failure.subject === 'string' ? result.failure.subject.split('.').find((part) => part in values) : undefined;
    if (field === undefined) setFailure(result.failure);
    else setError(field as keyof ContextForm, { message: result.failure.message });
  });

  const origin = (field: RunContextField) => (effective === null ? null : <Origin field={effective.fields[field]} layer={layer} />);
  const described = (field: keyof ContextForm) => (errors[field] ? `${field}-error` : `${field}-hint`);

  return (
    <form onSubmit={save} className="grid gap-4" aria-label="Run context" noValidate>
      <Field id="security_group" label="Permission group" error={errors.security_group?.message} hint={origin('security_group')}>
        <select
          id="security_group"
          className={INPUT}
          aria-invalid={!!errors.security_group}
          aria-describedby={described('security_group')}
          {...register('security_group')}
        >
          <option value="">Inherit</option>
          {[...groups.values()].map((group) => (
            <option key={group.id} value={group.id}>
              {group.name}
            </option>
          ))}
        </select>
      </Field>
      <Field id="permission_mode" label="Permission mode" error={errors.permission_mode?.message} hint={origin('permission_mode')}>
        <select id="permission_mode" className={INPUT} aria-describedby={described('permission_mode')} {...register('permission_mode')}>
          <option value="">Inherit</option>
          {MODES.map((mode) => (
            <option key={mode}>{mode}</option>
          ))}
        </select>
      </Field>
      <Field id="phase" label="Phase" error={errors.phase?.message} hint={origin('phase')}>
        <select id="phase" className={INPUT} aria-describedby={described('phase')} {...register('phase')}>
          <option value="">Inherit</option>
          {PHASES.map((phase) => (
            <option key={phase}>{phase}</option>
          ))}
        </select>
      </Field>
      <Field id="working_directory" label="Working directory" error={errors.working_directory?.message} hint={origin('working_directory')}>
        <input
          id="working_directory"
          className={INPUT}
          aria-invalid={!!errors.working_directory}
          aria-describedby={described('working_directory')}
          {...register('working_directory')}
        />
      </Field>
      <Field
        id="system_prompt"
        label="Instructions"
        error={errors.system_prompt?.message}
        hint={origin('system_prompt') ?? 'Given to agents that have a place for them.'}
      >
        <textarea id="system_prompt" rows={3} className={INPUT} aria-describedby={described('system_prompt')} {...register('system_prompt')} />
      </Field>
      {LISTS.map(([name, label, hint]) => (
        <Field
          key={name}
          id={name}
          label={label}
          error={errors[name]?.message}
          hint={
            <>
              {hint} {origin(name)}
            </>
          }
        >
          <textarea
            id={name}
            rows={2}
            spellCheck={false}
            className={`${INPUT} font-mono`}
            aria-invalid={!!errors[name]}
            aria-describedby={described(name)}
            {...register(name)}
          />
        </Field>
      ))}
      {effective?.warnings.map((warning) => (
        <p key={warning} className="text-care">
          {warning}
        </p>
      ))}
      <FailureNote failure={failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="solid" blocked={isDirty ? null : 'Nothing was changed.'}>
          {isSubmitting ? 'Saving' : 'Save run context'}
        </Button>
        <Button onClick={() => reset(toForm(own))} blocked={isDirty ? null : 'Nothing was changed.'}>
          Discard changes
        </Button>
      </div>
    </form>
  );
}

/** Effective value, where it comes from, and what it replaced. */
function Origin({ field, layer }: { readonly field: EffectiveContext['fields'][RunContextField]; readonly layer: ContextLayer }) {
  if (field.origin === 'none') return <span>Not set anywhere.</span>;
  return (
    <span>
      {field.origin === layer ? 'Set here' : `In force: ${textOf(field.value)}, from the ${LAYER_WORDS[field.origin]}`}
      {field.replaced.map((one) => (
        <span key={`${one.origin}${JSON.stringify(one.value)}`}>
          {'; replaces '}
          <s>{textOf(one.value)}</s>
          {` (${LAYER_WORDS[one.origin]})`}
        </span>
      ))}
      .
    </span>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(String).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
