// The renderer's state: the projection of main, and view state beside it. Only this file talks to the bridge's streams. No
// optimistic answers: a row changes when main says so.

import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Changes, Nudge } from '../shared/projection';
import { type ConnectedBridge, type Connection, connectBridge } from './bridge';
import { applyChanges, type Projection, projectionOf } from './projection';

interface State {
  readonly projection: Projection | null;
  readonly connection: Connection;
  /** Selected request of the inbox; kept while it is there. */
  readonly selectedId: string | null;
  readonly nudge: Nudge | null;
  select(id: string | null): void;
}

export const useStore = create<State>((set) => ({
  projection: null,
  connection: 'connecting',
  selectedId: null,
  nudge: null,
  select: (selectedId) => set({ selectedId }),
}));

export const bridge: ConnectedBridge = connectBridge();

/** What came before the first snapshot; newer than it, or in it and skipped by its number. */
let early: Changes[] = [];

async function refresh(): Promise<void> {
  const snapshot = await bridge.snapshot();
  if (!snapshot.ok) return;
  useStore.setState({ projection: projectionOf(snapshot.value), connection: 'connected' });
  const missed = early;
  early = [];
  for (const batch of missed) receive(batch);
}

function receive(batch: Changes): void {
  const { projection } = useStore.getState();
  if (projection === null) {
    early.push(batch);
    return;
  }
  const next = applyChanges(projection, batch);
  if (next === null) void refresh();
  else if (next !== projection) useStore.setState({ projection: next });
}

/** Starts following main. Called once. */
export function follow(): void {
  bridge.onChanges(receive);
  bridge.onConnection((connection) => {
    useStore.setState({ connection });
    if (connection === 'connected') void refresh();
  });
  bridge.onNudge((nudge) => {
    window.location.hash = '#/';
    useStore.setState({ nudge, ...(nudge.request_id === undefined ? {} : { selectedId: nudge.request_id }) });
  });
  void refresh();
}

/** The projection, once it is there; screens are shown only then. */
export function useProjection<T>(pick: (projection: Projection) => T): T {
  return useStore(
    // A list that is picked anew but has the same items is the same list.
    useShallow((state) => {
      if (state.projection === null) throw new Error('a screen was shown before the first snapshot');
      return pick(state.projection);
    }),
  );
}
