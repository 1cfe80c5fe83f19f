// Inbox: what waits, grouped by session, and the request that is being answered. Owns selection and the moment a settled
// row stays; the answer itself is in parts/decision-bar.tsx.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Request } from '../../shared/model';
import { actionSentence, agentName, durationText, outcomeSentence } from '../../shared/sentences';
import { inboxRows, nextSelection, requestIds } from '../inbox-rows';
import { useNow } from '../parts/clock';
import { Empty, RiskMark, Screen } from '../parts/controls';
import { Panes } from '../parts/panes';
import { RequestDetail } from '../parts/request-detail';
import { useProjection, useStore } from '../store';

/** How long a settled row stays with its outcome. */
const LINGER_MS = 1_000;
const ROW_PX = 48;
const HEADER_PX = 32;

export function InboxScreen() {
  const pending = useProjection((projection) => projection.pending);
  const lingering = useLingering(pending);
  const rows = useMemo(() => inboxRows(pending, lingering), [pending, lingering]);
  const { selectedId, select } = useStore();
  const [showsDetail, setShowsDetail] = useState(false);

  // Selection moves on only when its request has left; what arrives never moves it (ux 4).
  const before = useRef(rows);
  useEffect(() => {
    const next = nextSelection(before.current, rows, selectedId);
    before.current = rows;
    if (next !== selectedId) select(next);
  }, [rows, selectedId, select]);

  const selected = [...pending, ...lingering].find((request) => request.id === selectedId) ?? null;
  if (rows.length === 0) {
    return (
      <Screen title="Inbox">
        <NothingWaits />
      </Screen>
    );
  }
  return (
    <Screen title="Inbox">
      <Panes
        list={<RequestList rows={rows} selectedId={selectedId} onSelect={select} onOpen={() => setShowsDetail(true)} />}
        detail={selected === null ? <Empty title="No request is selected." /> : <RequestDetail key={selected.id} request={selected} />}
        showsDetail={showsDetail}
        onBack={() => setShowsDetail(false)}
      />
    </Screen>
  );
}

function RequestList({
  rows,
  selectedId,
  onSelect,
  onOpen,
}: {
  readonly rows: ReturnType<typeof inboxRows>;
  readonly selectedId: string | null;
  onSelect(id: string): void;
  onOpen(): void;
}) {
  const sessions = useProjection((projection) => projection.sessions);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'session' ? HEADER_PX : ROW_PX),
    overscan: 10,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : row.type === 'session' ? `session ${row.sessionId}` : row.request.id;
    },
  });
  const move = (by: 1 | -1): void => {
    const ids = requestIds(rows);
    const at = selectedId === null ? -1 : ids.indexOf(selectedId);
    const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)];
    if (next === undefined) return;
    onSelect(next);
    virtual.scrollToIndex(rows.findIndex((row) => row.type === 'request' && row.request.id === next));
  };
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Requests"
      tabIndex={0}
      data-queue=""
      aria-activedescendant={selectedId === null ? undefined : `request-${selectedId}`}
      className="h-full overflow-auto outline-offset-[-2px]"
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'ArrowDown' || event.key === 'j') {
          event.preventDefault();
          move(1);
        } else if (event.key === 'ArrowUp' || event.key === 'k') {
          event.preventDefault();
          move(-1);
        } else if (event.key === 'Enter' || event.key === 'ArrowRight') {
          event.preventDefault();
          onOpen();
          document.getElementById('request-detail')?.focus();
        }
      }}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const place = { position: 'absolute', insetInline: 0, height: item.size, transform: `translateY(${item.start}px)` } as const;
          if (row.type === 'session') {
            const session = sessions.get(row.sessionId);
            return (
              <div key={item.key} role="presentation" style={place} className="flex items-end gap-2 px-3 pb-1 text-quiet">
                <span className="min-w-0 flex-1 truncate font-medium">{session?.title || session?.root || 'Session'}</span>
                <span className="whitespace-nowrap">{row.waiting} waiting</span>
              </div>
            );
          }
          return (
            <Row
              key={item.key}
              request={row.request}
              isSelected={row.request.id === selectedId}
              place={place}
              onSelect={() => {
                onSelect(row.request.id);
                onOpen();
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

function Row({
  request,
  isSelected,
  place,
  onSelect,
}: {
  readonly request: Request;
  readonly isSelected: boolean;
  readonly place: React.CSSProperties;
  onSelect(): void;
}) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const now = useNow();
  return (
    // The listbox has the focus and the keys; a row is only pointed at.
    <div
      id={`request-${request.id}`}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      style={place}
      onClick={onSelect}
      onKeyDown={undefined}
      className="grid content-center gap-0.5 border-b border-hair px-3 aria-selected:bg-chosen"
    >
      <span className="truncate">{actionSentence(request, session)}</span>
      <span className="flex gap-2 text-quiet">
        <span className="min-w-0 flex-1 truncate">
          {agentName(request.agent)}
          {request.decision === null ? `, ${durationText(now - Date.parse(request.created_at))}` : ''}
        </span>
        {request.decision === null ? <RiskMark level={request.risk.level} /> : <Outcome request={request} />}
      </span>
    </div>
  );
}

function Outcome({ request }: { readonly request: Request }) {
  if (request.decision === null) return null;
  const tone = request.decision.status === 'allowed' ? 'text-allow' : request.decision.status === 'denied' ? 'text-deny' : 'text-quiet';
  return <span className={`whitespace-nowrap ${tone}`}>{outcomeSentence(request.decision)}</span>;
}

/** Requests that have just left the pending list, for LINGER_MS each. */
function useLingering(pending: readonly Request[]): readonly Request[] {
  const recent = useProjection((projection) => projection.recent);
  const before = useRef<ReadonlyMap<string, Request>>(new Map());
  const [lingering, setLingering] = useState<readonly Request[]>([]);
  useEffect(() => {
    const ids = new Set(pending.map((request) => request.id));
    const left = [...before.current.keys()].filter((id) => !ids.has(id));
    before.current = new Map(pending.map((request) => [request.id, request]));
    const settled = recent.filter((request) => left.includes(request.id));
    if (settled.length === 0) return;
    setLingering((shown) => [...shown, ...settled]);
    window.setTimeout(() => setLingering((shown) => shown.filter((request) => !settled.includes(request))), LINGER_MS);
  }, [pending, recent]);
  return lingering;
}

function NothingWaits() {
  const recent = useProjection((projection) => projection.recent).slice(0, 3);
  const sessions = useProjection((projection) => projection.sessions);
  const working = [...sessions.values()].filter((session) => session.state !== 'ended').length;
  if (recent.length === 0 && working === 0) {
    return (
      <Empty title="No agent is connected.">
        <p>
          <Link href="/agents" className="text-accent underline">
            Connect an agent
          </Link>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is waiting.">
      <ul className="grid gap-1 text-left">
        {recent.map((request) => (
          <li key={request.id} className="flex gap-3">
            <span className="min-w-0 truncate">{actionSentence(request, sessions.get(request.session_id))}</span>
            <Outcome request={request} />
          </li>
        ))}
      </ul>
      <p>{working === 1 ? '1 session is open.' : `${working} sessions are open.`}</p>
    </Empty>
  );
}
