// The renderer's state of main: the projection, and whether main can be reached. Only this file talks to the bridge's
// streams. No optimistic answers: a row changes when main says so.

import { create } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { CommandName, Draft, Output } from '../shared/commands';
import { fail, type Result } from '../shared/failure';
import type { Changes, Nudge } from '../shared/projection';
import type { ConnectedBridge, Connection } from './bridge';
import { applyChanges, type Projection, projectionOf } from './projection';

interface State {
  readonly projection: Projection | null;
  readonly connection: Connection;
  readonly nudge: Nudge | null;
}

export const useStore = create<State>(() => ({ projection: null, connection: 'connecting', nudge: null }));

const RETRY_MS = 1_000;

let attached: ConnectedBridge | null = null;

/** The door this page talks through, once it is attached. */
export const door = (): Pick<ConnectedBridge, 'door' | 'platform' | 'pickFolder'> => attached ?? NO_DOOR;
const NO_DOOR = { door: 'browser', platform: '', pickFolder: () => Promise.resolve(null) } as const;

/** Sends a command to main. Never throws; what cannot be sent is `unavailable`. */
export function invoke<N extends CommandName>(name: N, input: Draft<N>): Promise<Result<Output<N>>> {
  return attached === null ? Promise.resolve(fail('unavailable', 'Gatehouse cannot be reached.')) : attached.invoke(name, input);
}

/** Follows main through this bridge from now on. Returns what ends it. */
export function attach(bridge: ConnectedBridge): () => void {
  attached = bridge;
  /** Batches that came while a snapshot was under way; null when none is. */
  let meanwhile: Changes[] | null = null;

  async function refresh(): Promise<void> {
    if (meanwhile !== null || attached !== bridge) return;
    const batches: Changes[] = [];
    meanwhile = batches;
    const snapshot = await bridge.snapshot();
    if (meanwhile === batches) meanwhile = null;
    if (attached !== bridge) return;
    if (!snapshot.ok) {
      window.setTimeout(() => void refresh(), RETRY_MS);
      return;
    }
    useStore.setState({ projection: projectionOf(snapshot.value), connection: 'connected' });
    for (const batch of batches) receive(batch);
  }

  function receive(batch: Changes): void {
    if (meanwhile !== null) {
      meanwhile.push(batch);
      return;
    }
    const { projection } = useStore.getState();
    if (projection === null) return;
    const next = applyChanges(projection, batch);
    if (next === null) void refresh();
    else if (next !== projection) useStore.setState({ projection: next });
  }

  const ends = [
    bridge.onChanges(receive),
    bridge.onConnection((connection) => {
      // The buttons come back with the snapshot, not with the line: until then nobody knows what they would be about.
      if (connection === 'connecting') {
        meanwhile = null;
        useStore.setState({ connection });
      } else void refresh();
    }),
    bridge.onNudge((nudge) => useStore.setState({ nudge })),
  ];
  return () => {
    for (const end of ends) end();
    if (attached === bridge) attached = null;
  };
}

/** A part of the projection. Screens are shown only once it is there. `pick` returns what stands in it, or a list of that. */
export function useProjection<T>(pick: (projection: Projection) => T): T {
  return useStore(useShallow((state) => pick(present(state.projection))));
}

/** The projection as it is at this moment, for handlers of events. */
export const projectionNow = (): Projection => present(useStore.getState().projection);

function present(projection: Projection | null): Projection {
  if (projection === null) throw new Error('a screen was shown before the first snapshot');
  return projection;
}
