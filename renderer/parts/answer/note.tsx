// Denial with words: the note the agent gets, what was written lately to choose from, and how far the denial goes.

import { useId, useMemo, useState } from 'react';
import type { Request } from '../../../shared/model';
import type { Scope } from '../../../shared/terms';
import type { Answer } from '../../answer';
import { useKey } from '../../keyboard';
import { useProjection } from '../../store';
import { Button, Check } from '../controls';

const SUGGESTED = ['Not in this ticket.', 'Ask me first.', 'Stop, and explain what you are doing.'];
const SHOWN_NOTES = 5;

/** Notes of one's own, the latest first, then some that fit often. Pure. */
export function noteSuggestions(recent: readonly Request[]): readonly string[] {
  const own = recent.flatMap(({ decision }) => (decision?.cause === 'human' && decision.status === 'denied' && decision.note ? [decision.note] : []));
  return [...new Set([...own, ...SUGGESTED])].slice(0, SHOWN_NOTES);
}

const SCOPE_WORDS: Readonly<Record<Exclude<Scope, 'timed'>, string>> = {
  once: 'this call only',
  session: 'calls like it, this session',
  ticket: 'calls like it, this ticket',
  project: 'calls like it, this project',
  always: 'calls like it, always',
};

export function DenyNote({
  request,
  note,
  onNote,
  others,
  isSending,
  blocked,
  keyCap,
  onSend,
  onBack,
}: {
  readonly request: Request;
  readonly note: string;
  onNote(note: string): void;
  /** Further requests of the session that wait. */
  readonly others: number;
  readonly isSending: boolean;
  readonly blocked: string | null;
  readonly keyCap: string;
  onSend(answer: Answer, withOthers: boolean): void;
  onBack(): void;
}) {
  const id = useId();
  const recent = useProjection((projection) => projection.recent);
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const suggestions = useMemo(() => noteSuggestions(recent), [recent]);
  const [scope, setScope] = useState<Exclude<Scope, 'timed'>>('once');
  const [withOthers, setWithOthers] = useState(false);
  const scopes = (['once', 'session', 'ticket', 'project', 'always'] as const).filter(
    (one) => (one !== 'ticket' || session?.ticket_id != null) && (one !== 'project' || session?.project_id != null),
  );
  const why = note.trim() === '' ? 'Write what the agent should know.' : blocked;
  const send = (): void => {
    if (why === null) onSend({ action: 'deny', note: note.trim(), ...(scope === 'once' ? {} : { scope }) }, withOthers);
  };
  useKey('confirm', send);
  return (
    <div className="grid gap-2 rounded-md border border-hair p-3">
      <label htmlFor={id} className="font-medium">
        Tell the agent
      </label>
      <input
        id={id}
        ref={focusOnce}
        className="field"
        value={note}
        maxLength={10_000}
        onChange={(event) => onNote(event.target.value)}
        autoComplete="off"
      />
      <fieldset className="flex flex-wrap gap-1" aria-label="Notes to choose from">
        {suggestions.map((text) => (
          <Button key={text} size="small" className="max-w-full" title={text} onClick={() => onNote(text)}>
            <span className="max-w-60 truncate">{text}</span>
          </Button>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-7 items-center gap-2">
          <span className="text-quiet">Denies</span>
          <select className="field !w-auto" value={scope} onChange={(event) => setScope(event.target.value as typeof scope)}>
            {scopes.map((one) => (
              <option key={one} value={one}>
                {SCOPE_WORDS[one]}
              </option>
            ))}
          </select>
        </label>
        {others === 0 ? null : (
          <Check label={`Also deny the other ${others} waiting in this session`} checked={withOthers} onChange={setWithOthers} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button tone="solid" keyCap={keyCap} blocked={why} onClick={send}>
          {isSending ? 'Sending' : 'Send and deny'}
        </Button>
        <Button keyCap="Esc" onClick={onBack}>
          Keep the request
        </Button>
      </div>
    </div>
  );
}

/** The person asked for this field, by key or button. */
function focusOnce(element: HTMLInputElement | null): void {
  element?.focus();
}
