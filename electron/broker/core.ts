// What the rooms of the broker share: the store behind one commit function that keeps caches and waiters in step, the clock,
// ids, the policy in force. Holds no rule of its own.

import { v7 as uuidv7 } from 'uuid';
import type { PatternLink } from '../engine/facts';
import type { CompiledPolicy } from '../engine/policy';
import type { CommitResult, LiveState, Store } from '../store/contract';
import type { StateEvent, Write } from '../store/events';
import type { BrokerDeps } from './deps';
import { createLivePolicy, type LivePolicy } from './policy-live';
import type { ProgramHost, Running } from './processes';
import { createLinkLookup, type FactsOptions, type Standing, StandingCache } from './session-facts';
import { changesRules } from './view';
import { Waiting } from './waiting';

export interface Core {
  readonly deps: BrokerDeps;
  readonly store: Store;
  readonly live: LiveState;
  readonly policy: LivePolicy;
  readonly standings: StandingCache;
  readonly factsOptions: FactsOptions;
  readonly waiting: Waiting;
  readonly startedAtMs: number;
  /** When an agent was last heard of, by session; ahead of what the records say. */
  readonly contacts: Map<string, number>;
  /** Allows that were not delivered, with the cause that was logged, so that a poll does not log it again. */
  readonly undelivered: Map<string, string>;
  linksOf(standing: Standing, policy: CompiledPolicy): readonly PatternLink[];
  nowMs(): number;
  nowIso(): string;
  after(delayMs: number, then: () => void): () => void;
  newId(prefix: string): string;
  /**
   * The one way to change anything. `policy`: already compiled from the rules as they will be. INVARIANT (spec 8): whoever
   * waits for a request that this settles is told only after the disk has it.
   */
  commit(events: readonly StateEvent[], policy?: CompiledPolicy): CommitResult;
  /** Where hooks and reviewers run; what still runs when the broker closes is ended. */
  readonly programs: ProgramHost;
  isClosed(): boolean;
  /** Nothing is judged any more; whoever waits is told that it took too long, and what waits stays pending. */
  close(): void;
  /** Told of a change that is no event, such as an agent that left. */
  onSoftChange(listener: (change: SoftChange) => void): void;
  softChange(change: SoftChange): void;
  fault(error: unknown, where: string): void;
}

/** What a window shows and no record holds. */
export type SoftChange = { readonly request: string } | { readonly session: string } | { readonly health: true };

export interface CoreHooks {
  onDue(core: Core, requestId: string, reason: 'expired' | 'lost'): void;
}

export function createCore(deps: BrokerDeps, hooks: CoreHooks): Core {
  const { store, paths } = deps;
  const after = deps.after ?? realAfter;
  const softListeners = new Set<(change: SoftChange) => void>();
  const factsOptions: FactsOptions = { dataDir: deps.dataDir, paths, now: () => deps.now(), session: (id) => store.session(id) };
  const policy = createLivePolicy(
    () => store.live.rules.values(),
    paths,
    () => deps.now(),
  );
  const standings = new StandingCache(store.live, factsOptions);
  const waiting = new Waiting({
    now: () => deps.now(),
    after,
    onDue: (id, reason) => guarded(() => hooks.onDue(core, id, reason)),
    onAttachment: (id) => core.softChange({ request: id }),
  });
  const running = new Set<Running>();
  let isClosed = false;
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      core.fault(error, 'timer');
    }
  };
  const core: Core = {
    deps,
    store,
    live: store.live,
    policy,
    standings,
    factsOptions,
    waiting,
    startedAtMs: deps.now(),
    contacts: new Map(),
    undelivered: new Map(),
    linksOf: createLinkLookup(paths, () => deps.now()),
    nowMs: () => deps.now(),
    nowIso: () => new Date(deps.now()).toISOString(),
    after,
    newId: deps.newId ?? ((prefix) => `${prefix}_${uuidv7()}`),
    commit(events, next) {
      const result = store.commit(events);
      if (!result.applied) return result;
      const writes = events.flatMap((event) => event.writes);
      standings.changed(writes);
      if (writes.some(changesRules)) policy.changed(next);
      follow(writes, result.durable);
      return result;
    },
    programs: {
      env: deps.env ?? process.env,
      home: paths.home,
      after,
      started(program) {
        running.add(program);
        void program.ending.then(() => running.delete(program));
      },
    },
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      waiting.close();
      for (const program of running) program.kill();
    },
    onSoftChange(listener) {
      softListeners.add(listener);
    },
    softChange(change) {
      for (const listener of softListeners) listener(change);
    },
    fault(error, where) {
      if (deps.onFault !== undefined) deps.onFault(error, where);
      else process.stderr.write(`gatehouse: fault in ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    },
  };

  function follow(writes: readonly Write[], durable: Promise<void>): void {
    const settled: string[] = [];
    for (const write of writes) {
      if ('settle' in write) settled.push(write.settle);
      else if ('put' in write && write.put === 'request' && write.value.status === 'pending') waiting.track(write.value.id, write.value.expires_at);
    }
    if (settled.length === 0) return;
    durable.then(
      () => {
        for (const id of settled) waiting.settled(id);
      },
      // The store has made it pending again and says so by `onUndone`.
      () => undefined,
    );
  }

  store.onUndone(() => {
    policy.changed();
    standings.clear();
    waiting.resync(store.live.pending.values());
    core.softChange({ health: true });
  });
  return core;
}

/** Longest delay of a timer; what is due later is looked at again then. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function realAfter(delayMs: number, then: () => void): () => void {
  const timer = setTimeout(then, Math.min(delayMs, MAX_TIMER_MS));
  timer.unref();
  return () => clearTimeout(timer);
}

/** A commit that nobody can stand in the way of. A refusal is a mistake of ours and thrown. */
export function committed(result: CommitResult): Promise<void> {
  if (!result.applied) throw new Error(`commit refused: ${result.reason} ${result.id}`);
  return result.durable;
}
