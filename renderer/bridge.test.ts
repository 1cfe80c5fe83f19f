// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectedBridge, type Connection, connectBridge } from './bridge';

/** The far end of one connection, as a server would hold it. */
class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  readonly sent: { id: number; command: string; input: unknown }[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  constructor(
    readonly url: URL,
    readonly protocols: readonly string[],
  ) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  say(message: unknown): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
}

let bridge: ConnectedBridge;
const socket = (): FakeSocket => FakeSocket.made.at(-1) as FakeSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.made = [];
  window.localStorage.clear();
  window.location.hash = '';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the bridge of a browser', () => {
  it('takes the key of the login link out of sight, shows it to the server, and keeps it for the next visit', () => {
    window.location.hash = '#key=abc_1-2';
    bridge = connectBridge();
    expect(socket().protocols).toEqual(['gatehouse', 'gatehouse.key.abc_1-2']);
    expect(window.location.href).not.toContain('abc_1-2');
    bridge = connectBridge();
    expect(socket().protocols).toContain('gatehouse.key.abc_1-2');
  });

  it('matches answers to commands', async () => {
    bridge = connectBridge();
    socket().open();
    const groups = bridge.invoke('group.list', {});
    const rules = bridge.invoke('rule.list', {});
    const [first, second] = socket().sent;
    socket().say({ id: second?.id, ok: true, value: 'rules' });
    socket().say({ id: first?.id, ok: false, failure: { code: 'fault', message: '' } });
    expect(await groups).toMatchObject({ ok: false, failure: { code: 'fault' } });
    expect(await rules).toMatchObject({ ok: true, value: 'rules' });
  });

  it('hands changes on', () => {
    bridge = connectBridge();
    const heard: unknown[] = [];
    bridge.onChanges((changes) => heard.push(changes.revision));
    socket().open();
    socket().say({ type: 'changes', revision: 4, changes: [] });
    expect(heard).toEqual([4]);
  });

  it('fails a command at once while there is no connection, and never sends it later', async () => {
    bridge = connectBridge();
    const early = bridge.invoke('group.list', {});
    expect(await early).toMatchObject({ ok: false, failure: { code: 'unavailable' } });
    socket().open();
    expect(socket().sent).toEqual([]);
  });

  it('fails what was under way when the connection ends, and connects again, ever less often', async () => {
    bridge = connectBridge();
    const states: Connection[] = [];
    bridge.onConnection((state) => states.push(state));
    socket().open();
    const lost = bridge.invoke('group.list', {});
    socket().close();
    expect(await lost).toMatchObject({ ok: false, failure: { code: 'unavailable' } });
    expect(states).toEqual(['connecting', 'connected', 'connecting']);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.made).toHaveLength(2);
    socket().close();
    vi.advanceTimersByTime(250);
    expect(FakeSocket.made).toHaveLength(2);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.made).toHaveLength(3);
    socket().open();
    expect(states.at(-1)).toBe('connected');
  });
});
