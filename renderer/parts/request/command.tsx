// A command as it was sent, whole, then its parts as the gate reads them: what runs what, where it writes, and what cannot be
// read beforehand.

import type { Request, RequestPath, ShellUnit } from '../../../shared/model';
import { relativeTo } from '../../../shared/sentences';
import { useProjection } from '../../store';
import { VisibleText } from '../visible-text';
import { InputTable } from './input-table';
import { Places } from './places';
import { SentText } from './sent-text';

const COMMAND_FIELDS = ['command', 'cmd', 'script', 'commands', 'description', 'timeout', 'run_in_background'];

export function CommandHero({ request, command }: { readonly request: Request; readonly command: string }) {
  const { units, paths } = request;
  const description = request.input.description;
  const isPlain = units.length === 1 && units.every((unit) => !unit.opaque && unit.assignments.length === 0) && paths.length === 0;
  const named = paths.filter((path) => path.unit === undefined || units[path.unit] === undefined);
  return (
    <div className="grid gap-2">
      <SentText text={command} />
      {typeof description === 'string' && description !== '' ? (
        <p className="text-quiet">
          The agent says: <VisibleText text={description} />
        </p>
      ) : null}
      {request.input.run_in_background === true ? <p className="text-quiet">Runs in the background.</p> : null}
      {isPlain || units.length === 0 ? null : (
        <ol aria-label="Commands in it" className="grid rounded-md border border-hair">
          {units.map((unit, index) => (
            <Unit key={index} unit={unit} number={index + 1} paths={paths.filter((path) => path.unit === index)} request={request} />
          ))}
        </ol>
      )}
      <Places request={request} paths={named} label="Files it names" />
      <InputTable input={request.input} without={COMMAND_FIELDS} />
    </div>
  );
}

function Unit({
  unit,
  number,
  paths,
  request,
}: {
  readonly unit: ShellUnit;
  readonly number: number;
  readonly paths: readonly RequestPath[];
  readonly request: Request;
}) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const notes = [
    ...(unit.wrapped_by === undefined ? [] : [`run by ${unit.wrapped_by + 1}`]),
    ...(unit.cd === undefined ? [] : [unit.cd === null ? 'goes to a directory that cannot be resolved' : `goes to ${relativeTo(unit.cd, session)}`]),
    ...(unit.assignments.length === 0 ? [] : [`with ${unit.assignments.join(' ')}`]),
    ...paths.map((path) => {
      const place = relativeTo(path.canonical ?? path.raw, session);
      return path.deletes === true ? `deletes ${place}` : path.access === 'write' ? `writes ${place}` : `reads ${place}`;
    }),
  ];
  return (
    <li className="grid grid-cols-[2rem_1fr] border-t border-hair px-2 py-1 first:border-t-0">
      <span className="text-quiet tabular-nums">{number}</span>
      <div className="min-w-0">
        <code className="wrap-anywhere">
          <Command text={unit.text} words={unit.words} />
        </code>
        {notes.length === 0 ? null : (
          <p className="wrap-anywhere text-quiet">
            <VisibleText text={notes.join(', ')} />
          </p>
        )}
        {unit.opaque ? (
          <p className="text-care">Cannot be read beforehand{unit.opaque_reason === undefined ? '' : `: ${unit.opaque_reason}`}.</p>
        ) : null}
      </div>
    </li>
  );
}

/** The program stands out, its options stand back: what is done to what is seen at once. */
function Command({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  if (words.join(' ') !== text) return <VisibleText text={text} />;
  return (
    <>
      {words.map((word, index) => (
        <span key={index} className={index === 0 ? 'font-semibold' : ''}>
          {index === 0 ? '' : ' '}
          <VisibleText text={word} isPart />
        </span>
      ))}
    </>
  );
}
