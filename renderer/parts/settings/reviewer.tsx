// Who is asked before the person in mode workspace: nobody, a command, or a model behind an address. It can allow what is
// soft, deny, or leave it to the person.

import { useState } from 'react';
import type { ReviewerSettings } from '../../../shared/model';
import { useCommand } from '../../command';
import { useUnsaved } from '../../guard';
import { useProjection } from '../../store';
import { Button, FailureNote, Field } from '../controls';

type Type = ReviewerSettings['type'] | 'none';
interface Values {
  readonly type: Type;
  readonly command: string;
  readonly url: string;
  readonly model: string;
  readonly key_env: string;
}
const TYPE_WORDS: Readonly<Record<Type, string>> = {
  none: 'Nobody',
  command: 'A command on this machine',
  openai: 'A model with an OpenAI-compatible API',
  anthropic: 'A model with an Anthropic API',
};

function toValues(saved: ReviewerSettings | null): Values {
  const empty = { command: '', url: '', model: '', key_env: '' };
  if (saved === null) return { type: 'none', ...empty };
  if (saved.type === 'command') return { ...empty, type: 'command', command: saved.command };
  return { ...empty, type: saved.type, url: saved.url, model: saved.model, key_env: saved.key_env ?? '' };
}

function fromValues(values: Values, saved: ReviewerSettings | null): ReviewerSettings | null {
  const kept = saved?.timeout_s === undefined ? {} : { timeout_s: saved.timeout_s };
  switch (values.type) {
    case 'none':
      return null;
    case 'command':
      return { type: 'command', command: values.command.trim(), ...kept };
    case 'openai':
    case 'anthropic': {
      const key = values.key_env.trim();
      return { type: values.type, url: values.url.trim(), model: values.model.trim(), ...(key === '' ? {} : { key_env: key }), ...kept };
    }
  }
}

export function Reviewer() {
  const saved = useProjection((projection) => projection.settings.reviewer);
  const { run, failure, blocked } = useCommand();
  const [draft, setDraft] = useState<Values | null>(null);
  const now = draft ?? toValues(saved);
  const isDirty = draft !== null && JSON.stringify(draft) !== JSON.stringify(toValues(saved));
  useUnsaved('the reviewer', isDirty);
  const set = (part: Partial<Values>): void => setDraft({ ...now, ...part });
  const line = (name: 'command' | 'url' | 'model' | 'key_env', label: string, hint?: string) => (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(bind) => (
        <input
          {...bind}
          spellCheck={false}
          autoComplete="off"
          className="field font-mono"
          value={now[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form
      aria-label="Reviewer"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void run('settings.update', { reviewer: fromValues(now, saved) }).then((result) => {
          if (result.ok) setDraft(null);
        });
      }}
    >
      <p className="text-quiet">
        In mode workspace it is asked before you are. It never sees secrets, can lift no floor and no hard rule, and leaves to you what it is not sure
        of.
      </p>
      <Field label="Asked before you" className="max-w-md">
        {(bind) => (
          <select {...bind} className="field" value={now.type} onChange={(event) => set({ type: event.target.value as Type })}>
            {Object.entries(TYPE_WORDS).map(([type, words]) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      {now.type === 'none' ? null : now.type === 'command' ? (
        line('command', 'Command', 'Gets the request as JSON on its standard input.')
      ) : (
        <div className="grid gap-4 wide:grid-cols-3">
          {line('url', 'Address')}
          {line('model', 'Model')}
          {line('key_env', 'Key', 'Name of the environment variable that holds it. May be empty.')}
        </div>
      )}
      <FailureNote failure={failure} />
      <div className="flex gap-2">
        <Button type="submit" blocked={blocked ?? (isDirty ? null : 'Nothing was changed.')}>
          Save reviewer
        </Button>
        {isDirty ? <Button onClick={() => setDraft(null)}>Discard changes</Button> : null}
      </div>
    </form>
  );
}
