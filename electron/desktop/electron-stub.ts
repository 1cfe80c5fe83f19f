// Stands in for `electron` in unit tests (vitest.config.ts): importing the real package in plain Node starts a download.
// Everything is there by name; what a test does not bring itself throws when it is used. `ipcMain` works in memory, so that
// the window's door can be tried without a window.

import type { IpcMainInvokeEvent } from 'electron';

type Handler = (event: IpcMainInvokeEvent, ...values: readonly unknown[]) => unknown;

const handlers = new Map<string, Handler>();
export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`a second handler for ${channel}`);
    handlers.set(channel, handler);
  },
  removeHandler(channel: string): void {
    handlers.delete(channel);
  },
};

/** What `ipcRenderer.invoke` would get from main, for a caller that looks like `event`. */
export async function invokeMain(channel: string, event: unknown, ...values: readonly unknown[]): Promise<unknown> {
  const handler = handlers.get(channel);
  if (handler === undefined) throw new Error(`no handler for ${channel}`);
  return handler(event as IpcMainInvokeEvent, ...values);
}

function absent(name: string): never {
  return new Proxy(function notInUnitTests() {}, {
    get: (_target, property) => {
      throw new Error(`electron.${name}.${String(property)} is not there in unit tests`);
    },
    apply: () => {
      throw new Error(`electron.${name} is not there in unit tests`);
    },
    construct: () => {
      throw new Error(`electron.${name} is not there in unit tests`);
    },
  }) as never;
}

export const app = absent('app');
export const BrowserWindow = absent('BrowserWindow');
export const contextBridge = absent('contextBridge');
export const dialog = absent('dialog');
export const ipcRenderer = absent('ipcRenderer');
export const Menu = absent('Menu');
export const nativeImage = absent('nativeImage');
export const nativeTheme = absent('nativeTheme');
export const Notification = absent('Notification');
export const protocol = absent('protocol');
export const screen = absent('screen');
export const session = absent('session');
export const shell = absent('shell');
export const Tray = absent('Tray');
export default { app, ipcMain, shell };
