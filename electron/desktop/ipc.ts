// The window's door: the commands of shared/commands.ts over IPC, with everything the person may do. Owns the check of who
// is talking (the main frame of our own page) and the delivery of changes; answers are structured results, never throws.

import { type BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { COMMANDS, type CommandName } from '../../shared/commands';
import { fail, ok, type Result } from '../../shared/failure';
import type { Nudge } from '../../shared/projection';
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
  /** The page that has asked for its snapshot and so listens; a page that is loaded anew asks again. */
  let isListening = false;
  let waitingNudge: Nudge | null = null;

  const send = (channel: PushChannel, value: unknown): void => {
    const window = options.window();
    if (window !== null && !window.isDestroyed()) window.webContents.send(channel, value);
  };
  const feed = createChangeFeed(options.clock, (batches) => send('gatehouse:changes', batches));
  const endChanges = broker.onChanges((batch) => {
    if (isListening) feed.push(batch);
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
    // Changes that come while the snapshot is made carry higher numbers, or are in it and are skipped by their number.
    feed.clear();
    isListening = true;
    const snapshot = ok(await broker.snapshot());
    const nudge = waitingNudge;
    waitingNudge = null;
    // After the answer, so that the page knows the request that it is sent to.
    if (nudge !== null) options.clock.after(0, () => send('gatehouse:nudge', nudge));
    return snapshot;
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
