// The queue as a list: two lines a request, under the session it belongs to. One tab stop; only what is in view is in the
// page. New requests are appended and move nothing.

import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import type { Request } from '../../shared/model';
import { actionParts, agentName, durationText, outcomeSentence } from '../../shared/sentences';
import { useAnswers } from '../answer';
import { type InboxRow, requestIds } from '../inbox-rows';
import { takeBack, useInbox } from '../inbox-view';
import { useProjection } from '../store';
import { outcomeTone } from './answer/outcome';
import { useNow } from './clock';
import { RiskMark } from './controls';
import { KindIcon } from './kind-icon';
import { walkList } from './list-keys';
import { focusDetail, QUEUE } from './queue-focus';

const ROW_PX = 48;
const HEADER_PX = 34;

export function RequestList({
  rows,
  selectedId,
  onSelect,
  onOpen,
}: {
  readonly rows: readonly InboxRow[];
  readonly selectedId: string | null;
  onSelect(id: string): void;
  onOpen(): void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => requestIds(rows), [rows]);
  const places = useMemo(() => new Map(ids.map((id, index) => [id, index + 1])), [ids]);
  const selectedIndex = useMemo(() => rows.findIndex((row) => row.type === 'request' && row.request.id === selectedId), [rows, selectedId]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'request' ? ROW_PX : HEADER_PX),
    overscan: 8,
    getItemKey: (index) => keyOf(rows[index], index),
    // The option that the list names has to be in the page, wherever the list is scrolled to.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(startIndex - overscan, 0);
      const last = Math.min(endIndex + overscan, count - 1);
      const shown = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      if (selectedIndex < 0 || (selectedIndex >= first && selectedIndex <= last)) return shown;
      return selectedIndex < first ? [selectedIndex, ...shown] : [...shown, selectedIndex];
    },
  });
  // Brought into view when the choice moves, not when rows do.
  const scrollTo = useRef<() => void>(() => undefined);
  useEffect(() => {
    scrollTo.current = () => {
      if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex);
    };
  });
  useEffect(() => {
    if (selectedId !== null) scrollTo.current();
  }, [selectedId]);
  return (
    <div
      ref={scroller}
      id={QUEUE.list}
      role="listbox"
      aria-label="Requests"
      tabIndex={0}
      data-queue=""
      aria-activedescendant={selectedIndex < 0 ? undefined : `request-${selectedId}`}
      className="h-full overflow-auto -outline-offset-2"
      onKeyDown={(event) =>
        walkList(event, {
          ids,
          selectedId,
          onSelect,
          onOpen: () => {
            onOpen();
            focusDetail();
          },
        })
      }
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const place = { position: 'absolute', insetInline: 0, height: item.size, transform: `translateY(${item.start}px)` } as const;
          if (row.type === 'session') return <SessionHead key={item.key} sessionId={row.sessionId} waiting={row.waiting} place={place} />;
          if (row.type === 'aside') return <AsideHead key={item.key} count={row.count} isOpen={row.isOpen} place={place} />;
          return (
            <Row
              key={item.key}
              request={row.request}
              isSelected={row.request.id === selectedId}
              place={place}
              position={places.get(row.request.id) ?? 1}
              total={ids.length}
              onSelect={() => {
                onSelect(row.request.id);
                onOpen();
                scroller.current?.focus({ preventScroll: true });
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

function keyOf(row: InboxRow | undefined, index: number): string | number {
  switch (row?.type) {
    case 'session':
      return `session ${row.sessionId}`;
    case 'aside':
      return 'aside';
    case 'request':
      return row.request.id;
    case undefined:
      return index;
  }
}

function SessionHead({ sessionId, waiting, place }: { readonly sessionId: string; readonly waiting: number; readonly place: CSSProperties }) {
  const session = useProjection((projection) => projection.sessions.get(sessionId));
  const ticket = useProjection((projection) => (session?.ticket_id ? projection.tickets.get(session.ticket_id)?.title : undefined));
  return (
    <div role="presentation" style={place} className="flex items-end gap-2 px-4 pb-1 text-quiet">
      <span className="min-w-0 flex-1 truncate">
        <span className="font-semibold text-text">{session?.title || session?.root || 'Session'}</span>
        {ticket === undefined ? '' : ` / ${ticket}`}
      </span>
      <span className="whitespace-nowrap tabular-nums">{waiting} waiting</span>
    </div>
  );
}

function AsideHead({ count, isOpen, place }: { readonly count: number; readonly isOpen: boolean; readonly place: CSSProperties }) {
  return (
    <div role="presentation" style={place} className="flex items-end gap-2 px-4 pb-1 text-quiet">
      <span className="min-w-0 flex-1 truncate font-semibold text-text">Put aside</span>
      <span className="whitespace-nowrap tabular-nums">
        {count} waiting{isOpen ? '' : ', not shown'}
      </span>
    </div>
  );
}

function Row({
  request,
  isSelected,
  place,
  position,
  total,
  onSelect,
}: {
  readonly request: Request;
  readonly isSelected: boolean;
  readonly place: CSSProperties;
  readonly position: number;
  readonly total: number;
  onSelect(): void;
}) {
  const session = useProjection((projection) => projection.sessions.get(request.session_id));
  const isSending = useAnswers((state) => state.sending.has(request.id));
  const isAside = useInbox((state) => state.aside.get(request.id) === request.digest);
  const { verb, target } = actionParts(request, session);
  const isSettled = request.decision !== null;
  return (
    // The listbox has the focus and the keys; a row is only pointed at.
    <div
      id={`request-${request.id}`}
      role="option"
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={total}
      tabIndex={-1}
      style={place}
      onClick={onSelect}
      onDoubleClick={isAside ? () => takeBack(request.id) : undefined}
      onKeyDown={undefined}
      className="grid grid-cols-[1rem_minmax(0,1fr)] content-center gap-x-3 px-4 hover:bg-sunk aria-selected:bg-chosen"
    >
      <span className="row-span-2 self-center text-quiet">
        <KindIcon kind={request.kind} />
      </span>
      <span className={`truncate ${isSettled ? 'text-quiet' : ''}`}>
        {verb} <span className={isSettled ? '' : 'font-medium'}>{target}</span>
      </span>
      <span className="flex gap-2 text-quiet">
        <span className="min-w-0 flex-1 truncate">
          {agentName(request.agent)}
          {isSettled ? '' : ', '}
          {isSettled ? null : <Wait since={request.created_at} />}
          {request.detached && !isSettled ? ', not connected' : ''}
          <span className="sr-only">, session {session?.title || session?.root || 'without a name'}</span>
        </span>
        {isSettled ? (
          <span className={`whitespace-nowrap ${outcomeTone(request)}`}>{request.decision === null ? '' : outcomeSentence(request.decision)}</span>
        ) : isSending ? (
          <span>Sending</span>
        ) : (
          <RiskMark level={request.risk.level} short />
        )}
      </span>
    </div>
  );
}

function Wait({ since }: { readonly since: string }) {
  const now = useNow();
  return <span className="tabular-nums">{durationText(now - Date.parse(since))}</span>;
}
