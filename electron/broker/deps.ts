// What the broker is given by main and serve. Owns shapes only.

import type { CommandName, Input, Output } from '../../shared/commands';
import type { Result } from '../../shared/failure';
import type { Json, JsonObject, OutboxItem, Session } from '../../shared/model';
import type { Store } from '../store/contract';
import type { Caller } from './caller';
import type { Paths } from './paths';

export type Handler<N extends CommandName> = (input: Input<N>, caller: Caller) => Result<Output<N>> | Promise<Result<Output<N>>>;
export type Handlers = { readonly [N in CommandName]: Handler<N> };

/** Runs a released call itself, where Gatehouse is the executor (spec 12), such as the MCP proxy. */
export type Executor = (input: JsonObject) => Promise<Json>;

export interface BrokerDeps {
  readonly store: Store;
  readonly paths: Paths;
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `then` once after so many milliseconds; returns the function that calls it off. Real timers unless given. */
  after?(delayMs: number, then: () => void): () => void;
  /** Unique, sorts by creation, cannot be guessed. UUID version 7 unless given. */
  newId?(prefix: string): string;
  readonly dataDir: string;
  readonly version: string;
  /** Environment that hooks and jobs inherit, without our tokens. `process.env` unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where the server listens, once it does; handed to jobs. */
  endpoint?(): { readonly url: string; readonly socket: string | null } | null;
  /** Null: the agent runs its tools itself, so a release hands it a one-call grant. */
  executorOf?(item: OutboxItem, session: Session): Executor | null;
  /** Handlers of other rooms: `agent.*`. */
  readonly extraCommands?: Partial<Handlers>;
  /** A fault of ours, for the log of the process. Standard error unless given. */
  onFault?(error: unknown, where: string): void;
}
