// The only bridge between the window and main: exposes exactly the Bridge of shared/projection.ts as `window.gatehouse`.
// Holds no state, checks nothing (main does), and lets no Electron object through.

import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { Bridge, Changes, Nudge } from '../shared/projection';
import type { InvokeChannel, PushChannel } from './desktop/channels';

const invoke = (channel: InvokeChannel, ...values: readonly unknown[]): ReturnType<typeof ipcRenderer.invoke> =>
  ipcRenderer.invoke(channel, ...values);

function listen<T>(channel: PushChannel, listener: (value: T) => void): () => void {
  const receive = (_event: IpcRendererEvent, value: T): void => listener(value);
  ipcRenderer.on(channel, receive);
  return () => {
    ipcRenderer.off(channel, receive);
  };
}

const bridge: Bridge = {
  invoke: (name, input) => invoke('gatehouse:invoke', name, input),
  snapshot: () => invoke('gatehouse:snapshot'),
  onChanges: (listener) =>
    listen<readonly Changes[]>('gatehouse:changes', (batches) => {
      for (const batch of batches) listener(batch);
    }),
  onNudge: (listener) => listen<Nudge>('gatehouse:nudge', listener),
  pickFolder: () => invoke('gatehouse:pick-folder'),
  door: 'window',
  platform: process.platform,
};

contextBridge.exposeInMainWorld('gatehouse', bridge);
