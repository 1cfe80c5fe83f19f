// Directories: what each session may read and write beside its root, and the defaults that sessions of a root begin with. The
// most specific entry wins, also when it says read. A path can be tried.

import { useMemo, useState } from 'react';
import type { Draft } from '../../shared/commands';
import type { AccessEntry, SessionView } from '../../shared/model';
import type { Access } from '../../shared/terms';
import { useAsked, useCommand } from '../command';
import { useChosen } from '../parts/chosen';
import { FolderButton } from '../parts/context/editors';
import { Button, Empty, FailureNote, Field, Notice, Section, Words } from '../parts/controls';
import { TextLink } from '../parts/request/why';
import { Page } from '../parts/screen';
import { useProjection } from '../store';
import { nameOf } from './sessions';

export function DirectoriesScreen() {
  const sessions = useProjection((projection) => [...projection.sessions.values()].filter((session) => session.state !== 'ended'));
  const [chosenId, choose] = useChosen('/directories');
  const session = sessions.find((one) => one.id === chosenId) ?? sessions[0];
  if (session === undefined) {
    return (
      <Page title="Directories">
        <Empty title="No session is open.">
          <p className="max-w-sm">Directories belong to a session. What sessions of a root begin with is kept in access.json of the data folder.</p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title="Directories">
      <div className="grid max-w-4xl gap-6 p-4 wide:px-6">
        <Field label="Session">
          {(bind) => (
            <select {...bind} className="field max-w-md" value={session.id} onChange={(event) => choose(event.target.value)}>
              {sessions.map((one) => (
                <option key={one.id} value={one.id}>
                  {nameOf(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <OfSession key={session.id} session={session} />
        {session.root === null ? null : <Defaults key={session.root} root={session.root} sessionId={session.id} />}
        <TryPath key={`try ${session.id}`} session={session} />
      </div>
    </Page>
  );
}

interface Row {
  readonly path: string;
  readonly mode: Access;
  readonly from: string;
  readonly note: string;
  /** Null: it comes with the session and cannot be removed. */
  readonly entry: AccessEntry | null;
}

const FROM: Readonly<Record<NonNullable<AccessEntry['origin']>, string>> = { flag: 'given at start', default: 'default', session: 'added' };

/** By path, so that what lies within another stands under it. Pure. */
export function accessRows(root: string | null, entries: readonly AccessEntry[]): readonly Row[] {
  const implicit: readonly Row[] =
    root === null || entries.some((entry) => entry.path === root)
      ? []
      : [{ path: root, mode: 'write', from: 'built-in', note: 'root of the session', entry: null }];
  const rows = [
    ...implicit,
    ...entries.map((entry): Row => ({ path: entry.path, mode: entry.mode, from: FROM[entry.origin ?? 'session'], note: '', entry })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  return rows.map((row) => {
    const outer = rows.filter((one) => one !== row && row.path.startsWith(one.path === '/' ? '/' : `${one.path}/`)).at(-1);
    const notes = [
      ...(row.note === '' ? [] : [row.note]),
      ...(row.entry?.source_path === undefined ? [] : [`entered as ${row.entry.source_path}`]),
      ...(outer === undefined
        ? []
        : outer.mode === row.mode
          ? [`says the same as ${outer.path}`]
          : [`more specific than ${outer.path}, so this one wins`]),
    ];
    return { ...row, note: notes.join(', ') };
  });
}

function OfSession({ session }: { readonly session: SessionView }) {
  const { run, failure, blocked } = useCommand();
  const rows = useMemo(() => accessRows(session.root, session.access), [session.root, session.access]);
  const busy = session.state === 'turn' || session.state === 'compaction' ? 'It waits until the agent’s turn has ended.' : null;
  const owner = { session_id: session.id };
  return (
    <Section level={2} title={`Directories of ${nameOf(session)}`}>
      {busy === null ? null : (
        <Notice tone="quiet">
          <p>The agent is in a turn. Directories can be changed when it has ended.</p>
        </Notice>
      )}
      <Entries
        label="Directories of this session"
        rows={rows}
        blocked={blocked ?? busy}
        onRemove={(entry) => void run('access.remove', { ...owner, path: entry.source_path ?? entry.path })}
      />
      <AddDirectory
        label="Add a directory"
        blocked={blocked ?? busy}
        onAdd={async (path, mode) => (await run('access.add', { ...owner, path, mode })).ok}
      />
      <FailureNote failure={failure} />
      <p className="text-quiet">Commands are not confined by this: what a shell text reads and writes goes by the rules.</p>
    </Section>
  );
}

function Defaults({ root, sessionId }: { readonly root: string; readonly sessionId: string }) {
  const { run, failure, blocked } = useCommand();
  const asked = useAsked('access_defaults.list', { root });
  const rows = useMemo(
    () =>
      accessRows(
        null,
        (asked.value?.items ?? []).map((entry) => ({ ...entry, origin: 'default' as const })),
      ),
    [asked.value],
  );
  const owner = { root, session_id: sessionId };
  const then = async (done: Promise<{ readonly ok: boolean }>): Promise<boolean> => {
    const { ok } = await done;
    if (ok) asked.again();
    return ok;
  };
  return (
    <Section level={2} title={`Defaults for ${root}`}>
      <p className="text-quiet">Sessions that start in this root begin with them. A change here is made in this session too.</p>
      <Entries
        label={`Defaults for ${root}`}
        rows={rows}
        blocked={blocked}
        onRemove={(entry) => void then(run('access_defaults.remove', { ...owner, path: entry.source_path ?? entry.path }))}
      />
      <AddDirectory
        label="Add a default directory"
        blocked={blocked}
        onAdd={(path, mode) => then(run('access_defaults.add', { ...owner, path, mode }))}
      />
      <FailureNote failure={failure ?? asked.failure} />
    </Section>
  );
}

function Entries({
  label,
  rows,
  blocked,
  onRemove,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly blocked: string | null;
  onRemove(entry: AccessEntry): void;
}) {
  if (rows.length === 0) return <p className="text-quiet">None.</p>;
  return (
    <div className="overflow-x-auto">
      <table className="w-full">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line text-left text-quiet">
            <th scope="col" className="py-1 pr-3 font-normal">
              Directory
            </th>
            <th scope="col" className="w-16 py-1 pr-3 font-normal">
              Access
            </th>
            <th scope="col" className="w-24 py-1 pr-3 font-normal">
              From
            </th>
            <th scope="col" className="w-24 py-1 font-normal">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.path} className="border-b border-hair align-top">
              <td className="py-1.5 pr-3">
                <code className="wrap-anywhere">{row.path}</code>
                {row.note === '' ? null : <span className="block break-words text-quiet">{row.note}</span>}
              </td>
              <td className="py-1.5 pr-3">{row.mode}</td>
              <td className="py-1.5 pr-3 text-quiet">{row.from}</td>
              <td className="py-1 text-right">
                {row.entry === null ? null : <RemoveButton entry={row.entry} blocked={blocked} onRemove={onRemove} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RemoveButton({
  entry,
  blocked,
  onRemove,
}: {
  readonly entry: AccessEntry;
  readonly blocked: string | null;
  onRemove(entry: AccessEntry): void;
}) {
  return (
    <Button size="small" aria-label={`Remove ${entry.path}`} blocked={blocked} onClick={() => onRemove(entry)}>
      Remove
    </Button>
  );
}

function AddDirectory({
  label,
  blocked,
  onAdd,
}: {
  readonly label: string;
  readonly blocked: string | null;
  onAdd(path: string, mode: Access): Promise<boolean>;
}) {
  const [path, setPath] = useState('');
  const [mode, setMode] = useState<Access>('read');
  return (
    <form
      aria-label={label}
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void onAdd(path.trim(), mode).then((isDone) => {
          if (isDone) setPath('');
        });
      }}
    >
      <Field label={label} className="min-w-56 flex-1">
        {(bind) => (
          <input
            {...bind}
            spellCheck={false}
            autoComplete="off"
            placeholder="~/shared/fixtures"
            className="field font-mono"
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
        )}
      </Field>
      <FolderButton onPick={setPath} />
      <Field label="Access">
        {(bind) => (
          <select {...bind} className="field" value={mode} onChange={(event) => setMode(event.target.value as Access)}>
            <option value="read">read</option>
            <option value="write">write</option>
          </select>
        )}
      </Field>
      <Button type="submit" blocked={blocked ?? (path.trim() === '' ? 'Name a directory first.' : null)}>
        Add
      </Button>
    </form>
  );
}

const VERDICT_WORDS = { allow: 'allowed', deny: 'denied', require: 'asked', stage: 'staged' } as const;
const VERDICT_TONES = { allow: 'text-allow', deny: 'text-deny', require: 'text-care', stage: 'text-care' } as const;

/** What the gate says about reading and writing a path in this session, with the step that decided. */
function TryPath({ session }: { readonly session: SessionView }) {
  const [path, setPath] = useState('');
  const [tried, setTried] = useState<string | null>(null);
  const { rules, grants } = useProjection((projection) => projection);
  const input = useMemo(
    (): Draft<'simulate'> | null =>
      tried === null
        ? null
        : {
            session: session.id,
            calls: [
              { tool: 'Read', input: { file_path: tried }, kind: 'read' },
              { tool: 'Write', input: { file_path: tried, content: '' }, kind: 'edit' },
            ],
          },
    [tried, session.id],
  );
  const key = useMemo(() => ({ rules, grants, session }), [rules, grants, session]);
  const asked = useAsked('simulate', input, key);
  const results = input === null ? [] : (asked.value?.items ?? []);
  return (
    <Section level={2} title="Try a path">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(path.trim() === '' ? null : path.trim());
        }}
      >
        <Field label="Path" hint="The gate is asked as for a call of the agent; nothing is read or written." className="min-w-56 flex-1">
          {(bind) => (
            <input
              {...bind}
              spellCheck={false}
              autoComplete="off"
              placeholder={session.root === null ? '/srv/data/a.txt' : `${session.root}/src/a.ts`}
              className="field font-mono"
              value={path}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
        <span className="self-center">
          <Button type="submit" blocked={path.trim() === '' ? 'Name a path first.' : null}>
            Try
          </Button>
        </span>
      </form>
      <FailureNote failure={input === null ? null : asked.failure} />
      <ul aria-live="polite">
        {results.map((result, index) => {
          const decided = result.trace.filter((step) => step.outcome !== 'pass' && step.outcome !== 'skipped');
          const step = result.verdict === 'require' ? decided[0] : decided.findLast((one) => one.outcome === result.verdict);
          return (
            <li key={index} className="flex flex-wrap gap-x-3">
              <span className="w-12">{index === 0 ? 'Read' : 'Write'}</span>
              <span className={`w-16 font-semibold ${VERDICT_TONES[result.verdict]}`}>{VERDICT_WORDS[result.verdict]}</span>
              <span className="min-w-0 flex-1 break-words text-quiet">{step === undefined ? '' : <Words text={step.compared} />}</span>
            </li>
          );
        })}
      </ul>
      <p className="text-quiet">
        Where reads and writes need no question is set in the <TextLink to={`/sessions/${session.id}`}>run context</TextLink> too.
      </p>
    </Section>
  );
}
