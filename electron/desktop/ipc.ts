// The window's door: the commands of shared/commands.ts over IPC, with everything the person may do. Owns the check of who
// is talking (the main frame of our own page) and the delivery of changes; answers are structured results, never throws.

import { type BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { COMMANDS, type CommandName } from '../../shared/commands';
import { fail, ok, type Result } from '../../shared/failure';
import type { Changes, Nudge } from '../../shared/projection';
import type { Broker } from '../broker/broker';
import type { Caller } from '../broker/caller';
import { createChangeFeed } from './change-feed';
import type { InvokeChannel, PushChannel } from './channels';
import type { Clock } from './clock';
import { isOurFrame } from './page';

/** The person at the window (spec 14: it has admin). */
export const WINDOW_CALLER: Caller = { scopes: new Set(['operator.admin']), door: 'window', name: 'desktop' };

export interface IpcOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  /** The window that may talk; null while there is none. */
  window(): BrowserWindow | null;
  /** Origin of the page: app://gatehouse, or the development server. */
  readonly pageOrigin: string;
  onFault(error: unknown, where: string): void;
}

export interface WindowDoor {
  /** Reaches a window that is still loading once it has its snapshot. */
  nudge(nudge: Nudge): void;
  /** The page is gone or loads anew: it hears nothing until it asks for a snapshot. */
  pageLeft(): void;
  close(): void;
}

export function openWindowDoor(options: IpcOptions): WindowDoor {
  const { broker } = options;
  /** The page has its snapshot and hears what follows; a page that is loaded anew asks again. */
  let isListening = false;
  /** What came since the page asked; null when it did not. */
  let meanwhile: Changes[] | null = null;
  let waitingNudge: Nudge | null = null;

  const send = (channel: PushChannel, value: unknown): void => {
    const window = options.window();
    if (window !== null && !window.isDestroyed()) window.webContents.send(channel, value);
  };
  const feed = createChangeFeed(options.clock, (batches) => send('gatehouse:changes', batches));
  const endChanges = broker.onChanges((batch) => {
    if (isListening) feed.push(batch);
    else meanwhile?.push(batch);
  });

  function handle<T>(channel: InvokeChannel, work: (...values: readonly unknown[]) => Promise<Result<T>>): void {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, ...values: readonly unknown[]): Promise<Result<T>> => {
      if (!isTrusted(event))
        return fail('forbidden', 'Only the page of Gatehouse may do this.', { hint: 'Close this window and open Gatehouse again.' });
      try {
        return await work(...values);
      } catch (error) {
        options.onFault(error, channel);
        return fail('fault', 'Gatehouse made a mistake and did not do this.', { hint: 'Try again; if it happens again, restart Gatehouse.' });
      }
    });
  }

  function isTrusted(event: IpcMainInvokeEvent): boolean {
    const window = options.window();
    return window !== null && !window.isDestroyed() && event.sender === window.webContents && isOurFrame(event.senderFrame, options.pageOrigin);
  }

  handle('gatehouse:invoke', async (name, input) => {
    if (!isCommand(name)) return fail('not_found', `There is no command \`${String(name)}\`.`, { hint: 'Reload the window.', subject: 'name' });
    return broker.call(name, input, WINDOW_CALLER);
  });

  handle('gatehouse:snapshot', async () => {
    feed.clear();
    isListening = false;
    meanwhile = [];
    const snapshot = await broker.snapshot();
    // After the answer: a page that has no snapshot yet would lose what follows it, and cannot be shown a request.
    options.clock.after(0, () => {
      for (const batch of meanwhile ?? []) if (batch.revision > snapshot.revision) feed.push(batch);
      meanwhile = null;
      isListening = true;
      if (waitingNudge !== null) send('gatehouse:nudge', waitingNudge);
      waitingNudge = null;
    });
    return ok(snapshot);
  });

  // `pickFolder` has no failure of its own: the preload hands the value on as it is.
  ipcMain.handle('gatehouse:pick-folder' satisfies InvokeChannel, async (event): Promise<string | null> => {
    const window = options.window();
    if (!isTrusted(event) || window === null) return null;
    const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory', 'createDirectory'] });
    return canceled ? null : (filePaths[0] ?? null);
  });

  return {
    nudge(nudge) {
      if (isListening) send('gatehouse:nudge', nudge);
      else waitingNudge = nudge;
    },
    pageLeft() {
      isListening = false;
      meanwhile = null;
      feed.clear();
    },
    close() {
      endChanges();
      for (const channel of ['gatehouse:invoke', 'gatehouse:snapshot', 'gatehouse:pick-folder'] satisfies InvokeChannel[])
        ipcMain.removeHandler(channel);
    },
  };
}

const isCommand = (name: unknown): name is CommandName => typeof name === 'string' && Object.hasOwn(COMMANDS, name);
