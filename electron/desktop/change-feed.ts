// Sends changes to the window: the first at once, then at most one message in 16 ms however many batches came, so that a
// burst neither floods the channel nor makes the window paint more often than a screen shows. Order and numbers stay.

import type { Changes } from '../../shared/projection';
import type { Clock } from './clock';

const FRAME_MS = 16;

export interface ChangeFeed {
  push(batch: Changes): void;
  /** Forgets what waits, for a window that starts anew with a snapshot. */
  clear(): void;
}

export function createChangeFeed(clock: Clock, send: (batches: readonly Changes[]) => void): ChangeFeed {
  let waiting: Changes[] = [];
  let isResting = false;

  function flush(): void {
    if (waiting.length === 0) {
      isResting = false;
      return;
    }
    const batches = waiting;
    waiting = [];
    isResting = true;
    clock.after(FRAME_MS, flush);
    send(batches);
  }

  return {
    push(batch) {
      waiting.push(batch);
      if (!isResting) flush();
    },
    clear() {
      waiting = [];
    },
  };
}
