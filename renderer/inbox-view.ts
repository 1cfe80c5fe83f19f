// View state of the inbox: what is chosen, what was put aside, and what has left the list but is still shown. Losing it costs
// comfort only; nothing here answers anything.

import { create } from 'zustand';
import type { Request } from '../shared/model';
import type { Projection } from './projection';
import { useStore } from './store';

/** How long a settled row stays with its outcome (ux 4). */
export const LINGER_MS = 1_000;

interface InboxViewState {
  readonly selectedId: string | null;
  /** Requests that left while this window showed them, for LINGER_MS, and those nobody answered until they are dismissed. */
  readonly lingering: readonly Request[];
  /** Put aside: id, and the digest it had then. */
  readonly aside: ReadonlyMap<string, string>;
  readonly asideIsOpen: boolean;
  /** Notes that are being written, by request. */
  readonly notes: ReadonlyMap<string, string>;
}

export const useInbox = create<InboxViewState>(() => ({
  selectedId: null,
  lingering: [],
  aside: new Map(),
  asideIsOpen: false,
  notes: new Map(),
}));

export const select = (selectedId: string | null): void => useInbox.setState({ selectedId });
export const toggleAside = (): void => useInbox.setState(({ asideIsOpen }) => ({ asideIsOpen: !asideIsOpen }));

export function putAside(request: Request): void {
  useInbox.setState(({ aside }) => ({ aside: new Map([...aside, [request.id, request.digest]]) }));
}
export function takeBack(id: string): void {
  useInbox.setState(({ aside }) => ({ aside: new Map([...aside].filter(([one]) => one !== id)) }));
}

/** Nobody said no to it: it stays to be seen until the person dismisses it. */
export const isUnanswered = (request: Request): boolean =>
  request.decision !== null && (request.decision.cause === 'withdrawn' || request.decision.cause === 'expired');

export function dismiss(id: string): void {
  useInbox.setState(({ lingering }) => ({ lingering: lingering.filter((request) => request.id !== id) }));
}

/** Requests that waited before and are settled now. Pure. */
export function settledBetween(before: Projection | null, after: Projection | null): readonly Request[] {
  if (before === null || after === null || before.recent === after.recent) return [];
  const known = new Set(before.recent);
  return after.recent.filter((request) => !known.has(request) && before.pending.has(request.id));
}

/** Starts to keep what leaves. Returns what ends it. */
export function watchLeaving(): () => void {
  return useStore.subscribe((state, previous) => {
    const settled = settledBetween(previous.projection, state.projection);
    if (settled.length === 0) return;
    useInbox.setState(({ lingering }) => ({ lingering: [...lingering, ...settled] }));
    const brief = new Set(settled.filter((request) => !isUnanswered(request)).map((request) => request.id));
    window.setTimeout(() => useInbox.setState(({ lingering }) => ({ lingering: lingering.filter((request) => !brief.has(request.id)) })), LINGER_MS);
  });
}
