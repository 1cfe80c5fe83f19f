// Agents: which of those that Gatehouse knows are on this machine, and how they are connected. Every change to an agent's
// own file is shown before it is made and can be undone.

import { useMemo, useState } from 'react';
import type { AgentChange, AgentConnection } from '../../shared/model';
import { useAsked, useCommand } from '../command';
import { Button, Empty, FailureNote, Section, Words } from '../parts/controls';
import { DiffOf, hunksOf } from '../parts/request/diff';
import { Page } from '../parts/screen';
import { useProjection } from '../store';

const STATES: Readonly<Record<AgentConnection['state'], { readonly word: string; readonly tone: string }>> = {
  connected: { word: 'connected', tone: 'text-allow' },
  outdated: { word: 'connection is outdated', tone: 'text-care' },
  not_connected: { word: 'not connected', tone: 'text-text' },
  not_found: { word: 'not found', tone: 'text-quiet' },
};

export function AgentsScreen() {
  const asked = useAsked('agent.list', {});
  const isFirst = useProjection((projection) => projection.sessions.size === 0);
  return (
    <Page
      title="Agents"
      tools={
        <Button size="small" onClick={asked.again}>
          Check again
        </Button>
      }
    >
      <div className="grid max-w-4xl gap-6 p-4 wide:px-6">
        <FailureNote failure={asked.failure} />
        {asked.value === null && asked.failure === null ? <p className="text-quiet">Looking for agents on this machine.</p> : null}
        {asked.value?.items.length === 0 ? <Empty title="Gatehouse knows no agent on this machine." /> : null}
        <ul>
          {asked.value?.items.map((agent) => (
            <Agent key={agent.agent} agent={agent} onChanged={asked.again} />
          ))}
        </ul>
        {isFirst ? null : <p className="text-quiet">An agent that runs already reads its settings anew when it is started again.</p>}
        <Section level={2} title="Other agents">
          <p className="max-w-prose">
            Any program can ask over HTTP or the Unix socket, with the agent token of the data folder. The API describes itself at{' '}
            <code>/api/openapi.json</code>.
          </p>
        </Section>
      </div>
    </Page>
  );
}

function Agent({ agent, onChanged }: { readonly agent: AgentConnection; onChanged(): void }) {
  const { run, failure, blocked } = useCommand();
  const [shown, setShown] = useState<{ readonly change: AgentChange; readonly connects: boolean } | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const state = STATES[agent.state];
  const isConnected = agent.state === 'connected' || agent.state === 'outdated';

  async function preview(connects: boolean): Promise<void> {
    setDone(null);
    const result = await run('agent.preview', { agent: agent.agent, connect: connects });
    setShown(result.ok ? { change: result.value, connects } : null);
  }
  async function apply(connects: boolean): Promise<void> {
    const result = await run(connects ? 'agent.connect' : 'agent.disconnect', { agent: agent.agent });
    if (!result.ok) return;
    setShown(null);
    const { backup } = result.value;
    setDone(`${connects ? 'Connected. Start the agent as usual.' : 'Disconnected.'}${backup === null ? '' : ` The file as it was: ${backup}`}`);
    onChanged();
  }
  return (
    <li className="grid gap-2 border-t border-hair py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="w-32 text-[0.9375rem]">{agent.name}</h2>
        <p className="min-w-40 flex-1">
          <span className={`font-medium ${state.tone}`}>{state.word}</span>
          {agent.sessions > 0 ? <span className="text-quiet">, {agent.sessions === 1 ? '1 session' : `${agent.sessions} sessions`}</span> : null}
          <span className="block break-words text-quiet">
            <Words text={agent.detail} />
          </span>
        </p>
        <span className="flex gap-2">
          {agent.state === 'connected' ? null : (
            <Button aria-label={`Connect ${agent.name}`} blocked={blocked} onClick={() => void preview(true)}>
              Connect
            </Button>
          )}
          {isConnected ? (
            <Button aria-label={`Disconnect ${agent.name}`} blocked={blocked} onClick={() => void preview(false)}>
              Disconnect
            </Button>
          ) : null}
        </span>
      </div>
      <FailureNote failure={failure} />
      <p role="status" className="wrap-anywhere empty:hidden">
        {done}
      </p>
      {shown === null ? null : <Change {...shown} blocked={blocked} onApply={() => void apply(shown.connects)} onBack={() => setShown(null)} />}
    </li>
  );
}

/** The exact change to the agent's own file, before it is made. */
function Change({
  change,
  connects,
  blocked,
  onApply,
  onBack,
}: {
  readonly change: AgentChange;
  readonly connects: boolean;
  readonly blocked: string | null;
  onApply(): void;
  onBack(): void;
}) {
  const hunks = useMemo(() => hunksOf(change.before ?? '', change.after, true), [change]);
  if (!change.changed) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p>Nothing needs to change.</p>
        <Button size="small" onClick={onBack}>
          Close
        </Button>
      </div>
    );
  }
  return (
    <section aria-label={`Change to ${change.file}`} className="grid gap-3 rounded-md border border-line p-3">
      <p>
        {change.before === null ? 'Makes the file' : 'Changes'} <code className="wrap-anywhere">{change.file}</code>.{' '}
        {change.before === null ? '' : 'The file as it is now is kept beside it.'}
      </p>
      <DiffOf hunks={hunks} view="unified" label="The change" />
      <div className="flex flex-wrap gap-2">
        <Button tone="solid" blocked={blocked} onClick={onApply}>
          {connects ? 'Make this change' : 'Undo the connection'}
        </Button>
        <Button onClick={onBack}>Leave it as it is</Button>
      </div>
    </section>
  );
}
