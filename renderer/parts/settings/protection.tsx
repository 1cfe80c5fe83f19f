// Paths that are closed to agents beside the built-in ones, and built-in protections that were lifted: one a line.

import { useState } from 'react';
import { useCommand } from '../../command';
import { useUnsaved } from '../../guard';
import { useProjection } from '../../store';
import { Button, FailureNote, Field } from '../controls';

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

export function Protection() {
  const saved = useProjection((projection) => projection.settings.protected_paths);
  const { run, failure, blocked } = useCommand();
  const [draft, setDraft] = useState<{ readonly extra: string; readonly lifted: string } | null>(null);
  const now = draft ?? { extra: saved.extra.join('\n'), lifted: saved.lifted.join('\n') };
  const isDirty = draft !== null && (draft.extra !== saved.extra.join('\n') || draft.lifted !== saved.lifted.join('\n'));
  useUnsaved('the protected paths', isDirty);
  const lifts = linesOf(now.lifted).some((line) => !saved.lifted.includes(line));
  return (
    <form
      aria-label="Protected paths"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void run('settings.update', { protected_paths: { extra: linesOf(now.extra), lifted: linesOf(now.lifted) } }).then((result) => {
          if (result.ok) setDraft(null);
        });
      }}
    >
      <div className="grid gap-4 wide:grid-cols-2">
        <Field label="Closed by you" hint="Neither read nor written by any agent, whatever a rule says. One a line.">
          {(bind) => (
            <textarea
              {...bind}
              rows={3}
              spellCheck={false}
              placeholder="None"
              className="field font-mono"
              value={now.extra}
              onChange={(event) => setDraft({ ...now, extra: event.target.value })}
            />
          )}
        </Field>
        <Field label="Built-in protections lifted" hint="By name, such as .npmrc or git_hooks. One a line. Gatehouse's own files stay closed.">
          {(bind) => (
            <textarea
              {...bind}
              rows={3}
              spellCheck={false}
              placeholder="None"
              className="field font-mono"
              value={now.lifted}
              onChange={(event) => setDraft({ ...now, lifted: event.target.value })}
            />
          )}
        </Field>
      </div>
      {lifts ? <p className="text-care">Lifting a protection lets rules and answers allow what lies there.</p> : null}
      <FailureNote failure={failure} />
      <div className="flex gap-2">
        <Button type="submit" blocked={blocked ?? (isDirty ? null : 'Nothing was changed.')}>
          Save protected paths
        </Button>
        {isDirty ? <Button onClick={() => setDraft(null)}>Discard changes</Button> : null}
      </div>
    </form>
  );
}
