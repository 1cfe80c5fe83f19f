// Inbox: what waits, grouped by session, and the request that is being answered. Owns which one is shown; what left the list
// is in inbox-view.ts, the answer in parts/answer.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Request } from '../../shared/model';
import { useAnswers } from '../answer';
import { type InboxRow, inboxRows, nextSelection, requestIds } from '../inbox-rows';
import { select, toggleAside, useInbox } from '../inbox-view';
import { Button, Empty } from '../parts/controls';
import { NothingWaits } from '../parts/nothing-waits';
import { keepQueueFocus } from '../parts/queue-focus';
import { RequestDetail } from '../parts/request/detail';
import { RequestList } from '../parts/request-list';
import { Page, TwoPanes } from '../parts/screen';
import { useProjection } from '../store';

export function InboxScreen() {
  const pending = useProjection((projection) => projection.pending);
  const recent = useProjection((projection) => projection.recent);
  const { selectedId, lingering, aside, asideIsOpen } = useInbox();
  const rows = useMemo(() => inboxRows({ pending: pending.values(), lingering, aside, asideIsOpen }), [pending, lingering, aside, asideIsOpen]);
  const [showsDetail, setShowsDetail] = useState(false);
  const selected = find(selectedId, pending, lingering, recent);
  useSelection(rows, selectedId, selected);

  // Focus that was in the queue stays in it when what had it has gone.
  useLayoutEffect(keepQueueFocus);

  if (rows.length === 0 && selected === null) {
    return (
      <Page title="Inbox">
        <NothingWaits />
      </Page>
    );
  }
  return (
    <TwoPanes
      title="Inbox"
      tools={
        rows.every((row) => row.type !== 'aside') ? null : (
          <Button size="small" tone="ghost" aria-expanded={asideIsOpen} onClick={toggleAside}>
            {asideIsOpen ? 'Hide what is put aside' : 'Show what is put aside'}
          </Button>
        )
      }
      list={
        rows.length === 0 ? (
          <NothingWaits />
        ) : (
          <RequestList rows={rows} selectedId={selectedId} onSelect={select} onOpen={() => setShowsDetail(true)} />
        )
      }
      detail={
        selected === null ? <Empty title="No request is selected." /> : <RequestDetail request={selected} onBack={() => setShowsDetail(false)} />
      }
      showsDetail={showsDetail && selected !== null}
      onBack={() => setShowsDetail(false)}
    />
  );
}

function find(id: string | null, pending: ReadonlyMap<string, Request>, lingering: readonly Request[], recent: readonly Request[]): Request | null {
  if (id === null) return null;
  return pending.get(id) ?? lingering.find((request) => request.id === id) ?? recent.find((request) => request.id === id) ?? null;
}

/**
 * Selection moves on only when its request has left the list, and then only where nobody reads it: it was answered here, or
 * the window has no focus. What was settled elsewhere stays in view with its decision; what arrives never moves it (ux 4).
 */
function useSelection(rows: readonly InboxRow[], selectedId: string | null, selected: Request | null): void {
  const given = useAnswers((state) => state.given);
  const before = useRef(rows);
  useEffect(() => {
    const isListed = selectedId !== null && requestIds(rows).includes(selectedId);
    const isRead = selected !== null && selectedId !== null && !given.has(selectedId) && selected.decision !== null && document.hasFocus();
    if (!isListed && !isRead) {
      const next = nextSelection(before.current, rows, selectedId);
      if (next !== selectedId) select(next);
    }
    before.current = rows;
  }, [rows, selectedId, selected, given]);
}
