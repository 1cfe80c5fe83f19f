// An empty inbox: what was decided last and who is at work; before the first agent, the three steps to the first question.

import { useState } from 'react';
import type { Failure } from '../../shared/failure';
import type { Request } from '../../shared/model';
import { actionSentence, outcomeSentence } from '../../shared/sentences';
import { useOffline } from '../command';
import { goTo } from '../guard';
import { invoke, useProjection } from '../store';
import { outcomeTone } from './answer/outcome';
import { Button, Empty, FailureNote } from './controls';
import { TextLink } from './request/why';

const SHOWN = 3;

export function NothingWaits() {
  const recent = useProjection((projection) => projection.recent);
  const sessions = useProjection((projection) => projection.sessions);
  const working = [...sessions.values()].filter((session) => session.state !== 'ended');
  if (recent.length === 0 && sessions.size === 0) return <FirstSteps />;
  return (
    <Empty title="Nothing is waiting.">
      {recent.length === 0 ? null : (
        <ul aria-label="Last decisions" className="grid w-full gap-1 text-left">
          {recent.slice(0, SHOWN).map((request) => (
            <LastDecision key={request.id} request={request} />
          ))}
        </ul>
      )}
      <p>
        {working.length === 0 ? 'No session is open.' : working.length === 1 ? '1 session is open: ' : `${working.length} sessions are open: `}
        {working.slice(0, SHOWN).map((session, index) => (
          <span key={session.id}>
            {index === 0 ? '' : ', '}
            <TextLink to={`/sessions/${session.id}`}>{session.title || session.root || session.id}</TextLink>
          </span>
        ))}
      </p>
    </Empty>
  );
}

function LastDecision({ request }: { readonly request: Request }) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  return (
    <li className="grid">
      <span className="truncate text-text">{actionSentence(request, session)}</span>
      <span className={outcomeTone(request)}>{request.decision === null ? '' : outcomeSentence(request.decision)}</span>
    </li>
  );
}

function FirstSteps() {
  return (
    <Empty title="No agent is connected.">
      <ol className="grid max-w-sm gap-4 text-left">
        <Step number={1} title="Connect an agent" text="Gatehouse shows the change to its settings before it makes it.">
          <Button tone="solid" onClick={() => goTo('/agents')}>
            Connect an agent
          </Button>
        </Step>
        <Step number={2} title="Look at the rules" text="Reads are let through, commands and changes ask, secrets stay closed.">
          <Button onClick={() => goTo('/groups')}>Open Groups</Button>
        </Step>
        <Step number={3} title="Try a question" text="A request to run echo appears here. Nothing is run, whatever you answer.">
          <TestRequest />
        </Step>
      </ol>
    </Empty>
  );
}

function Step({
  number,
  title,
  text,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly children: React.ReactNode;
}) {
  return (
    <li className="grid grid-cols-[1.5rem_1fr] gap-x-2">
      <span className="text-right font-semibold text-text tabular-nums">{number}</span>
      <div className="grid justify-items-start gap-1">
        <p className="font-semibold text-text">{title}</p>
        <p>{text}</p>
        {children}
      </div>
    </li>
  );
}

const TEST_WAIT_MS = 600_000;

/** A real session and a real request, through the same gate; nobody runs what it asks for. */
function TestRequest() {
  const offline = useOffline();
  const [failure, setFailure] = useState<Failure | null>(null);
  async function send(): Promise<void> {
    const opened = await invoke('session.open', { agent: 'test', source: 'interactive', title: 'Test from Gatehouse' });
    if (!opened.ok) return setFailure(opened.failure);
    const { id: session_id } = opened.value;
    const asked = await invoke('request.submit', {
      session_id,
      call_id: 'test',
      tool: 'Bash',
      input: { command: 'echo hello' },
      wait_ms: TEST_WAIT_MS,
    });
    await invoke('session.end', { session_id });
    if (!asked.ok) setFailure(asked.failure);
  }
  return (
    <>
      <Button blocked={offline} onClick={() => void send()}>
        Send a test request
      </Button>
      <FailureNote failure={failure} />
    </>
  );
}
