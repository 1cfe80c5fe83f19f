// The one dispatcher of shared/commands.ts behind every door. Checks scope, validates, runs the handler, waits for the disk,
// and turns a fault of ours into a refusal. Decides nothing itself: verdicts come from gate.ts.

import type { CommandName, Output } from '../../shared/commands';
import type { Result } from '../../shared/failure';
import type { Changes, Snapshot } from '../../shared/projection';
import type { Caller } from './caller';
import type { BrokerDeps } from './deps';

export interface Broker {
  /**
   * Runs a command of shared/commands.ts. `input` is not validated yet. Failures: `forbidden` (missing scope), `invalid`
   * (subject: the field, dotted), `fault` (ours, logged), and those of the command. The 401 is the door's.
   */
  call<N extends CommandName>(name: N, input: unknown, caller: Caller): Promise<Result<Output<N>>>;
  /** What a window starts with; of what the disk has only. */
  snapshot(): Promise<Snapshot>;
  /** Numbered changes after the snapshot, one batch per turn of the event loop. Returns the function that ends it. */
  onChanges(listener: (changes: Changes) => void): () => void;
  /** Ends timers, hooks and jobs; what waits stays pending for the next start. */
  close(): Promise<void>;
}

export function createBroker(_deps: BrokerDeps): Broker {
  throw new Error('not built yet');
}
