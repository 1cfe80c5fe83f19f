// One request, whole: what the agent wants, shown by its kind; why a person is asked; and the bar to answer it. Nothing
// that will run is cut: the full input is on the page.

import { useState } from 'react';
import type { Json, Request, TraceStep } from '../../shared/model';
import { agentName, commandOf, outcomeSentence, relativeTo } from '../../shared/sentences';
import { useProjection } from '../store';
import { Boundary } from './boundary';
import { RiskMark } from './controls';
import { DecisionBar } from './decision-bar';
import { EditDiff } from './edit-diff';
import { VisibleText } from './visible-text';

export function RequestDetail({ request }: { readonly request: Request }) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const ticket = useProjection((projection) => (session?.ticket_id ? projection.tickets.get(session.ticket_id) : undefined));
  const project = useProjection((projection) => (session?.project_id ? projection.projects.get(session.project_id) : undefined));
  const [showsTrace, setShowsTrace] = useState(false);
  const trace = request.trace ?? request.decision?.trace ?? [];
  const headline = request.risk.level === 'high' ? request.risk.facts.find((fact) => fact.level === 'high') : undefined;
  const facts = request.risk.facts.filter((fact) => fact !== headline);
  return (
    <section id="request-detail" tabIndex={-1} aria-labelledby="request-headline" data-queue="" className="flex min-h-0 flex-1 flex-col outline-none">
      <div className="min-h-0 flex-1 overflow-auto scroll-pb-24 p-4">
        <div className="grid max-w-4xl gap-4">
          <Headline request={request} />
          <Boundary key={request.id} instead={<PlainInput request={request} />}>
            <Hero request={request} />
          </Boundary>
          {facts.length === 0 ? null : (
            <ul aria-label="What is known about it" className="grid list-disc gap-0.5 pl-5">
              {facts.map((fact) => (
                <li key={fact.key} className={fact.level === 'high' ? 'text-care' : ''}>
                  {fact.text}
                </li>
              ))}
            </ul>
          )}
          <section aria-label="Why you are asked" className="grid gap-1">
            <h3>Why you are asked</h3>
            <p>{whyAsked(trace)}</p>
            <p className="text-quiet">
              Session {session?.title || session?.root || request.session_id}
              {project === undefined ? '' : `, project ${project.name}`}
              {ticket === undefined ? '' : `, ticket ${ticket.title}`}
            </p>
          </section>
          <details>
            <summary className="min-h-7 text-accent">Full input</summary>
            <pre className="mt-1 max-h-96 overflow-auto rounded-md bg-sunk p-3 break-words whitespace-pre-wrap">
              <VisibleText text={JSON.stringify(request.input, null, 2)} />
            </pre>
          </details>
          <details open={showsTrace} onToggle={(event) => setShowsTrace(event.currentTarget.open)}>
            <summary className="min-h-7 text-accent">Trace</summary>
            <Trace steps={trace} />
          </details>
          {request.decision === null ? null : (
            <p role="status">
              {outcomeSentence(request.decision)}
              {request.decision.note ? `: ${request.decision.note}` : '.'}
            </p>
          )}
        </div>
      </div>
      {request.decision === null ? <DecisionBar request={request} onTrace={() => setShowsTrace((shown) => !shown)} /> : null}
    </section>
  );
}

/** What is shown when the picture of a call could not be drawn: all of it, as it came. */
function PlainInput({ request }: { readonly request: Request }) {
  return (
    <div className="grid gap-2 rounded-md bg-sunk p-3">
      <p className="text-care">Gatehouse could not draw this call. This is all the agent sent.</p>
      <pre className="overflow-auto break-words whitespace-pre-wrap">
        <VisibleText text={JSON.stringify(request.input, null, 2)} />
      </pre>
    </div>
  );
}

/** For high risk the decisive fact is the headline; otherwise who wants what. */
function Headline({ request }: { readonly request: Request }) {
  const wants = `${agentName(request.agent)} wants to ${wantOf(request)}`;
  const decisive = request.risk.level === 'high' ? request.risk.facts.find((fact) => fact.level === 'high') : undefined;
  return (
    <header className="grid gap-1">
      {decisive === undefined ? null : (
        <p className="font-semibold text-care">
          <span aria-hidden="true">(!) </span>High risk
        </p>
      )}
      <h2 id="request-headline" className={decisive === undefined ? '' : 'text-[1.125rem] leading-6'}>
        {decisive?.text ?? wants}
      </h2>
      <p className="flex flex-wrap gap-x-3 text-quiet">
        {decisive === undefined ? <RiskMark level={request.risk.level} /> : <span>{wants}</span>}
        <span>{request.tool}</span>
        {request.cwd === null ? null : <span className="break-all">in {request.cwd}</span>}
      </p>
    </header>
  );
}

