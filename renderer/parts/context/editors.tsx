// The editors of a run context's fields, one kind each: a choice, a line, lines, text, numbers, hooks.

import { FolderOpen, Plus, Trash2 } from 'lucide-react';
import type { RunContextField } from '../../../shared/model';
import { BUDGET_CEILINGS, HOOK_EVENTS, MAIL_POLICIES, MODES, PHASES } from '../../../shared/terms';
import { CEILING_WORDS, MAIL_WORDS, MODE_WORDS, PHASE_WORDS } from '../../context-fields';
import { type ContextForm, type HookForm, NEW_HOOK } from '../../context-form';
import { door, useProjection } from '../../store';
import { Button, type FieldBinding, IconButton } from '../controls';

type Change = (value: ContextForm[RunContextField]) => void;

export function ContextEditor({
  name,
  value,
  bind,
  onChange,
}: {
  readonly name: RunContextField;
  readonly value: ContextForm[RunContextField];
  readonly bind: FieldBinding;
  readonly onChange: Change;
}) {
  const groups = useProjection((projection) => projection.groups);
  const text = typeof value === 'string' ? value : '';
  switch (name) {
    case 'security_group':
      return (
        <Select
          bind={bind}
          value={text}
          options={[
            ...[...groups.values()].map((group): [string, string] => [group.id, group.name]),
            // A group that was deleted is still what is set here.
            ...(text === '' || groups.has(text) ? [] : [[text, `${text} (deleted)`] as [string, string]]),
          ]}
          onChange={onChange}
        />
      );
    case 'permission_mode':
      return <Select bind={bind} value={text} options={MODES.map((mode) => [mode, `${mode}: ${MODE_WORDS[mode]}`])} onChange={onChange} />;
    case 'phase':
      return <Select bind={bind} value={text} options={PHASES.map((phase) => [phase, `${phase}: ${PHASE_WORDS[phase]}`])} onChange={onChange} />;
    case 'mail':
      return (
        <Select bind={bind} value={text} options={MAIL_POLICIES.map((policy) => [policy, `${policy}: ${MAIL_WORDS[policy]}`])} onChange={onChange} />
      );
    case 'homeostat':
      return (
        <Select
          bind={bind}
          value={text}
          options={[
            ['true', 'sampled'],
            ['false', 'not sampled'],
          ]}
          onChange={onChange}
        />
      );
    case 'compact_at_tokens':
      return <input {...bind} inputMode="numeric" className="field max-w-40" value={text} onChange={(event) => onChange(event.target.value)} />;
    case 'working_directory':
      return (
        <div className="flex gap-2">
          <input {...bind} spellCheck={false} className="field font-mono" value={text} onChange={(event) => onChange(event.target.value)} />
          <FolderButton onPick={onChange} />
        </div>
      );
    case 'allow_fs_writes':
    case 'allow_fs_reads':
    case 'withheld':
    case 'outbox':
      return <Lines bind={bind} value={text} isPaths={name === 'allow_fs_writes' || name === 'allow_fs_reads'} onChange={onChange} />;
    case 'system_prompt':
      return <textarea {...bind} rows={rowsFor(text, 3)} className="field" value={text} onChange={(event) => onChange(event.target.value)} />;
    case 'budget':
      return <Budget bind={bind} value={typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null} onChange={onChange} />;
    case 'hooks':
      return <Hooks bind={bind} value={Array.isArray(value) ? value : []} onChange={onChange} />;
  }
}

const rowsFor = (text: string, least: number): number => Math.min(Math.max(text.split('\n').length, least), 12);

function Select({
  bind,
  value,
  options,
  onChange,
}: {
  readonly bind: FieldBinding;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: Change;
}) {
  return (
    <select {...bind} className="field" value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </select>
  );
}

function Lines({
  bind,
  value,
  isPaths,
  onChange,
}: {
  readonly bind: FieldBinding;
  readonly value: string;
  readonly isPaths: boolean;
  readonly onChange: Change;
}) {
  return (
    <div className="flex items-start gap-2">
      <textarea
        {...bind}
        rows={rowsFor(value, 2)}
        spellCheck={false}
        placeholder="Nothing"
        className="field font-mono"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {isPaths ? <FolderButton onPick={(folder) => onChange(value.trim() === '' ? folder : `${value.replace(/\n+$/, '')}\n${folder}`)} /> : null}
    </div>
  );
}

