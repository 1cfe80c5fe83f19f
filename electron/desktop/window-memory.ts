// Where the window was, kept in the data folder through electron-store. Comfort only: a file that cannot be used is left out.

import type { BrowserWindow } from 'electron';
import ElectronStore from 'electron-store';
import { type WindowState, windowStateSchema } from './window-place';

export interface WindowMemory {
  readonly saved: WindowState | null;
  keep(window: BrowserWindow): void;
}

export function openWindowMemory(dataDir: string): WindowMemory {
  const store = new ElectronStore<Record<string, unknown>>({
    cwd: dataDir,
    name: 'window',
    configFileMode: 0o600,
    clearInvalidConfig: true,
    accessPropertiesByDotNotation: false,
  });
  const parsed = windowStateSchema.safeParse(store.store);
  return {
    saved: parsed.success ? parsed.data : null,
    keep(window) {
      // A maximised or hidden window keeps the place it goes back to.
      const state: WindowState = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
      store.store = state;
    },
  };
}
