// Agents: which of those that Gatehouse knows are on this machine, and how they are connected. Every change to an agent's
// own file is shown before it is made and can be undone.

import { createTwoFilesPatch } from 'diff';
import { useCallback, useEffect, useState } from 'react';
import { toast } from 'sonner';
import type { Failure } from '../../shared/failure';
import type { AgentChange, AgentConnection } from '../../shared/model';
import { Button, Empty, FailureNote, Screen } from '../parts/controls';
import { bridge } from '../store';

const STATE_WORDS: Readonly<Record<AgentConnection['state'], string>> = {
  connected: 'connected',
  outdated: 'connection is outdated',
  not_connected: 'not connected',
  not_found: 'not found',
};

interface Preview {
  readonly change: AgentChange;
  readonly connect: boolean;
}

export function AgentsScreen() {
  const [agents, setAgents] = useState<readonly AgentConnection[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const load = useCallback(() => {
    void bridge.invoke('agent.list', {}).then((result) => {
      if (result.ok) setAgents(result.value.items);
      else setFailure(result.failure);
    });
  }, []);
  useEffect(load, [load]);

  async function show(agent: string, connect: boolean): Promise<void> {
    const result = await bridge.invoke('agent.preview', { agent, connect });
    setFailure(result.ok ? null : result.failure);
    if (result.ok) setPreview({ change: result.value, connect });
  }
  async function apply({ change, connect }: Preview): Promise<void> {
    const result = await bridge.invoke(connect ? 'agent.connect' : 'agent.disconnect', { agent: change.agent });
    setFailure(result.ok ? null : result.failure);
    if (!result.ok) return;
    setPreview(null);
    toast.success(connect ? 'Connected. Start the agent as usual.' : 'Disconnected.');
    load();
  }
  return (
    <Screen title="Agents">
      <div className="grid max-w-4xl gap-4 p-4">
        <FailureNote failure={failure} />
        {agents === null ? <p className="text-quiet">Looking for agents.</p> : null}
        <ul>
          {agents?.map((agent) => (
            <li key={agent.agent} className="grid gap-2 border-b border-hair py-2">
              <div className="flex flex-wrap items-center gap-3">
                <h2 className="w-36">{agent.name}</h2>
                <span className={agent.state === 'connected' ? 'text-allow' : 'text-quiet'}>{STATE_WORDS[agent.state]}</span>
                <span className="min-w-0 flex-1 text-quiet">{agent.detail}</span>
                {agent.sessions > 0 ? <span>{agent.sessions} open</span> : null}
                {agent.state === 'connected' ? null : (
                  <Button aria-label={`Connect ${agent.name}`} onClick={() => void show(agent.agent, true)}>
                    Connect
                  </Button>
                )}
                {agent.state === 'connected' || agent.state === 'outdated' ? (
                  <Button aria-label={`Disconnect ${agent.name}`} onClick={() => void show(agent.agent, false)}>
                    Disconnect
                  </Button>
                ) : null}
              </div>
              {preview?.change.agent === agent.agent ? (
                <Change preview={preview} onApply={() => void apply(preview)} onBack={() => setPreview(null)} />
              ) : null}
            </li>
          ))}
        </ul>
        <section aria-labelledby="other-agents" className="grid gap-1">
          <h2 id="other-agents">Other agents</h2>
          <p className="text-quiet">
            Any program can ask over HTTP or the Unix socket with the agent token of the data folder. The API describes itself at{' '}
            <code>/api/openapi.json</code>.
          </p>
        </section>
        {agents?.length === 0 ? <Empty title="Gatehouse knows no agent on this machine." /> : null}
      </div>
    </Screen>
  );
}

function Change({ preview, onApply, onBack }: { readonly preview: Preview; onApply(): void; onBack(): void }) {
  const { change, connect } = preview;
  const patch = createTwoFilesPatch(change.file, change.file, change.before ?? '', change.after, '', '', { context: 2 })
    .split('\n')
    .slice(2)
    .join('\n');
  return (
    <section aria-label={`Change to ${change.file}`} className="grid gap-2 rounded-md border border-hair p-3">
      {change.changed ? (
        <>
          <p>
            This changes <code className="break-all">{change.file}</code>. The file as it is now is kept beside it.
          </p>
          <pre className="max-h-80 overflow-auto rounded-md bg-sunk p-3 break-words whitespace-pre-wrap">{patch}</pre>
          <div className="flex gap-2">
            <Button tone="solid" onClick={onApply}>
              {connect ? 'Make this change' : 'Undo the connection'}
            </Button>
            <Button onClick={onBack}>Leave it as it is</Button>
          </div>
        </>
      ) : (
        <p>Nothing needs to change.</p>
      )}
    </section>
  );
}
