// One request, whole: what the agent wants, shown by its kind and its risk; why a person is asked; and the bar to answer it.
// Nothing that will run is cut without a way to see all of it.

import { useState } from 'react';
import type { Request } from '../../../shared/model';
import { consequence, headline, quietSentence } from '../../../shared/sentences';
import { useKey } from '../../keyboard';
import { useProjection } from '../../store';
import { DecisionBar } from '../answer/decision-bar';
import { Outcome } from '../answer/outcome';
import { Boundary } from '../boundary';
import { EffectiveTable } from '../context/value';
import { Button, Notice, RiskMark, Words } from '../controls';
import { focusList, QUEUE } from '../queue-focus';
import { Hero } from './hero';
import { SentText } from './sent-text';
import { Trace } from './trace';
import { Why } from './why';

type Fold = 'input' | 'trace' | 'context';
const FOLDS: readonly { readonly id: Fold; readonly text: string }[] = [
  { id: 'input', text: 'Full input' },
  { id: 'trace', text: 'Trace' },
  { id: 'context', text: 'Run context' },
];

/** The region stays while requests pass through it, so that focus has a place to be. */
export function RequestDetail({ request, onBack }: { readonly request: Request; onBack(): void }) {
  useKey('back', () => {
    onBack();
    focusList();
  });
  return (
    <section
      id={QUEUE.detail}
      tabIndex={-1}
      aria-labelledby="request-headline"
      data-queue=""
      className="flex min-h-0 flex-1 flex-col -outline-offset-2"
    >
      <Shown key={request.id} request={request} />
    </section>
  );
}

function Shown({ request }: { readonly request: Request }) {
  /** The version the person has been shown. Another one is shown only when they ask for it. */
  const [read, setRead] = useState(request);
  const isStale = request.status === 'pending' && request.digest !== read.digest;
  const shown = isStale ? read : request;
  return (
    <>
      <div className="min-h-0 flex-1 overflow-auto scroll-py-4">
        <div className="grid max-w-5xl gap-4 px-4 py-4 wide:px-6">
          <Head request={shown} />
          <Boundary key={shown.digest} instead={<PlainInput request={shown} />}>
            {shown.risk.level === 'high' ? (
              <div className="border-l-2 border-care pl-3">
                <Hero request={shown} />
              </div>
            ) : (
              <Hero request={shown} />
            )}
          </Boundary>
          <RiskFacts request={shown} />
          <Why request={shown} />
          <Folds request={shown} />
        </div>
      </div>
      {isStale ? (
        <Stale before={read} now={request} onReread={() => setRead(request)} />
      ) : request.decision === null ? (
        <DecisionBar key={request.digest} request={request} />
      ) : (
        <Outcome request={request} />
      )}
    </>
  );
}

/** For high risk the decisive fact is the headline; otherwise who wants what, and what comes of it. */
function Head({ request }: { readonly request: Request }) {
  const isHigh = request.risk.level === 'high';
  const comes = consequence(request);
  return (
    <header className="grid gap-0.5">
      {isHigh ? <RiskMark level="high" /> : null}
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 id="request-headline" className={`min-w-0 flex-1 break-words ${isHigh ? 'text-[1.125rem]' : ''}`}>
          <Words text={headline(request)} />
        </h2>
        {isHigh ? null : <RiskMark level={request.risk.level} />}
      </div>
      {comes === null ? null : (
        <p className={isHigh ? '' : 'text-quiet'}>
          <Words text={comes} />
        </p>
      )}
      {isHigh ? <p className="text-quiet">{quietSentence(request)}:</p> : null}
    </header>
  );
}

/** The facts that neither the headline nor the line under it has said. */
function RiskFacts({ request }: { readonly request: Request }) {
  const said = request.risk.level === 'high' ? request.risk.facts.find((fact) => fact.level === 'high') : request.risk.facts[0];
  const facts = request.risk.facts.filter((fact) => fact !== said);
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="facts" className="grid gap-1">
      <h3 id="facts">What else it does</h3>
      <ul className="grid gap-0.5">
        {facts.map((fact) => (
          <li key={fact.key} className="flex gap-3">
            <span className="w-16 shrink-0">
              <RiskMark level={fact.level} short />
            </span>
            <span className="min-w-0 break-words">
              <Words text={fact.text} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Folds({ request }: { readonly request: Request }) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const [open, setOpen] = useState<ReadonlySet<Fold>>(new Set());
  const toggle = (fold: Fold): void => setOpen((now) => new Set(now.has(fold) ? [...now].filter((one) => one !== fold) : [...now, fold]));
  useKey('trace', () => toggle('trace'));
  const content = (fold: Fold) => {
    switch (fold) {
      case 'input':
        return <SentText text={JSON.stringify(request.input, null, 2)} />;
      case 'trace':
        return <Trace steps={request.decision?.trace ?? request.trace ?? []} />;
      case 'context':
        return session === undefined ? (
          <p className="text-quiet">The session is not kept any more.</p>
        ) : (
          <EffectiveTable effective={session.effective} />
        );
    }
  };
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-1">
        {FOLDS.map(({ id, text }) => (
          <Button
            key={id}
            size="small"
            tone="ghost"
            aria-expanded={open.has(id)}
            aria-controls={`fold-${id}`}
            className={open.has(id) ? 'bg-sunk' : ''}
            onClick={() => toggle(id)}
          >
            {text}
          </Button>
        ))}
      </div>
      {FOLDS.map(({ id, text }) => (
        <section key={id} id={`fold-${id}`} aria-label={text} hidden={!open.has(id)}>
          {open.has(id) ? content(id) : null}
        </section>
      ))}
    </div>
  );
}

/** What is shown when the picture of a call could not be drawn: all of it, as it came. */
function PlainInput({ request }: { readonly request: Request }) {
  return (
    <div className="grid gap-2">
      <p className="text-care">Gatehouse could not draw this call. This is all the agent sent.</p>
      <SentText text={JSON.stringify(request.input, null, 2)} />
    </div>
  );
}

/** What it would touch has changed: the difference, and nothing to decide with until it was read again. */
function Stale({ before, now, onReread }: { readonly before: Request; readonly now: Request; onReread(): void }) {
  const differences = differencesOf(before, now);
  return (
    <div className="grid shrink-0 gap-2 border-t border-hair bg-panel px-4 py-3 wide:px-6">
      <Notice>
        <div role="alert" className="min-w-0 flex-1">
          <p className="font-semibold">This changed while you were reading.</p>
          <ul>
            {differences.map((text) => (
              <li key={text} className="break-words">
                <Words text={text} />
              </li>
            ))}
          </ul>
        </div>
        <Button tone="solid" onClick={onReread}>
          Reread
        </Button>
      </Notice>
    </div>
  );
}

/** In words; never empty. Pure. */
export function differencesOf(before: Request, now: Request): readonly string[] {
  const places = (request: Request): readonly string[] => request.paths.map((path) => `${path.access} \`${path.canonical ?? path.raw}\``);
  const gone = places(before).filter((place) => !places(now).includes(place));
  const come = places(now).filter((place) => !places(before).includes(place));
  const found = [
    ...gone.map((place) => `No longer: ${place}`),
    ...come.map((place) => `Now: ${place}`),
    ...(before.risk.level === now.risk.level ? [] : [`Risk was ${before.risk.level}, is ${now.risk.level}.`]),
    ...(JSON.stringify(before.input) === JSON.stringify(now.input) ? [] : ['The input is another.']),
  ];
  return found.length > 0 ? found : ['What the call would touch is not what it was.'];
}
