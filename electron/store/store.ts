// Opens the store of one data folder.

import type { Store, StoreProblem } from './contract';

export * from './contract';

export interface StoreOptions {
  readonly dataDir: string;
  /** Epoch milliseconds. */
  now(): number;
}

/** Opens or creates the data folder and its database. Throws `StoreUnavailable` when that is impossible (spec 14). */
export function openStore(_options: StoreOptions): { store: Store; problems: readonly StoreProblem[] } {
  throw new Error('store is being built');
}