function wantOf(request: Request): string {
  switch (request.kind) {
    case 'read':
      return 'read a file';
    case 'search':
      return 'search files';
    case 'edit':
      return 'edit a file';
    case 'delete':
      return 'delete a file';
    case 'execute':
      return 'run a command';
    case 'fetch':
      return 'fetch a page';
    case 'message':
      return 'send a message';
    case 'other':
      return `use ${request.tool}`;
  }
}

function Hero({ request }: { readonly request: Request }) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const command = commandOf(request);
  if (command !== null) return <CommandHero request={request} command={command} />;
  if (request.kind === 'edit') {
    const path = request.paths[0];
    return (
      <div className="grid gap-2">
        <Paths request={request} root={session?.root ?? null} />
        <EditDiff input={request.input} path={path === undefined ? request.tool : relativeTo(path.canonical ?? path.raw, session)} />
      </div>
    );
  }
  if (request.paths.length > 0) return <Paths request={request} root={session?.root ?? null} />;
  if (request.hosts.length > 0) {
    return (
      <div className="rounded-md bg-sunk p-3">
        <p className="text-[1.25rem] leading-7 font-semibold break-all">{request.hosts.join(', ')}</p>
        <InputTable input={request.input} />
      </div>
    );
  }
  return (
    <div className="rounded-md bg-sunk p-3">
      {request.kind === 'other' ? <p className="mb-2 text-quiet">Gatehouse does not know this tool. This is all the agent sent.</p> : null}
      <InputTable input={request.input} />
    </div>
  );
}

/** The whole command as it was sent, then its units as the gate reads them. */
function CommandHero({ request, command }: { readonly request: Request; readonly command: string }) {
  const units = request.units;
  return (
    <div className="grid gap-2">
      <pre className="overflow-auto rounded-md bg-sunk p-3 break-words whitespace-pre-wrap">
        <VisibleText text={command} />
      </pre>
      {units.length > 1 || units.some((unit) => unit.opaque) ? (
        <ol aria-label="Commands in it" className="grid list-decimal gap-0.5 pl-6">
          {units.map((unit, index) => (
            <li key={index}>
              <code className="break-all">
                <VisibleText text={unit.text} />
              </code>
              {unit.opaque ? (
                <span className="text-care"> cannot be looked into{unit.opaque_reason === undefined ? '' : `: ${unit.opaque_reason}`}</span>
              ) : null}
              {unit.wrapped_by === undefined ? null : <span className="text-quiet"> run by command {unit.wrapped_by + 1}</span>}
            </li>
          ))}
        </ol>
      ) : null}
      <Paths request={request} root={null} label="Files it names" />
    </div>
  );
}

function Paths({ request, root, label = 'Files' }: { readonly request: Request; readonly root: string | null; readonly label?: string }) {
  if (request.paths.length === 0) return null;
  return (
    <ul aria-label={label} className="grid gap-0.5">
      {request.paths.map((path) => {
        const full = path.canonical ?? path.raw;
        const isInside = root !== null && (full === root || full.startsWith(`${root}/`));
        return (
          <li key={`${path.access}${full}${path.origin}`} className="flex flex-wrap gap-x-3">
            <code className="break-all">
              {isInside && root !== null ? <span className="text-quiet">{root}/</span> : null}
              <VisibleText text={isInside && root !== null ? full.slice(root.length + 1) : full} />
            </code>
            <span className="text-quiet">
              {path.canonical === null ? 'cannot be resolved' : path.access}
              {root === null || isInside ? '' : ', outside of the session'}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function InputTable({ input }: { readonly input: Request['input'] }) {
  const entries = Object.entries(input);
  if (entries.length === 0) return <p className="text-quiet">No input.</p>;
  return (
    <table className="w-full table-fixed">
      <tbody>
        {entries.map(([name, value]) => (
          <tr key={name} className="border-t border-hair first:border-0">
            <th scope="row" className="w-32 py-1 pr-3 text-left align-top font-medium break-all">
              {name}
            </th>
            <td className="py-1">
              <code className="break-words whitespace-pre-wrap">
                <VisibleText text={textOf(value)} />
              </code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** The last thing that asked, in words. */
function whyAsked(trace: readonly TraceStep[]): string {
  const asked = trace.filter((step) => step.outcome === 'require');
  const step = asked.find((one) => one.rule_id !== undefined) ?? asked[0];
  if (step === undefined) return 'No rule decides this call.';
  return `${step.compared.charAt(0).toUpperCase()}${step.compared.slice(1)}.`;
}

function Trace({ steps }: { readonly steps: readonly TraceStep[] }) {
  return (
    <ol className="mt-1 grid gap-0.5">
      {steps.map((step, index) => (
        <li key={index} className="grid grid-cols-[2rem_5rem_1fr] gap-2">
          <span className="text-right text-quiet tabular-nums">{step.step}</span>
          <span className={step.outcome === 'deny' ? 'text-deny' : step.outcome === 'allow' ? 'text-allow' : 'text-quiet'}>
            {step.outcome === 'require' ? 'ask' : step.outcome}
          </span>
          <span className="break-words">
            {step.name}: {step.compared}
          </span>
        </li>
      ))}
    </ol>
  );
}
