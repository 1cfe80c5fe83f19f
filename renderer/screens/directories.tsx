// Directories: what each session may read and write beside its root. The most specific entry wins, also when it says read.

import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../shared/failure';
import type { AccessEntry } from '../../shared/model';
import type { Access } from '../../shared/terms';
import { Button, Empty, FailureNote, Field, INPUT, Screen } from '../parts/controls';
import { bridge, useProjection } from '../store';

export function DirectoriesScreen() {
  const sessions = useProjection((projection) => [...projection.sessions.values()].filter((session) => session.state !== 'ended'));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const session = sessions.find((one) => one.id === chosenId) ?? sessions[0];
  if (session === undefined) {
    return (
      <Screen title="Directories">
        <Empty title="No session is open.">
          <p>Directories belong to a session; defaults for its root are kept in access.json.</p>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title="Directories">
      <div className="grid max-w-4xl gap-5 p-4">
        <Field id="access-session" label="Session">
          <select id="access-session" className={INPUT} value={session.id} onChange={(event) => setChosenId(event.target.value)}>
            {sessions.map((one) => (
              <option key={one.id} value={one.id}>
                {one.title || one.root || one.id}
              </option>
            ))}
          </select>
        </Field>
        <p className="text-quiet">
          The root {session.root ?? '(none)'} is writable unless an entry says read. Shell text is not confined by this. Changes wait while the agent
          is in a turn.
        </p>
        <Entries key={`session ${session.id}`} title="This session" owner={{ session_id: session.id }} entries={session.access} />
        {session.root === null ? null : <Defaults key={`defaults ${session.root}`} root={session.root} />}
      </div>
    </Screen>
  );
}

function Defaults({ root }: { readonly root: string }) {
  const [entries, setEntries] = useState<readonly AccessEntry[]>([]);
  const load = useCallback(() => {
    void bridge.invoke('access_defaults.list', { root }).then((result) => {
      if (result.ok) setEntries(result.value.items);
    });
  }, [root]);
  useEffect(load, [load]);
  return <Entries title={`Defaults for ${root}`} owner={{ root }} entries={entries} onChanged={load} />;
}

type Owner = { readonly session_id: string } | { readonly root: string };

function Entries({
  title,
  owner,
  entries,
  onChanged,
}: {
  readonly title: string;
  readonly owner: Owner;
  readonly entries: readonly AccessEntry[];
  onChanged?(): void;
}) {
  const [path, setPath] = useState('');
  const [mode, setMode] = useState<Access>('read');
  const [failure, setFailure] = useState<Failure | null>(null);
  const id = 'root' in owner ? 'defaults' : 'session';
  async function run(asked: Promise<{ readonly ok: boolean; readonly failure?: Failure }>): Promise<boolean> {
    const result = await asked;
    setFailure(result.ok ? null : (result.failure ?? null));
    if (result.ok) onChanged?.();
    return result.ok;
  }
  const add = async (): Promise<void> => {
    const asked =
      'root' in owner ? bridge.invoke('access_defaults.add', { ...owner, path, mode }) : bridge.invoke('access.add', { ...owner, path, mode });
    if (await run(asked)) setPath('');
  };
  const remove = (entry: AccessEntry): void => {
    const typed = entry.source_path ?? entry.path;
    void run(
      'root' in owner
        ? bridge.invoke('access_defaults.remove', { ...owner, path: typed })
        : bridge.invoke('access.remove', { ...owner, path: typed }),
    );
  };
  return (
    <section aria-label={title} className="grid gap-2">
      <h2 className="break-all">{title}</h2>
      {entries.length === 0 ? <p className="text-quiet">None.</p> : null}
      <ul>
        {entries.map((entry) => (
          <li key={entry.path} className="flex flex-wrap items-center gap-3 border-b border-hair py-1">
            <code className="min-w-0 flex-1 break-all">{entry.path}</code>
            {entry.source_path === undefined ? null : <span className="text-quiet">entered as {entry.source_path}</span>}
            <span>{entry.mode}</span>
            <Button aria-label={`Remove ${entry.path}`} onClick={() => remove(entry)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label className="grid min-w-60 flex-1 gap-1" htmlFor={`${id}-path`}>
          <span className="font-medium">Directory</span>
          <input id={`${id}-path`} className={INPUT} value={path} onChange={(event) => setPath(event.target.value)} />
        </label>
        <label className="grid gap-1" htmlFor={`${id}-mode`}>
          <span className="font-medium">Access</span>
          <select id={`${id}-mode`} className={INPUT} value={mode} onChange={(event) => setMode(event.target.value as Access)}>
            <option value="read">read</option>
            <option value="write">write</option>
          </select>
        </label>
        <Button type="submit" blocked={path.trim() === '' ? 'Name a directory first.' : null}>
          Add directory
        </Button>
      </form>
      <FailureNote failure={failure} />
    </section>
  );
}
