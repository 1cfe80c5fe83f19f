// The grant dial: what an answer could be remembered for, narrowest first, each line saying what it would cover. The engine
// computes the offers; nothing is invented here.

import { useEffect, useState } from 'react';
import type { Draft } from '../../shared/commands';
import type { Failure } from '../../shared/failure';
import type { Request, ScopeOffer } from '../../shared/model';
import type { Scope, Width } from '../../shared/terms';
import { bridge } from '../store';
import { Button, FailureNote } from './controls';

type Answer = Omit<Draft<'request.resolve'>, 'id' | 'digest'>;

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  once: 'Allow once',
  timed: 'Allow for 15 minutes',
  session: 'Allow this session',
  ticket: 'Allow for this ticket',
  project: 'Allow for this project',
  always: 'Always allow',
};
const WIDTH_WORDS: Readonly<Record<Width, string>> = {
  exact: 'this exact command',
  sub: 'this program and sub-command',
  program: 'this program',
  file: 'this file',
  folder: 'this folder',
  project_files: 'any file in the project',
  tool: 'this tool',
  server: 'every tool of this server',
};

export function ScopeDial({
  request,
  blocked,
  onChoose,
}: {
  readonly request: Request;
  readonly blocked: string | null;
  onChoose(answer: Answer): void;
}) {
  const [offers, setOffers] = useState<readonly ScopeOffer[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [width, setWidth] = useState<Width | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void bridge.invoke('request.scopes', { id: request.id }).then((result) => {
      if (!isCurrent) return;
      if (result.ok) setOffers(result.value.items);
      else setFailure(result.failure);
    });
    return () => {
      isCurrent = false;
    };
  }, [request.id]);
  if (failure !== null) return <FailureNote failure={failure} />;
  if (offers === null) return <p className="text-quiet">Asking what an answer could cover.</p>;
  const wider = offers.filter((offer) => offer.scope !== 'once');
  if (wider.length === 0) return <p className="text-quiet">This call can be allowed once only.</p>;
  const single = wider[0]?.parts.length === 1 ? wider[0].parts[0] : undefined;
  return (
    <fieldset className="grid gap-2 rounded-md border border-hair p-3">
      <legend className="px-1 font-medium">Remember the answer</legend>
      {single === undefined || single.widths.length < 2 ? null : (
        <label className="flex flex-wrap items-center gap-2">
          Reach
          <select
            className="min-h-7 rounded-md border border-line bg-sunk px-2"
            value={width ?? single.widths[0]?.width}
            onChange={(event) => setWidth(event.target.value as Width)}
          >
            {single.widths.map((one) => (
              <option key={one.width} value={one.width}>
                {WIDTH_WORDS[one.width]}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul className="grid gap-1">
        {wider.map((offer) => {
          const chosen = single === undefined || width === null || offer.parts[0]?.widths.every((one) => one.width !== width) ? undefined : width;
          return (
            <li key={offer.scope} className="flex flex-wrap items-center gap-3">
              <Button
                blocked={blocked}
                onClick={() => onChoose({ action: 'approve', scope: offer.scope, ...(chosen === undefined ? {} : { choice: chosen }) })}
              >
                {SCOPE_WORDS[offer.scope]}
              </Button>
              <span className="min-w-0 text-quiet break-words">{coversOf(offer, chosen)}</span>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function coversOf(offer: ScopeOffer, width: Width | undefined): string {
  return offer.parts.map((part) => (part.widths.find((one) => one.width === width) ?? part.widths[0])?.covers ?? part.subject).join('; ');
}