/** The platform's folder picker, where the door has one. */
export function FolderButton({ onPick }: { onPick(folder: string): void }) {
  if (door().door !== 'window') return null;
  return (
    <Button
      onClick={() =>
        void door()
          .pickFolder()
          .then((folder) => {
            if (folder !== null) onPick(folder);
          })
      }
    >
      <FolderOpen size={16} aria-hidden="true" /> Choose
    </Button>
  );
}

function Budget({ bind, value, onChange }: { readonly bind: FieldBinding; readonly value: ContextForm['budget']; readonly onChange: Change }) {
  const now = value ?? ({ max_turns: '', max_tool_calls: '', max_output_tokens: '', max_cost_usd: '', max_wall_s: '' } as const);
  return (
    <fieldset aria-describedby={bind['aria-describedby']} className="grid gap-2 wide:grid-cols-3">
      <legend className="sr-only">Ceilings; an empty one inherits</legend>
      {BUDGET_CEILINGS.map((name, index) => (
        <label key={name} className="grid gap-1">
          <span className="text-quiet">{CEILING_WORDS[name].label}</span>
          <input
            id={index === 0 ? bind.id : undefined}
            inputMode="decimal"
            className="field"
            aria-invalid={bind['aria-invalid']}
            value={now[name]}
            onChange={(event) => onChange({ ...now, [name]: event.target.value })}
          />
        </label>
      ))}
    </fieldset>
  );
}

function Hooks({ bind, value, onChange }: { readonly bind: FieldBinding; readonly value: readonly HookForm[]; readonly onChange: Change }) {
  const put = (index: number, part: Partial<HookForm>): void => onChange(value.map((hook, at) => (at === index ? { ...hook, ...part } : hook)));
  return (
    <div className="grid gap-2">
      {value.map((hook, index) => (
        <fieldset key={index} className="grid gap-2 rounded-md border border-hair p-2 wide:grid-cols-[9rem_1fr_auto]">
          <legend className="sr-only">Hook {index + 1}</legend>
          <label className="grid gap-1">
            <span className="text-quiet">When</span>
            <select className="field" value={hook.event} onChange={(event) => put(index, { event: event.target.value as HookForm['event'] })}>
              {HOOK_EVENTS.map((event) => (
                <option key={event}>{event}</option>
              ))}
            </select>
          </label>
          <label className="grid gap-1">
            <span className="text-quiet">Command</span>
            <input
              id={index === 0 ? bind.id : undefined}
              spellCheck={false}
              className="field font-mono"
              aria-invalid={bind['aria-invalid']}
              value={hook.command}
              onChange={(event) => put(index, { command: event.target.value })}
            />
          </label>
          <span className="self-end">
            <IconButton label={`Remove hook ${index + 1}`} onClick={() => onChange(value.filter((_, at) => at !== index))}>
              <Trash2 size={16} aria-hidden="true" />
            </IconButton>
          </span>
          <label className="grid gap-1">
            <span className="text-quiet">Seconds at most</span>
            <input
              inputMode="decimal"
              placeholder="10"
              className="field"
              value={hook.timeout_s}
              onChange={(event) => put(index, { timeout_s: event.target.value })}
            />
          </label>
          <label className="grid gap-1">
            <span className="text-quiet">Tools, with commas between them</span>
            <input
              spellCheck={false}
              placeholder="Every tool"
              className="field font-mono"
              value={hook.tools}
              onChange={(event) => put(index, { tools: event.target.value })}
            />
          </label>
        </fieldset>
      ))}
      <div>
        <Button id={value.length === 0 ? bind.id : undefined} size="small" onClick={() => onChange([...value, NEW_HOOK])}>
          <Plus size={16} aria-hidden="true" /> Add hook
        </Button>
      </div>
    </div>
  );
}
