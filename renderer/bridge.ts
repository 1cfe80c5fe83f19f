// The one way out of the renderer: the preload's bridge in the desktop window, or the same contract over the WebSocket of
// the server that sent this page. Owns the connection; knows nothing of screens. INVARIANT: a command that cannot be sent now
// fails now; nothing a person pressed is kept and sent later.

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

/** Where the key of the browser session is kept: of this origin alone, where the cookie goes to every port. */
const KEY_STORED = 'gatehouse.key';
const KEY_PROTOCOL = 'gatehouse.key.';
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

export function connectBridge(): ConnectedBridge {
  const preload = window.gatehouse;
  return preload === undefined ? browserBridge() : windowBridge(preload);
}

function windowBridge(preload: Bridge): ConnectedBridge {
  // Main answers with values; a call that is thrown at us means that nobody is there.
  const reached = <T>(call: Promise<Result<T>>): Promise<Result<T>> => call.catch(() => offline());
  return {
    door: preload.door,
    platform: preload.platform,
    invoke: (name, input) => reached(preload.invoke(name, input)),
    snapshot: () => reached(preload.snapshot()),
    onChanges: (listener) => preload.onChanges(listener),
    onNudge: (listener) => preload.onNudge(listener),
    pickFolder: () => preload.pickFolder().catch(() => null),
    onConnection(listener) {
      listener('connected');
      return () => undefined;
    },
  };
}

type Waiting = (answer: Result<unknown>) => void;

function browserBridge(): ConnectedBridge {
  const changeListeners = new Set<(changes: Changes) => void>();
  const connectionListeners = new Set<(connection: Connection) => void>();
  const waiting = new Map<number, Waiting>();
  let socket: WebSocket | null = null;
  let lastId = 0;
  let retryMs = FIRST_RETRY_MS;

  const key = takeKey();
  const tell = (connection: Connection): void => {
    for (const listener of connectionListeners) listener(connection);
  };

  function open(): void {
    const url = new URL('/api/events', window.location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const next = new WebSocket(url, ['gatehouse', ...(key === null ? [] : [`${KEY_PROTOCOL}${key}`])]);
    next.onopen = () => {
      socket = next;
      retryMs = FIRST_RETRY_MS;
      tell('connected');
    };
    next.onmessage = (event) => receive(String(event.data));
    next.onclose = () => {
      const wasOpen = socket === next;
      socket = null;
      for (const answer of waiting.values()) answer(offline());
      waiting.clear();
      if (wasOpen) tell('connecting');
      window.setTimeout(open, retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    };
  }

  function receive(text: string): void {
    const message = JSON.parse(text) as { id?: number; type?: string };
    if (message.type === 'changes') {
      for (const listener of changeListeners) listener(message as unknown as Changes);
      return;
    }
    if (typeof message.id !== 'number') return;
    waiting.get(message.id)?.(message as unknown as Result<unknown>);
    waiting.delete(message.id);
  }

  function send(command: string, input: unknown): Promise<Result<unknown>> {
    if (socket === null || socket.readyState !== WebSocket.OPEN) return Promise.resolve(offline());
    lastId += 1;
    const id = lastId;
    const connection = socket;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      connection.send(JSON.stringify({ id, command, input }));
    });
  }

  open();
  return {
    door: 'browser',
    platform: navigator.platform.toLowerCase().startsWith('mac') ? 'darwin' : 'other',
    invoke: <N extends CommandName>(name: N, input: Draft<N>) => send(name, input) as Promise<Result<Output<N>>>,
    snapshot: () => send('snapshot', {}) as Promise<Result<Snapshot>>,
    onChanges: (listener) => listen(changeListeners, listener),
    onNudge: () => () => undefined,
    onConnection(listener) {
      listener(socket === null ? 'connecting' : 'connected');
      return listen(connectionListeners, listener);
    },
    pickFolder: () => Promise.resolve(null),
  };
}

/** The login link leaves the key in the hash; it is taken out of sight and kept. Null: this page never logged in. */
function takeKey(): string | null {
  const found = /^#key=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (found === undefined) return window.localStorage.getItem(KEY_STORED);
  window.localStorage.setItem(KEY_STORED, found);
  window.history.replaceState(null, '', '#/');
  return found;
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const offline = (): ReturnType<typeof fail> => fail('unavailable', 'Gatehouse cannot be reached.', { hint: 'Start it again, then retry.' });
