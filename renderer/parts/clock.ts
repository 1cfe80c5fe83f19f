// The renderer's clock: one tick a second, shared by whatever shows how long something has waited.

import { useSyncExternalStore } from 'react';

const TICK_MS = 1_000;
const watchers = new Set<() => void>();
let now = Date.now();
let timer = 0;

function watch(watcher: () => void): () => void {
  if (watchers.size === 0) {
    now = Date.now();
    timer = window.setInterval(() => {
      now = Date.now();
      for (const one of watchers) one();
    }, TICK_MS);
  }
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) window.clearInterval(timer);
  };
}

/** Epoch milliseconds, renewed each second. */
export const useNow = (): number => useSyncExternalStore(watch, () => now);
