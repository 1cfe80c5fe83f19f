// Activity: what happened, newest first, as the hash-chained log has it. Entries are never edited here either.

import { useVirtualizer } from '@tanstack/react-virtual';
import { X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Draft, Output } from '../../shared/commands';
import type { Failure } from '../../shared/failure';
import type { Activity } from '../../shared/model';
import { actorName, agentName } from '../../shared/sentences';
import { CAUSES } from '../../shared/terms';
import { entryParts, withNewest } from '../activity-log';
import { useAsked, useCommand } from '../command';
import { useKey } from '../keyboard';
import { Button, Empty, Fact, Facts, FailureNote, IconButton, Notice, Words } from '../parts/controls';
import { walkList } from '../parts/list-keys';
import { Hero } from '../parts/request/hero';
import { SentText } from '../parts/request/sent-text';
import { Trace } from '../parts/request/trace';
import { TextLink } from '../parts/request/why';
import { Page } from '../parts/screen';
import { invoke, useProjection } from '../store';

const PAGE = 100;
const ROW_PX = 30;
/** So long the screen waits for more changes before it reads the log again. */
const SETTLE_MS = 300;

type Filter = Pick<Draft<'activity.list'>, 'search' | 'agent' | 'cause' | 'since'>;
const PERIODS = { today: 'Today', week: 'Last 7 days', all: 'All time' } as const;
type Period = keyof typeof PERIODS;

function sinceOf(period: Period): Filter {
  if (period === 'all') return {};
  const at = new Date();
  if (period === 'today') at.setHours(0, 0, 0, 0);
  else at.setDate(at.getDate() - 7);
  return { since: at.toISOString() };
}

