// Parts of a session's detail: its mode, its budget, text for it, drafted calls, what it did.

import { useMemo, useState } from 'react';
import type { OutboxItem, Request, SessionView } from '../../shared/model';
import { actionSentence, durationText, outcomeSentence } from '../../shared/sentences';
import { BUDGET_CEILINGS, type BudgetCeiling, MODES, type Mode } from '../../shared/terms';
import { useAsked, useCommand } from '../command';
import { CEILING_WORDS, LAYER_WORDS, MODE_WORDS } from '../context-fields';
import { useProjection } from '../store';
import { outcomeTone } from './answer/outcome';
import { useNow } from './clock';
import { Button, FailureNote, Field } from './controls';
import { Confirm } from './dialog';
import { KindIcon } from './kind-icon';
import { InputTable } from './request/input-table';

export function ModeField({ session, closed }: { readonly session: SessionView; readonly closed: string | null }) {
  const { run, failure, blocked } = useCommand();
  const [wantsFull, setWantsFull] = useState(false);
  const set = (mode: Mode | null): void => void run('session.mode', { session_id: session.id, mode });
  const inForce = session.effective_mode;
  return (
    <>
      <Field
        label="Mode"
        hint={inForce === null ? 'No mode: the rules decide.' : `In force: ${inForce}. ${MODE_WORDS[inForce]}.`}
        error={failure?.message}
      >
        {(bind) => (
          <select
            {...bind}
            className="field"
            value={session.mode ?? ''}
            disabled={closed !== null || blocked !== null}
            onChange={(event) => {
              const mode = event.target.value === '' ? null : (event.target.value as Mode);
              if (mode === 'full') setWantsFull(true);
              else set(mode);
            }}
          >
            <option value="">As the run context says</option>
            {MODES.map((mode) => (
              <option key={mode} value={mode}>
                {mode}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Confirm
        isOpen={wantsFull}
        title="Let this session do everything that is not hard"
        act="Set mode full"
        back="Keep the mode"
        onAct={() => set('full')}
        onBack={() => setWantsFull(false)}
      >
        <p>Every question that a rule would ask is answered with allow, for files and commands, inside and outside of its directories.</p>
        <p>What still holds: protected paths, hard rules, withheld tools, the plan phase, hooks and the budget.</p>
      </Confirm>
    </>
  );
}

/** Used and allowed, for each ceiling that is set, and what was counted where none is. */
export function BudgetMeters({ session }: { readonly session: SessionView }) {
  const now = useNow();
  const { usage } = session;
  const wallS = Math.max(
    0,
    Math.floor(((session.ended_at === null ? now : Date.parse(session.ended_at)) - Date.parse(session.resumed_at ?? session.created_at)) / 1000),
  );
  const used: Readonly<Record<BudgetCeiling, number>> = {
    max_turns: usage.turns,
    max_tool_calls: usage.tool_calls,
    max_output_tokens: usage.output_tokens,
    max_cost_usd: usage.cost_usd,
    max_wall_s: wallS,
  };
  return (
    <ul className="grid gap-x-6 gap-y-2 wide:grid-cols-2">
      {BUDGET_CEILINGS.map((name) => {
        const { value: limit, origin } = session.effective.ceilings[name];
        const text = (amount: number): string => (name === 'max_wall_s' ? durationText(amount * 1000) : amount.toLocaleString('en'));
        return (
          <li key={name} className="grid gap-1">
            <span className="flex justify-between gap-3">
              <span>{CEILING_WORDS[name].label.replace(' in seconds', '')}</span>
              <span className="text-quiet tabular-nums">
                {limit === null ? text(used[name]) : `${text(used[name])} of ${text(limit)}, ${LAYER_WORDS[origin]}`}
              </span>
            </span>
            {limit === null ? null : (
              <meter
                className="h-1.5 w-full"
                aria-label={CEILING_WORDS[name].label}
                min={0}
                max={Math.max(limit, 1)}
                high={limit * 0.9}
                value={Math.min(used[name], Math.max(limit, 1))}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

export function Steering({ sessionId }: { readonly sessionId: string }) {
  const { run, failure, blocked } = useCommand();
  const [text, setText] = useState('');
  const [isQueued, setIsQueued] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run('session.steer', { session_id: sessionId, text }).then((result) => {
          setIsQueued(result.ok);
          if (result.ok) setText('');
        });
      }}
    >
      <Field label="Tell the agent something" hint="It reads this with its next tool result or prompt, once." error={failure?.message}>
        {(bind) => (
          <div className="flex flex-wrap gap-2">
            <input
              {...bind}
              className="field min-w-40 flex-1"
              value={text}
              autoComplete="off"
              onChange={(event) => {
                setText(event.target.value);
                setIsQueued(false);
              }}
            />
            <Button type="submit" blocked={blocked ?? (text.trim() === '' ? 'Write something first.' : null)}>
              Queue text
            </Button>
          </div>
        )}
      </Field>
      <p role="status" className="text-quiet">
        {isQueued ? 'Queued.' : ''}
      </p>
    </form>
  );
}

/** Calls of this session that wait to be released. */
export function Drafted({ items }: { readonly items: readonly OutboxItem[] }) {
  return (
    <ul>
      {items.map((item) => (
        <DraftedCall key={item.id} item={item} />
      ))}
    </ul>
  );
}

function DraftedCall({ item }: { readonly item: OutboxItem }) {
  const { run, failure, blocked } = useCommand();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="grid gap-2 border-t border-hair py-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 break-words">{item.summary || item.tool}</span>
        <Button size="small" tone="ghost" aria-expanded={isOpen} onClick={() => setIsOpen((open) => !open)}>
          Input
        </Button>
        <Button size="small" blocked={blocked} onClick={() => void run('outbox.release', { id: item.id })}>
          Release
        </Button>
        <Button size="small" tone="deny" blocked={blocked} onClick={() => void run('outbox.reject', { id: item.id })}>
          Reject
        </Button>
      </div>
      {isOpen ? <InputTable input={item.edited_input ?? item.input} /> : null}
      <FailureNote failure={failure} />
    </li>
  );
}

const SHOWN = 20;

/** What the session asked for, the latest first, read when it is looked at. */
export function Timeline({ session }: { readonly session: SessionView }) {
  const recent = useProjection((projection) => projection.recent);
  const latest = useMemo(() => recent.find((request) => request.session_id === session.id)?.id ?? null, [recent, session.id]);
  const asked = useAsked('request.list', { session_id: session.id, limit: SHOWN }, latest);
  if (asked.failure !== null) return <FailureNote failure={asked.failure} />;
  if (asked.value === null) return <p className="text-quiet">Reading what it did.</p>;
  const settled = asked.value.items.filter((request) => request.decision !== null);
  if (settled.length === 0) return <p className="text-quiet">Nothing was decided for it yet.</p>;
  return (
    <ol>
      {settled.map((request) => (
        <Done key={request.id} request={request} session={session} />
      ))}
    </ol>
  );
}

function Done({ request, session }: { readonly request: Request; readonly session: SessionView }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-t border-hair py-1">
      <time dateTime={request.created_at} className="text-quiet tabular-nums">
        {new Date(request.created_at).toLocaleTimeString('en-GB')}
      </time>
      <span className="text-quiet">
        <KindIcon kind={request.kind} />
      </span>
      <span className="min-w-40 flex-1 truncate">{actionSentence(request, session, 120)}</span>
      <span className={outcomeTone(request)}>{request.decision === null ? '' : outcomeSentence(request.decision)}</span>
    </li>
  );
}
