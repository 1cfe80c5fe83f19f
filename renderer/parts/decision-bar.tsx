// The bar that answers a request: Allow once, a wider scope, Deny, Deny with note; for high risk the safe answer first and
// an acknowledgement before the other. Owns arming and the keys of the queue. Nothing is shown as decided before main says so.

import { useEffect, useId, useRef, useState } from 'react';
import type { Draft } from '../../shared/commands';
import type { Failure } from '../../shared/failure';
import type { Request } from '../../shared/model';
import { ARMING_MS, type Arming, bindingFor, keyCap } from '../keys';
import { bridge, useProjection, useStore } from '../store';
import { Button, FailureNote, INPUT } from './controls';
import { isField } from './focus';
import { ScopeDial } from './scope-dial';

type Answer = Omit<Draft<'request.resolve'>, 'id' | 'digest'>;

export function DecisionBar({ request, onTrace }: { readonly request: Request; onTrace(): void }) {
  const lettersOn = useProjection((projection) => projection.settings.single_letter_keys);
  const isOffline = useStore((state) => state.connection !== 'connected');
  const [isSending, setIsSending] = useState<'approve' | 'deny' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [showsScopes, setShowsScopes] = useState(false);
  const [isAcknowledged, setIsAcknowledged] = useState(false);
  const arming = useArming(request.id, lettersOn);
  const isArmed = useArmed(request.id);
  const noteId = useId();
  const isHigh = request.risk.level === 'high';
  const isMac = bridge.platform === 'darwin';
  const decisive = request.risk.facts.find((fact) => fact.level === 'high');

  async function send(answer: Answer): Promise<void> {
    if (isSending !== null) return;
    setIsSending(answer.action);
    setFailure(null);
    const result = await bridge.invoke('request.resolve', { ...answer, id: request.id, digest: request.digest });
    setIsSending(null);
    if (!result.ok) setFailure(result.failure);
  }

  const whyNotAllow = isOffline
    ? 'Gatehouse cannot be reached.'
    : !isArmed
      ? 'Just appeared.'
      : isHigh && !isAcknowledged
        ? 'Acknowledge the fact above first.'
        : null;
  const whyNotDeny = isOffline ? 'Gatehouse cannot be reached.' : null;
  const allow = (): void => void send({ action: 'approve', scope: 'once' });
  const deny = (): void => void send({ action: 'deny' });
  const denyWithNote = (): void => void send({ action: 'deny', note: note ?? '' });

  const act = useRef<(event: KeyboardEvent) => void>(() => undefined);
  act.current = (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const inNote = target?.id === noteId;
    const press = {
      key: event.key,
      mod: event.ctrlKey || event.metaKey,
      repeat: event.repeat,
      inField: isField(event.target) && !(inNote && (event.ctrlKey || event.metaKey)),
      inQueue: target?.closest('[data-queue]') !== null && target !== null,
      nowMs: performance.now(),
    };
    const binding = bindingFor(press, arming.current);
    switch (binding) {
      case 'allow':
        if (!isHigh && whyNotAllow === null) allow();
        return;
      case 'deny':
        if (whyNotDeny === null) deny();
        return;
      case 'deny_note':
        event.preventDefault();
        setNote((text) => text ?? '');
        return;
      case 'scopes':
        if (!isHigh) setShowsScopes((shown) => !shown);
        return;
      case 'confirm':
        if (note !== null) denyWithNote();
        else if (isHigh && whyNotAllow === null) allow();
        return;
      case 'trace':
        onTrace();
        return;
      case 'back':
        if (note !== null) setNote(null);
        else if (showsScopes) setShowsScopes(false);
        return;
      default:
        return;
    }
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => act.current(event);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const denyButtons = (
    <>
      <Button tone={isHigh ? 'solid' : 'plain'} keyCap={keyCap('deny', isMac)} blocked={whyNotDeny} onClick={deny}>
        {isSending === 'deny' ? 'Sending' : 'Deny'}
      </Button>
      <Button keyCap={keyCap('deny_note', isMac)} blocked={whyNotDeny} onClick={() => setNote((text) => text ?? '')}>
        Deny with note
      </Button>
    </>
  );
  return (
    <fieldset aria-label="Answer" className="grid gap-2 border-t border-hair bg-panel p-3">
      <FailureNote failure={failure} />
      {showsScopes ? <ScopeDial request={request} blocked={whyNotAllow} onChoose={(answer) => void send(answer)} /> : null}
      {isHigh ? (
        <label className="flex min-h-7 items-center gap-2">
          <input type="checkbox" className="size-4" checked={isAcknowledged} onChange={(event) => setIsAcknowledged(event.target.checked)} />I have
          read it: {decisive?.text ?? 'this call is of high risk'}
        </label>
      ) : null}
      {note === null ? null : (
        <div className="grid gap-1">
          <label htmlFor={noteId} className="font-medium">
            Tell the agent
          </label>
          {/* biome-ignore lint/a11y/noAutofocus: the person asked for this field, by key or button */}
          <input id={noteId} autoFocus className={INPUT} value={note} maxLength={10_000} onChange={(event) => setNote(event.target.value)} />
          <div className="flex flex-wrap gap-2">
            <Button
              tone="solid"
              keyCap={keyCap('confirm', isMac)}
              onClick={denyWithNote}
              blocked={note.trim() === '' ? 'Write what the agent should know.' : whyNotDeny}
            >
              {isSending === 'deny' ? 'Sending' : 'Send and deny'}
            </Button>
            <Button onClick={() => setNote(null)}>Keep the request</Button>
          </div>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {isHigh ? (
          <>
            {denyButtons}
            <Button keyCap={keyCap('confirm', isMac)} blocked={whyNotAllow} onClick={allow}>
              {isSending === 'approve' ? 'Sending' : 'Allow once'}
            </Button>
          </>
        ) : (
          <>
            <Button tone="solid" keyCap={keyCap('allow', isMac)} blocked={whyNotAllow} onClick={allow}>
              {isSending === 'approve' ? 'Sending' : 'Allow once'}
            </Button>
            <Button keyCap={keyCap('scopes', isMac)} aria-expanded={showsScopes} onClick={() => setShowsScopes((shown) => !shown)}>
              More scopes
            </Button>
            <span className="flex-1" />
            {denyButtons}
          </>
        )}
      </div>
    </fieldset>
  );
}

/** Times that the arming rules compare, kept out of render. */
function useArming(requestId: string, lettersOn: boolean): { readonly current: Arming } {
  const arming = useRef<Arming>({ shownAtMs: performance.now(), focusedAtMs: Number.NEGATIVE_INFINITY, lettersOn });
  useEffect(() => {
    arming.current = { ...arming.current, shownAtMs: performance.now() };
  }, [requestId]);
  useEffect(() => {
    arming.current = { ...arming.current, lettersOn };
  }, [lettersOn]);
  useEffect(() => {
    const onFocus = (): void => {
      arming.current = { ...arming.current, focusedAtMs: performance.now() };
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  return arming;
}

/** True once this request has been shown for ARMING_MS: a click in flight decides nothing either. */
function useArmed(requestId: string): boolean {
  const [armedId, setArmedId] = useState<string | null>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setArmedId(requestId), ARMING_MS);
    return () => window.clearTimeout(timer);
  }, [requestId]);
  return armedId === requestId;
}
