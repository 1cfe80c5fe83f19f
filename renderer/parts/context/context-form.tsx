// The run context of one session, project, ticket or default as a form: each field with its effective value, where it comes
// from and what it replaced, edited in its row. Owns drafts and saving; what a field means is in context-fields.ts.

import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Failure, Result } from '../../../shared/failure';
import type { ContextLayer, EffectiveContext, RunContext, RunContextField, SessionView } from '../../../shared/model';
import { useOffline } from '../../command';
import { CONTEXT_FIELDS, CONTEXT_PARTS, fieldLabel } from '../../context-fields';
import { contextSchema, fromForm, toForm, type ContextForm as Values } from '../../context-form';
import { useUnsaved } from '../../guard';
import { Button, FailureNote, Notice, Words } from '../controls';
import { FieldRow } from './field-row';

export interface ContextFormProps {
  /** `the run context of shop`. */
  readonly what: string;
  readonly layer: ContextLayer;
  /** What this layer sets now. */
  readonly own: RunContext | null;
  /** What holds now; null where that cannot be known, as for a default. */
  readonly effective: EffectiveContext | null;
  /** Why it cannot be changed; null when it can. */
  readonly closed?: string | null;
  save(context: RunContext | null): Promise<Result<unknown>>;
  /** Which live sessions a change of these fields reaches. */
  reach?(fields: readonly RunContextField[]): { readonly changed: readonly SessionView[]; readonly kept: readonly SessionView[] };
}

export function ContextForm({ what, layer, own, effective, closed = null, save, reach }: ContextFormProps) {
  const offline = useOffline();
  /** What the form began with: the layer as it was read. */
  const [base, setBase] = useState(own);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [open, setOpen] = useState<ReadonlySet<RunContextField>>(new Set());
  /** What was there before the last save, to go back to; undefined when there is nothing to go back to. */
  const [before, setBefore] = useState<RunContext | null | undefined>(undefined);
  const schema = useMemo(() => contextSchema(base), [base]);
  const { control, handleSubmit, reset, setError, formState, getValues } = useForm<Values, unknown, RunContext>({
    resolver: zodResolver(schema),
    defaultValues: toForm(own),
  });
  const { isDirty, isSubmitting, dirtyFields } = formState;
  useUnsaved(what, isDirty);

  // What comes from elsewhere replaces what was read, but never what was typed.
  const isSame = JSON.stringify(own) === JSON.stringify(base);
  const isBehind = !isSame && isDirty;
  const take = (context: RunContext | null): void => {
    setBase(context);
    reset(toForm(context));
    setOpen(new Set());
    setFailure(null);
  };
  const takeLatest = useRef(take);
  useEffect(() => {
    takeLatest.current = take;
  });
  useEffect(() => {
    if (!isSame && !isDirty) takeLatest.current(own);
  }, [isSame, isDirty, own]);

  async function put(context: RunContext | null, undoTo: RunContext | null | undefined): Promise<void> {
    setFailure(null);
    const result = await save(context);
    if (result.ok) {
      take(context);
      setBefore(undoTo);
      return;
    }
    const field = fieldOf(result.failure);
    if (field === null) setFailure(result.failure);
    else setError(field, { message: result.failure.message.replaceAll('`', '') });
  }
  const submit = handleSubmit(() => put(fromForm(getValues(), base), base));

  const changed = CONTEXT_FIELDS.flatMap(({ name }) => (dirtyFields[name] ? [name] : []));
  const reached = changed.length === 0 ? null : (reach?.(changed) ?? null);
  const warnings = effective?.warnings ?? [];
  return (
    <form onSubmit={submit} aria-label="Run context" noValidate className="grid gap-4">
      {closed === null ? null : <Notice tone="quiet">{closed}</Notice>}
      {warnings.length === 0 ? null : (
        <Notice>
          <ul className="grid gap-1">
            {warnings.map((warning) => (
              <li key={warning}>
                <Words text={warning} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {CONTEXT_PARTS.map((part) => (
        <section key={part.title} aria-label={part.title}>
          <h4 className="pb-1 text-quiet">{part.title}</h4>
          {part.fields.map((field) => (
            <FieldRow
              key={field.name}
              field={field}
              layer={layer}
              own={base}
              effective={effective}
              control={control}
              isOpen={open.has(field.name)}
              onOpen={(isOpen) => setOpen((now) => new Set(isOpen ? [...now, field.name] : [...now].filter((name) => name !== field.name)))}
              readOnly={closed !== null}
            />
          ))}
        </section>
      ))}
      {closed !== null || !(isDirty || before !== undefined || failure !== null) ? null : (
        <div className="sticky bottom-0 -mx-4 -mb-4 grid gap-2 border-t border-hair bg-panel px-4 py-2 wide:-mx-6 wide:px-6">
          <FailureNote failure={failure} />
          {isBehind ? (
            <Notice>
              <p className="min-w-0 flex-1">
                This was changed elsewhere while you were writing:{' '}
                {differing(base, own).map(fieldLabel).join(', ').toLowerCase() || 'the same fields'}.
              </p>
              <Button size="small" onClick={() => take(own)}>
                Take that
              </Button>
              <Button size="small" onClick={() => setBase(own)}>
                Keep mine
              </Button>
            </Notice>
          ) : null}
          <div className="flex flex-wrap items-center gap-2">
            <Button
              type="submit"
              tone="solid"
              blocked={offline ?? (isBehind ? 'Choose which of the two to keep first.' : isDirty ? null : 'Nothing was changed.')}
            >
              {isSubmitting ? 'Saving' : 'Save run context'}
            </Button>
            {isDirty ? <Button onClick={() => take(own)}>Discard changes</Button> : null}
            <p role="status" className="min-w-0 flex-1 text-quiet">
              {isDirty ? reachText(changed.length, reached) : before === undefined ? '' : 'Run context saved. It holds from the next call on.'}
            </p>
            {!isDirty && before !== undefined ? (
              <Button size="small" tone="ghost" blocked={offline} onClick={() => void put(before, undefined)}>
                Undo the last save
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </form>
  );
}

function reachText(count: number, reached: ReturnType<NonNullable<ContextFormProps['reach']>> | null): string {
  const fields = count === 1 ? '1 field changed.' : `${count} fields changed.`;
  if (reached === null) return fields;
  const { changed, kept } = reached;
  const names = changed.map((session) => session.title || session.root || session.id);
  const reaches =
    changed.length === 0
      ? 'No live session follows it.'
      : `Reaches ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}.`;
  return `${fields} ${reaches}${kept.length === 0 ? '' : ` ${kept.length === 1 ? '1 session sets' : `${kept.length} sessions set`} it themselves.`}`;
}

/** Fields in which two contexts differ. */
const differing = (a: RunContext | null, b: RunContext | null): readonly RunContextField[] =>
  CONTEXT_FIELDS.flatMap(({ name }) => (JSON.stringify(a?.[name] ?? null) === JSON.stringify(b?.[name] ?? null) ? [] : [name]));

/** The field that a failure is about: `run_context.allow_fs_writes.0`. */
function fieldOf({ subject }: Failure): RunContextField | null {
  if (typeof subject !== 'string') return null;
  const parts = subject.split('.');
  return CONTEXT_FIELDS.find(({ name }) => parts.includes(name))?.name ?? null;
}
