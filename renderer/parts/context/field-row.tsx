// One field of a run context: its effective value, where it comes from and what it replaced; and its editor, once the person
// sets it here.

import { useId } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { ContextLayer, EffectiveContext, RunContext } from '../../../shared/model';
import { type ContextFieldWords, inherited, LAYER_WORDS } from '../../context-fields';
import { type ContextForm, errorText, toForm } from '../../context-form';
import { Button, boundTo, Hints } from '../controls';
import { ContextEditor } from './editors';
import { ContextValue, Replaced } from './value';

/** What an editor begins with where nothing is inherited that it could begin with. */
const BEGIN: ContextForm = {
  security_group: 'default',
  permission_mode: 'guarded',
  phase: 'plan',
  working_directory: '',
  mail: 'hold',
  compact_at_tokens: '',
  homeostat: 'true',
  system_prompt: '',
  allow_fs_writes: '',
  allow_fs_reads: '',
  withheld: '',
  outbox: '',
  budget: { max_turns: '', max_tool_calls: '', max_output_tokens: '', max_cost_usd: '', max_wall_s: '' },
  hooks: [],
};

export function FieldRow({
  field: { name, label, help },
  layer,
  own,
  effective,
  control,
  isOpen,
  onOpen,
  readOnly,
}: {
  readonly field: ContextFieldWords;
  readonly layer: ContextLayer;
  readonly own: RunContext | null;
  readonly effective: EffectiveContext | null;
  readonly control: Control<ContextForm, unknown, RunContext>;
  /** Its editor is shown. */
  readonly isOpen: boolean;
  onOpen(isOpen: boolean): void;
  readonly readOnly: boolean;
}) {
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const isSet = field.value !== null;
  const error = errorText(fieldState.error);
  const below = effective === null ? { value: null, origin: 'none' as const } : inherited(effective, name, layer);
  const others = effective === null ? [] : replacedBy(effective, name, layer, isSet);
  const isEditing = isSet && (isOpen || error !== undefined);
  const open = (): void => {
    onOpen(true);
    // After the editor is there.
    window.setTimeout(() => document.getElementById(id)?.focus());
  };
  return (
    <div className="grid gap-x-4 gap-y-1 border-t border-hair py-2 wide:grid-cols-[9.5rem_1fr_11rem]">
      <div>
        {isEditing ? (
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
        ) : (
          <span className="font-medium">{label}</span>
        )}
        {fieldState.isDirty ? <span className="block text-care">changed</span> : null}
      </div>
      <div className={`grid min-w-0 content-start gap-1 ${isEditing ? 'wide:col-span-2' : ''}`}>
        {isEditing ? (
          <>
            <ContextEditor name={name} value={field.value} bind={boundTo(id, true, error)} onChange={field.onChange} />
            <Hints id={id} hint={help} error={error} />
          </>
        ) : (
          <ContextValue name={name} value={isSet ? own?.[name] : below.value} />
        )}
        <Replaced name={name} values={others} />
      </div>
      <div
        className={`-mt-1 flex flex-wrap content-start items-start gap-x-2 ${isEditing ? 'wide:col-span-2 wide:col-start-2' : 'wide:justify-end'}`}
      >
        <span className={`inline-flex min-h-7 items-center ${isSet ? 'font-medium' : 'text-quiet'}`}>
          {isSet ? 'set here' : LAYER_WORDS[below.origin]}
        </span>
        {readOnly ? null : isSet ? (
          <>
            {isEditing ? null : (
              <Button size="small" tone="ghost" aria-label={`Edit ${label}`} onClick={open}>
                Edit
              </Button>
            )}
            <Button
              size="small"
              tone="ghost"
              aria-label={`Reset ${label}`}
              title={below.origin === 'none' ? 'Back to what is built in' : `Back to what the ${LAYER_WORDS[below.origin]} sets`}
              onClick={() => {
                field.onChange(null);
                onOpen(false);
              }}
            >
              Reset
            </Button>
          </>
        ) : (
          <Button
            size="small"
            tone="ghost"
            aria-label={`Set here: ${label}`}
            onClick={() => {
              field.onChange(toForm({ [name]: below.value } as RunContext)[name] ?? BEGIN[name]);
              open();
            }}
          >
            Set here
          </Button>
        )}
      </div>
    </div>
  );
}

/** What stands struck under the value: what is set here replaces what it would inherit, and that what is below it. */
function replacedBy(effective: EffectiveContext, name: ContextFieldWords['name'], layer: ContextLayer, isSet: boolean) {
  const field = effective.fields[name];
  const chain =
    field.origin === layer || field.origin === 'none' ? field.replaced : [{ value: field.value, origin: field.origin }, ...field.replaced];
  return isSet ? chain : chain.slice(1);
}
