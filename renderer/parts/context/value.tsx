// A value of a run context, where it comes from and what it replaced, as it reads anywhere.

import type { ContextLayer, EffectiveContext, RunContextField } from '../../../shared/model';
import { CONTEXT_FIELDS, LAYER_WORDS, valueLines } from '../../context-fields';
import { useProjection } from '../../store';

const IN_CODE: ReadonlySet<RunContextField> = new Set(['allow_fs_writes', 'allow_fs_reads', 'withheld', 'outbox', 'working_directory', 'hooks']);
/** Lines of a long value that are shown. */
const SHOWN = 6;

export function ContextValue({ name, value }: { readonly name: RunContextField; readonly value: unknown }) {
  const groups = useProjection((projection) => projection.groups);
  const lines = valueLines(name, value).map((line) => (name === 'security_group' ? (groups.get(line)?.name ?? line) : line));
  const isCode = IN_CODE.has(name) && value !== null && value !== undefined && lines[0] !== 'nothing';
  return (
    <span className="grid min-w-0">
      {lines.slice(0, SHOWN).map((line, index) => (
        <span key={index} className={`break-words whitespace-pre-wrap ${isCode ? 'font-mono wrap-anywhere' : ''}`}>
          {line}
        </span>
      ))}
      {lines.length > SHOWN ? <span className="text-quiet">and {lines.length - SHOWN} more</span> : null}
    </span>
  );
}

/** What this layer keeps from being in force, struck through, each with where it comes from. */
export function Replaced({
  name,
  values,
}: {
  readonly name: RunContextField;
  readonly values: readonly { readonly value: unknown; readonly origin: ContextLayer | 'none' }[];
}) {
  const groups = useProjection((projection) => projection.groups);
  if (values.length === 0) return null;
  return (
    <ul className="grid gap-0.5" aria-label="Replaced">
      {values.map((one) => (
        <li key={one.origin} className="flex flex-wrap gap-x-3 text-quiet">
          <s className="min-w-0 break-words">
            {valueLines(name, one.value)
              .map((line) => (name === 'security_group' ? (groups.get(line)?.name ?? line) : line))
              .join(', ')}
          </s>
          <span>{LAYER_WORDS[one.origin]}</span>
        </li>
      ))}
    </ul>
  );
}

/** The effective context in short: what some layer sets, and the permission group in any case. */
export function EffectiveTable({ effective }: { readonly effective: EffectiveContext }) {
  const shown = CONTEXT_FIELDS.filter(({ name }) => name === 'security_group' || effective.fields[name].origin !== 'none');
  return (
    <table className="w-full">
      <caption className="sr-only">Run context in force</caption>
      <thead>
        <tr className="text-left text-quiet">
          <th scope="col" className="w-40 py-0.5 pr-3 font-normal">
            Field
          </th>
          <th scope="col" className="py-0.5 pr-3 font-normal">
            Effective value
          </th>
          <th scope="col" className="w-28 py-0.5 font-normal">
            Set by
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ name, label }) => {
          const field = effective.fields[name];
          return (
            <tr key={name} className="align-top">
              <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                {label}
              </th>
              <td className="py-0.5 pr-3">
                <ContextValue name={name} value={field.value} />
                <Replaced name={name} values={field.replaced} />
              </td>
              <td className="py-0.5 text-quiet">{LAYER_WORDS[field.origin]}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