export function ActivityScreen() {
  const agents = useProjection((projection) => [...new Set([...projection.sessions.values()].map((session) => session.agent))]);
  const [search, setSearch] = useState('');
  const [agent, setAgent] = useState('');
  const [cause, setCause] = useState('');
  const [period, setPeriod] = useState<Period>('all');
  const field = useRef<HTMLInputElement>(null);
  useKey('search', () => field.current?.focus());
  const log = useLog(search.trim(), agent, cause, period);
  const [chosenSeq, setChosenSeq] = useState<number | null>(null);
  const chosen = log.items.find((entry) => entry.seq === chosenSeq) ?? null;
  const isFiltered = search.trim() !== '' || agent !== '' || cause !== '' || period !== 'all';
  return (
    <Page
      title="Activity"
      tools={
        <>
          <Pick label="Time" value={period} options={Object.entries(PERIODS)} onChange={(value) => setPeriod(value as Period)} />
          <Pick
            label="Agent"
            value={agent}
            options={[['', 'All agents'], ...agents.map((one): [string, string] => [one, agentName(one)])]}
            onChange={setAgent}
          />
          <Pick
            label="Cause"
            value={cause}
            options={[['', 'All causes'], ...CAUSES.map((one): [string, string] => [one, one.replace('_', ' ')])]}
            onChange={setCause}
          />
          <input
            ref={field}
            type="search"
            aria-label="Search"
            placeholder="Search"
            className="field !w-44"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <Verify />
        </>
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        {log.failure === null ? null : (
          <div className="p-3">
            <FailureNote failure={log.failure} />
          </div>
        )}
        <div className="flex min-h-0 flex-1">
          <div className={`min-h-0 min-w-0 flex-1 ${chosen === null ? '' : 'max-wide:hidden'}`}>
            {log.isLoaded && log.items.length === 0 ? (
              <Empty title={isFiltered ? 'Nothing matches.' : 'Nothing has happened yet.'} />
            ) : (
              <Entries items={log.items} chosenSeq={chosenSeq} isNarrow={chosen !== null} onChoose={setChosenSeq} onEnd={log.more} />
            )}
          </div>
          {chosen === null ? null : <Entry key={chosen.seq} entry={chosen} onClose={() => setChosenSeq(null)} />}
        </div>
      </div>
    </Page>
  );
}

function Pick({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  onChange(value: string): void;
}) {
  return (
    <select aria-label={label} className="field !w-auto" value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The hash chain, checked by main from its first entry to its last. */
function Verify() {
  const { run, failure, isBusy, blocked } = useCommand();
  const [result, setResult] = useState<Output<'activity.verify'> | null>(null);
  return (
    <>
      <Button
        size="small"
        blocked={blocked}
        onClick={() => void run('activity.verify', {}).then((answer) => setResult(answer.ok ? answer.value : null))}
      >
        {isBusy ? 'Verifying' : 'Verify'}
      </Button>
      {failure === null && result === null ? null : (
        <div className="basis-full">
          <FailureNote failure={failure} />
          {result === null ? null : (
            <Notice tone={result.intact ? 'quiet' : 'care'}>
              <p role="status" className="flex-1">
                {result.intact ? `No entry was changed: ${result.entries.toLocaleString('en')} checked.` : result.detail}
              </p>
              <Button size="small" onClick={() => setResult(null)}>
                Close
              </Button>
            </Notice>
          )}
        </div>
      )}
    </>
  );
}

interface Log {
  readonly items: readonly Activity[];
  readonly isLoaded: boolean;
  readonly failure: Failure | null;
  more(): void;
}

/** The log under a filter, kept up to date while things happen; older pages when they are asked for. */
function useLog(search: string, agent: string, cause: string, period: Period): Log {
  const revision = useProjection((projection) => projection.revision);
  const [state, setState] = useState<{
    readonly items: readonly Activity[];
    readonly next: string | null;
    readonly isLoaded: boolean;
    readonly failure: Failure | null;
  }>({
    items: [],
    next: null,
    isLoaded: false,
    failure: null,
  });
  const turn = useRef(0);
  const isLoading = useRef(false);
  const filter = useCallback(
    (): Filter => ({
      ...(search === '' ? {} : { search }),
      ...(agent === '' ? {} : { agent }),
      ...(cause === '' ? {} : { cause }),
      ...sinceOf(period),
    }),
    [search, agent, cause, period],
  );
  const load = useCallback(
    async (before: string | null, isFresh: boolean): Promise<void> => {
      const mine = turn.current;
      const result = await invoke('activity.list', { limit: PAGE, ...filter(), ...(before === null ? {} : { before }) });
      if (mine !== turn.current) return;
      setState((now) => {
        if (!result.ok) return { ...now, isLoaded: true, failure: result.failure };
        const { items, next } = result.value;
        if (before !== null) return { items: [...now.items, ...items], next, isLoaded: true, failure: null };
        const merged = isFresh ? items : withNewest(now.items, items);
        return { items: merged, next: merged === items ? next : now.next, isLoaded: true, failure: null };
      });
    },
    [filter],
  );
  useEffect(() => {
    turn.current += 1;
    const timer = window.setTimeout(() => void load(null, true), SETTLE_MS / 2);
    return () => window.clearTimeout(timer);
  }, [load]);
  const latest = useRef(revision);
  useEffect(() => {
    if (latest.current === revision) return;
    const timer = window.setTimeout(() => {
      latest.current = revision;
      void load(null, false);
    }, SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [revision, load]);
  const more = useCallback(() => {
    if (state.next === null || isLoading.current) return;
    isLoading.current = true;
    void load(state.next, false).finally(() => {
      isLoading.current = false;
    });
  }, [load, state.next]);
  return { items: state.items, isLoaded: state.isLoaded, failure: state.failure, more };
}

const TONES = { allowed: 'text-allow', denied: 'text-deny', blocked: 'text-care', staged: 'text-care' } as const;

function Entries({
  items,
  chosenSeq,
  isNarrow,
  onChoose,
  onEnd,
}: {
  readonly items: readonly Activity[];
  readonly chosenSeq: number | null;
  /** An entry is open beside it. */
  readonly isNarrow: boolean;
  onChoose(seq: number): void;
  onEnd(): void;
}) {
  const sessions = useProjection((projection) => projection.sessions);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    getItemKey: (index) => items[index]?.seq ?? index,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= items.length - 10 && items.length > 0) onEnd();
  }, [last, items.length, onEnd]);
  const isChosenShown = shown.some((item) => items[item.index]?.seq === chosenSeq);
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Entries"
      tabIndex={0}
      aria-activedescendant={isChosenShown ? `entry-${chosenSeq}` : undefined}
      className="h-full overflow-auto -outline-offset-2"
      onKeyDown={(event) =>
        walkList(event, {
          ids: items.map((entry) => String(entry.seq)),
          selectedId: chosenSeq === null ? null : String(chosenSeq),
          onSelect: (id) => {
            onChoose(Number(id));
            virtual.scrollToIndex(items.findIndex((entry) => entry.seq === Number(id)));
          },
          onOpen: () => document.getElementById('entry')?.focus(),
        })
      }
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {shown.map((item) => {
          const entry = items[item.index];
          if (entry === undefined) return null;
          const { text, outcome } = entryParts(entry);
          const session = entry.session_id === null ? undefined : sessions.get(entry.session_id);
          return (
            <div
              key={item.key}
              id={`entry-${entry.seq}`}
              role="option"
              tabIndex={-1}
              aria-selected={entry.seq === chosenSeq}
              aria-posinset={item.index + 1}
              aria-setsize={-1}
              onClick={() => onChoose(entry.seq)}
              onKeyDown={undefined}
              style={{ position: 'absolute', insetInline: 0, height: item.size, transform: `translateY(${item.start}px)` }}
              className="flex items-center gap-x-3 border-b border-hair px-4 hover:bg-sunk aria-selected:bg-chosen wide:px-6"
            >
              <time dateTime={entry.at} className="w-16 shrink-0 text-quiet tabular-nums">
                {timeOf(entry.at)}
              </time>
              <span className={`w-16 shrink-0 ${outcome === null ? 'text-quiet' : TONES[outcome.word]}`}>{outcome?.word ?? ''}</span>
              <span className={`w-24 shrink-0 truncate text-quiet max-wide:hidden ${isNarrow ? 'hidden' : ''}`}>
                {outcome === null ? '' : outcome.cause.replace('_', ' ')}
              </span>
              <span className="min-w-0 flex-1 truncate">
                <Words text={text} />
              </span>
              <span className={`w-36 shrink-0 truncate text-quiet max-wide:hidden ${isNarrow ? 'hidden' : ''}`}>
                {entry.agent === null ? actorName(entry.actor) : agentName(entry.agent)}
              </span>
              <span className={`w-20 shrink-0 truncate text-quiet max-wide:hidden ${isNarrow ? 'hidden' : ''}`}>{session?.title ?? ''}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The time of day; the day where it is another. */
function timeOf(iso: string): string {
  const at = new Date(iso);
  return at.toDateString() === new Date().toDateString()
    ? at.toLocaleTimeString('en-GB')
    : at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** One entry, with the call it is about, the trace and the note, and the entry itself as it is in the chain. */
function Entry({ entry, onClose }: { readonly entry: Activity; onClose(): void }) {
  const asked = useAsked('request.get', entry.request_id === null ? null : { id: entry.request_id });
  const session = useProjection((projection) => (entry.session_id === null ? undefined : projection.sessions.get(entry.session_id)));
  const request = asked.value;
  useKey('back', onClose);
  return (
    <section
      id="entry"
      tabIndex={-1}
      aria-labelledby="entry-title"
      className="min-h-0 w-full overflow-auto border-hair -outline-offset-2 wide:w-[28rem] wide:shrink-0 wide:border-l"
    >
      <div className="grid gap-4 p-4">
        <header className="flex items-start gap-2">
          <h2 id="entry-title" className="min-w-0 flex-1 break-words">
            <Words text={entry.summary} />
          </h2>
          <IconButton label="Close the entry" onClick={onClose}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </header>
        <Facts>
          <Fact name="When">{new Date(entry.at).toLocaleString('en-GB')}</Fact>
          <Fact name="Who">{actorName(entry.actor)}</Fact>
          {session === undefined ? null : (
            <Fact name="Session">
              <TextLink to={`/sessions/${session.id}`}>{session.title || session.root || session.id}</TextLink>
            </Fact>
          )}
          {request?.decision?.note == null ? null : <Fact name="Note">{request.decision.note}</Fact>}
          {request?.decision == null || request.decision.message === '' ? null : <Fact name="The agent was told">{request.decision.message}</Fact>}
        </Facts>
        {request === null ? null : (
          <>
            <Hero request={request} />
            <section aria-label="Trace" className="overflow-x-auto">
              <h3 className="pb-1">Trace</h3>
              <Trace steps={request.decision?.trace ?? request.trace ?? []} />
            </section>
          </>
        )}
        <section aria-label="The entry itself">
          <h3 className="pb-1">Entry {entry.seq.toLocaleString('en')}</h3>
          <SentText text={JSON.stringify({ type: entry.type, actor: entry.actor, data: entry.data, hash: entry.hash }, null, 2)} />
        </section>
      </div>
    </section>
  );
}
