// Sessions: who is at work, what was answered for them, and the settings each runs under.

import { useState } from 'react';
import { toast } from 'sonner';
import type { Failure, Result } from '../../shared/failure';
import type { Grant, SessionView } from '../../shared/model';
import { agentName, durationText } from '../../shared/sentences';
import { MODES, type Mode } from '../../shared/terms';
import { useNow } from '../parts/clock';
import { Button, Empty, FailureNote, Screen } from '../parts/controls';
import { GrantList } from '../parts/grant-list';
import { ListPane } from '../parts/list-pane';
import { Panes } from '../parts/panes';
import { RunContextForm } from '../parts/run-context-form';
import { bridge, useProjection } from '../store';

const STATE_WORDS: Readonly<Record<SessionView['state'], string>> = { idle: 'idle', turn: 'working', compaction: 'compacting', ended: 'ended' };

export function SessionsScreen() {
  const sessions = useProjection((projection) => projection.sessions);
  const ordered = [...sessions.values()].sort(
    (a, b) => Number(a.state === 'ended') - Number(b.state === 'ended') || (a.created_at < b.created_at ? 1 : -1),
  );
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [showsDetail, setShowsDetail] = useState(false);
  const selected = ordered.find((session) => session.id === selectedId) ?? ordered[0];
  const now = useNow();
  if (selected === undefined) {
    return (
      <Screen title="Sessions">
        <Empty title="No agent has opened a session yet.">
          <p>A session appears here with the first tool call of a connected agent.</p>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title="Sessions">
      <Panes
        list={
          <ListPane
            label="Sessions"
            items={ordered.map((session) => ({
              id: session.id,
              title: session.title || session.root || 'No folder',
              detail: `${agentName(session.agent)}, ${STATE_WORDS[session.state]}, ${durationText(now - Date.parse(session.created_at))}`,
              mark: session.pending > 0 ? `${session.pending} waiting` : '',
            }))}
            selectedId={selected.id}
            onSelect={(id) => {
              setSelectedId(id);
              setShowsDetail(true);
            }}
          />
        }
        detail={<SessionDetail key={selected.id} session={selected} />}
        showsDetail={showsDetail}
        onBack={() => setShowsDetail(false)}
      />
    </Screen>
  );
}

function SessionDetail({ session }: { readonly session: SessionView }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const isOver = session.state === 'ended';
  const project = useProjection((projection) => (session.project_id === null ? undefined : projection.projects.get(session.project_id)));
  const ticket = useProjection((projection) => (session.ticket_id === null ? undefined : projection.tickets.get(session.ticket_id)));
  async function run<T>(asked: Promise<Result<T>>, done: string): Promise<void> {
    const result = await asked;
    setFailure(result.ok ? null : result.failure);
    if (result.ok) toast.success(done);
  }
  const ended = isOver ? 'The session has ended.' : null;
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      <div className="grid max-w-3xl gap-5">
        <header className="grid gap-1">
          <h2>{session.title || session.root || 'Session without a folder'}</h2>
          <p className="text-quiet">
            {agentName(session.agent)}, {STATE_WORDS[session.state]}
            {session.cancelled ? ', cancelled' : ''}
            {session.headless ? ', nobody to ask' : ''}
          </p>
        </header>
        <FailureNote failure={failure} />
        {session.notices.map((notice) => (
          <p key={notice} className="text-care">
            {notice}
          </p>
        ))}
        <dl className="grid grid-cols-[10rem_1fr] gap-x-4 gap-y-1">
          <dt className="text-quiet">Directory</dt>
          <dd className="break-all">{session.root ?? 'none'}</dd>
          <dt className="text-quiet">Project</dt>
          <dd>{project?.name ?? 'none'}</dd>
          <dt className="text-quiet">Ticket</dt>
          <dd>{ticket?.title ?? 'none'}</dd>
          <dt className="text-quiet">Permission group</dt>
          <dd>{session.effective.values.security_group ?? 'default'}</dd>
          <dt className="text-quiet">Tool calls</dt>
          <dd>{session.usage.tool_calls}</dd>
        </dl>
        <section aria-label="Controls" className="flex flex-wrap items-end gap-3">
          <label className="grid gap-1">
            <span className="font-medium">Mode</span>
            <select
              className="min-h-8 rounded-md border border-line bg-sunk px-2"
              value={session.mode ?? ''}
              disabled={isOver}
              onChange={(event) => {
                const mode = event.target.value === '' ? null : (event.target.value as Mode);
                void run(
                  bridge.invoke('session.mode', { session_id: session.id, mode }),
                  mode === null ? 'The run context decides the mode now.' : `Mode is ${mode} now.`,
                );
              }}
            >
              <option value="">From the run context ({session.effective_mode ?? 'rules decide'})</option>
              {MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {MODE_WORDS[mode]}
                </option>
              ))}
            </select>
          </label>
          <Button
            blocked={ended}
            onClick={() => void run(bridge.invoke('session.cancel', { session_id: session.id }), 'The run was cancelled. What waited is refused.')}
          >
            Cancel the run
          </Button>
          <Button blocked={ended} onClick={() => void run(bridge.invoke('session.end', { session_id: session.id }), 'The session has ended.')}>
            End the session
          </Button>
        </section>
        {isOver ? null : <Steering sessionId={session.id} />}
        <SessionGrants grants={session.session_rules} />
        <section aria-labelledby="session-context" className="grid gap-3">
          <h3 id="session-context">Run context of this session</h3>
          <RunContextForm target={{ owner: 'session', session_id: session.id }} own={session.run_context} layer="session" />
        </section>
      </div>
    </div>
  );
}

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  'read-only': 'read-only: reads only, commands denied',
  guarded: 'guarded: files here need no question',
  workspace: 'workspace: as guarded, a reviewer first',
  full: 'full: nothing is asked but what is hard',
};

function Steering({ sessionId }: { readonly sessionId: string }) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <form
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        void bridge.invoke('session.steer', { session_id: sessionId, text }).then((result) => {
          setFailure(result.ok ? null : result.failure);
          if (!result.ok) return;
          setText('');
          toast.success('Queued. The agent reads it with its next step.');
        });
      }}
    >
      <label htmlFor="steer" className="font-medium">
        Steer the agent
      </label>
      <div className="flex gap-2">
        <input
          id="steer"
          className="min-h-8 min-w-0 flex-1 rounded-md border border-line bg-sunk px-2"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" blocked={text.trim() === '' ? 'Write something first.' : null}>
          Queue text
        </Button>
      </div>
      <FailureNote failure={failure} />
    </form>
  );
}

function SessionGrants({ grants }: { readonly grants: readonly Grant[] }) {
  return (
    <section aria-labelledby="session-grants" className="grid gap-2">
      <h3 id="session-grants">Remembered answers</h3>
      <GrantList grants={grants} />
    </section>
  );
}
