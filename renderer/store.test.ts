// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../shared/failure';
import type { Snapshot } from '../shared/projection';
import { attach, invoke, useStore } from './store';
import { requestSample, snapshotSample } from './testing/samples';
import { scriptedBridge } from './testing/scripted-bridge';

const put = (id: string) => ({ put: 'request', value: requestSample({ id }) }) as const;
const pending = (): readonly string[] => [...(useStore.getState().projection?.pending.keys() ?? [])];
const settle = () => vi.advanceTimersByTimeAsync(0);

let end: () => void = () => undefined;
beforeEach(() => {
  vi.useFakeTimers();
  useStore.setState({ projection: null, connection: 'connecting', nudge: null });
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

describe('following main', () => {
  it('shows the snapshot, then what changes', async () => {
    const bridge = scriptedBridge(snapshotSample({ pending: [requestSample({ id: 'a' })] }));
    end = attach(bridge);
    await settle();
    bridge.push(put('b'));
    expect(pending()).toEqual(['a', 'b']);
    expect(useStore.getState().connection).toBe('connected');
  });

  it('keeps what comes while the snapshot is under way, and skips what is in it', async () => {
    const snapshots: ((snapshot: Snapshot) => void)[] = [];
    const bridge = scriptedBridge(snapshotSample());
    bridge.snapshot = () => new Promise((done) => snapshots.push((snapshot) => done(ok(snapshot))));
    end = attach(bridge);
    bridge.push(put('a'));
    bridge.push(put('b'));
    snapshots[0]?.(snapshotSample({ revision: 8, pending: [requestSample({ id: 'a' })] }));
    await settle();
    expect(pending()).toEqual(['a', 'b']);
  });

  it('asks for a new snapshot when a batch was missed', async () => {
    const bridge = scriptedBridge(snapshotSample());
    end = attach(bridge);
    await settle();
    useStore.setState(({ projection }) => ({ projection: projection && { ...projection, revision: 3 } }));
    const asked = vi.spyOn(bridge, 'snapshot');
    bridge.push(put('a'));
    await settle();
    expect(asked).toHaveBeenCalledTimes(1);
    expect(useStore.getState().projection?.revision).toBe(8);
  });

  it('is connected again only with a new snapshot, not with the line alone', async () => {
    const bridge = scriptedBridge(snapshotSample());
    end = attach(bridge);
    await settle();
    bridge.setConnection('connecting');
    expect(useStore.getState().connection).toBe('connecting');
    let answer: (snapshot: Snapshot) => void = () => undefined;
    bridge.snapshot = () => new Promise((done) => (answer = (snapshot) => done(ok(snapshot))));
    bridge.setConnection('connected');
    await settle();
    expect(useStore.getState().connection).toBe('connecting');
    answer(snapshotSample({ revision: 1, pending: [requestSample({ id: 'new' })] }));
    await settle();
    expect([useStore.getState().connection, pending()]).toEqual(['connected', ['new']]);
  });

  it('asks again when main did not answer', async () => {
    const bridge = scriptedBridge(snapshotSample());
    const snapshot = bridge.snapshot;
    bridge.snapshot = async () => fail('unavailable', 'Not yet.');
    end = attach(bridge);
    await settle();
    expect(useStore.getState().projection).toBeNull();
    bridge.snapshot = snapshot;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(useStore.getState().projection?.revision).toBe(7);
  });

  it('sends nothing once it has ended', async () => {
    end = attach(scriptedBridge(snapshotSample()));
    end();
    expect(await invoke('group.list', {})).toMatchObject({ ok: false, failure: { code: 'unavailable' } });
  });
});
