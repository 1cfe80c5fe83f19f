// The one way out of the renderer: the preload's bridge in the desktop window, or the same contract over the WebSocket of
// the server that sent this page. Owns the connection; knows nothing of screens.

import type { CommandName, Draft, Output } from '../shared/commands';
import { fail, type Result } from '../shared/failure';
import type { Bridge, Changes, Snapshot } from '../shared/projection';

declare global {
  interface Window {
    readonly gatehouse?: Bridge;
  }
}

export type Connection = 'connected' | 'connecting';
export interface ConnectedBridge extends Bridge {
  /** Whether main can be reached. The desktop window always can while it lives. */
  onConnection(listener: (connection: Connection) => void): () => void;
}

/** The page's half of its browser session, where no other port of this host name can read it (electron/broker/auth.ts). */
const KEY = 'gatehouse.key';
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

export function connectBridge(): ConnectedBridge {
  const preload = window.gatehouse;
  return preload === undefined ? browserBridge() : { ...preload, onConnection: () => () => undefined };
}

type Waiting = (answer: Result<unknown>) => void;

function browserBridge(): ConnectedBridge {
  const changeListeners = new Set<(changes: Changes) => void>();
  const connectionListeners = new Set<(connection: Connection) => void>();
  const waiting = new Map<number, Waiting>();
  let socket: WebSocket | null = null;
  let opened: Promise<WebSocket> | null = null;
  let lastId = 0;
  let retryMs = FIRST_RETRY_MS;

  function open(): Promise<WebSocket> {
    opened ??= new Promise((resolve) => {
      const url = new URL('/api/events', window.location.href);
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      const next = new WebSocket(url, ['gatehouse', `gatehouse.key.${sessionKey()}`]);
      next.onopen = () => {
        socket = next;
        retryMs = FIRST_RETRY_MS;
        resolve(next);
        for (const listener of connectionListeners) listener('connected');
      };
      next.onmessage = (event) => receive(String(event.data));
      next.onclose = () => {
        const wasOpen = socket === next;
        socket = null;
        opened = null;
        for (const answer of waiting.values()) answer(offline());
        waiting.clear();
        if (wasOpen) for (const listener of connectionListeners) listener('connecting');
        window.setTimeout(() => void open().then(resolve), retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      };
    });
    return opened;
  }

  function receive(text: string): void {
    const message = JSON.parse(text) as { id?: number; type?: string; ok?: boolean; value?: unknown; failure?: unknown };
    if (message.type === 'changes') {
      for (const listener of changeListeners) listener(message as unknown as Changes);
      return;
    }
    if (message.id === undefined) return;
    waiting.get(message.id)?.(message as unknown as Result<unknown>);
    waiting.delete(message.id);
  }

  async function send(command: string, input: unknown): Promise<Result<unknown>> {
    const connection = await open();
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      connection.send(JSON.stringify({ id, command, input }));
    });
  }

  return {
    door: 'browser',
    platform: navigator.platform.toLowerCase().startsWith('mac') ? 'darwin' : 'other',
    invoke: <N extends CommandName>(name: N, input: Draft<N>) => send(name, input) as Promise<Result<Output<N>>>,
    snapshot: () => send('snapshot', {}) as Promise<Result<Snapshot>>,
    onChanges: (listener) => listen(changeListeners, listener),
    onNudge: () => () => undefined,
    onConnection: (listener) => listen(connectionListeners, listener),
    pickFolder: () => Promise.resolve(null),
  };
}

/** The login link leads to `/#key=…`; the key is kept for later visits and taken out of the address. */
function sessionKey(): string {
  const given = /^#key=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (given !== undefined) {
    window.localStorage.setItem(KEY, given);
    window.history.replaceState(null, '', '/');
  }
  return window.localStorage.getItem(KEY) ?? 'none';
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const offline = (): ReturnType<typeof fail> => fail('unavailable', 'Gatehouse cannot be reached.', { hint: 'Start it again, then retry.' });
