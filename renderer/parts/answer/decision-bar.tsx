// The bar that answers a request: Allow once, a wider scope, Deny, Deny with note; for high risk the safe answer first and an
// acknowledgement before the other. Nothing is shown as decided before main says so.

import { type ReactNode, useState } from 'react';
import type { Request } from '../../../shared/model';
import { decisiveFact, durationText } from '../../../shared/sentences';
import { type Answer, answer, answerAll, useAnswers } from '../../answer';
import { useArmed } from '../../arming';
import { useOffline } from '../../command';
import { putAside, takeBack, useInbox } from '../../inbox-view';
import { useKey } from '../../keyboard';
import { keyCap } from '../../keys';
import { door, projectionNow, useProjection } from '../../store';
import { useNow } from '../clock';
import { Button, FailureNote, Words } from '../controls';
import { focusDetail } from '../queue-focus';
import { DenyNote } from './note';
import { ScopeDial } from './scope-dial';

const JUST_APPEARED = 'Just appeared.';

/** Remounted for each request and each version of it, so that nothing of the one before is left. */
export function DecisionBar({ request }: { readonly request: Request }) {
  const offline = useOffline();
  const isArmed = useArmed(`${request.id} ${request.digest}`);
  const sending = useAnswers((state) => state.sending.get(request.id) ?? null);
  const failure = useAnswers((state) => state.failures.get(request.id) ?? null);
  const note = useInbox((state) => state.notes.get(request.id) ?? null);
  const others = useProjection((projection) => projection.sessions.get(request.session_id)?.pending ?? 1) - 1;
  const isAside = useInbox((state) => state.aside.get(request.id) === request.digest);
  const [showsScopes, setShowsScopes] = useState(false);
  const [isAcknowledged, setIsAcknowledged] = useState(false);
  const isHigh = request.risk.level === 'high';
  const isMac = door().platform === 'darwin';
  const fact = decisiveFact(request);

  const give = (given: Answer): void => void answer(request, given);
  const setNote = (text: string | null): void =>
    useInbox.setState(({ notes }) => ({
      notes: new Map([...[...notes].filter(([id]) => id !== request.id), ...(text === null ? [] : [[request.id, text] as const])]),
    }));
  const denyAll = async (given: Answer, withOthers: boolean): Promise<void> => {
    const rest = [...projectionNow().pending.values()].filter((one) => one.session_id === request.session_id && one.id !== request.id);
    setNote(null);
    if (await answer(request, given)) {
      if (withOthers) await answerAll(rest, { action: 'deny', ...(given.note === undefined ? {} : { note: given.note }) });
    } else setNote(given.note ?? '');
  };

  const whyNotAllow = offline ?? (isHigh && !isAcknowledged ? 'Acknowledge the fact above first.' : null);
  const holds = !isArmed || sending !== null;
  const mayAllow = whyNotAllow === null && !holds;
  const allow = (): void => give({ action: 'approve', scope: 'once' });
  const openNote = (): void => setNote(note ?? '');
  const closeNote = (): void => {
    setNote(null);
    focusDetail();
  };

  useKey('allow', () => mayAllow && allow(), !isHigh);
  useKey('scopes', () => setShowsScopes((shown) => !shown), !isHigh);
  useKey('deny', () => offline === null && !holds && give({ action: 'deny' }));
  useKey('deny_note', openNote);
  useKey('acknowledge', () => setIsAcknowledged((is) => !is), isHigh);
  useKey('confirm', () => mayAllow && allow(), isHigh && note === null);
  useKey('aside', () => (isAside ? takeBack(request.id) : putAside(request)));
  useKey('back', () => (note === null ? setShowsScopes(false) : closeNote()), note !== null || showsScopes);

  const allowOnce = (
    <Button
      tone={isHigh ? 'plain' : 'solid'}
      keyCap={keyCap(isHigh ? 'confirm' : 'allow', isMac)}
      blocked={whyNotAllow}
      holds={holds}
      title={isArmed ? undefined : JUST_APPEARED}
      onClick={allow}
    >
      {sending === 'approve' ? 'Sending' : 'Allow once'}
    </Button>
  );
  const deny = (
    <Button tone={isHigh ? 'solid' : 'deny'} keyCap={keyCap('deny', isMac)} blocked={offline} holds={holds} onClick={() => give({ action: 'deny' })}>
      {sending === 'deny' ? 'Sending' : 'Deny'}
    </Button>
  );
  const denyWithNote = (
    <Button keyCap={keyCap('deny_note', isMac)} aria-expanded={note !== null} blocked={offline} onClick={openNote}>
      Deny with note
    </Button>
  );
  return (
    <fieldset aria-label="Answer" className="shrink-0 border-t border-hair bg-panel px-4 py-3 wide:px-6">
      <div className="grid max-w-[61rem] gap-2">
        <FailureNote failure={failure} />
        <Waiting request={request} />
        {showsScopes && !isHigh ? (
          <div className="max-h-[42vh] overflow-auto">
            <ScopeDial request={request} blocked={whyNotAllow} holds={holds} onChoose={give} />
          </div>
        ) : null}
        {note === null ? null : (
          <DenyNote
            request={request}
            note={note}
            onNote={setNote}
            others={Math.max(others, 0)}
            isSending={sending === 'deny'}
            blocked={offline ?? (sending === null ? null : 'Sending.')}
            keyCap={keyCap('confirm', isMac)}
            onSend={(given, withOthers) => void denyAll(given, withOthers)}
            onBack={closeNote}
          />
        )}
        {isHigh ? (
          <label className="flex min-h-7 items-start gap-2 py-1">
            <input type="checkbox" className="mt-0.5" checked={isAcknowledged} onChange={(event) => setIsAcknowledged(event.target.checked)} />
            <span className="min-w-0 break-words">
              I have read it: <Words text={fact ?? 'this call is of high risk'} />
            </span>
          </label>
        ) : null}
        <Buttons>
          {isHigh ? (
            <>
              {deny}
              {denyWithNote}
              <span className="flex-1" />
              {allowOnce}
            </>
          ) : (
            <>
              {allowOnce}
              <Button keyCap={keyCap('scopes', isMac)} aria-expanded={showsScopes} onClick={() => setShowsScopes((shown) => !shown)}>
                More scopes
              </Button>
              <span className="flex-1" />
              {deny}
              {denyWithNote}
            </>
          )}
        </Buttons>
      </div>
    </fieldset>
  );
}

const Buttons = ({ children }: { readonly children: ReactNode }) => <div className="flex flex-wrap items-center gap-2">{children}</div>;

const SOON_MS = 60_000;
const URGENT_MS = 20_000;

/** How long there is to answer, and whether anybody waits for it. Never a promise that time allows. */
function Waiting({ request }: { readonly request: Request }) {
  const now = useNow();
  const leftMs = request.expires_at === null ? null : Date.parse(request.expires_at) - now;
  if (leftMs !== null && leftMs < SOON_MS) {
    return (
      <p role={leftMs < URGENT_MS ? 'alert' : undefined} className="text-care">
        {/* The clock does not interrupt: what is read out is said once. */}
        <span className="sr-only">Less than {leftMs < URGENT_MS ? '20 seconds' : 'a minute'} to answer.</span>
        <span aria-hidden="true">Answer within {durationText(leftMs)}: after that it ends unanswered and the agent is refused.</span>
      </p>
    );
  }
  return request.detached ? <p className="text-quiet">The agent is not connected at this moment. It gets the answer when it comes back.</p> : null;
}
