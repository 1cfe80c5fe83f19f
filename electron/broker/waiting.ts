// Who waits for which answer, and how long a request outlives the agent that asked (spec 8): promises keyed by request id,
// and one timer per pending request for its expiry and its grace. Settles nothing itself: it says when something is due.

export interface WaitingOptions {
  now(): number;
  /** Calls `then` once after so many milliseconds; returns the function that calls it off. */
  after(delayMs: number, then: () => void): () => void;
  /** `expired`: its time is over. `lost`: the agent has not come back within the grace. */
  onDue(requestId: string, reason: 'expired' | 'lost'): void;
  /** The agent left, or came back: `isDetached` answers differently now. */
  onAttachment(requestId: string): void;
}

/** Spec 8: how long an agent may stay away, counted from its last contact. */
export const GRACE_MS = 60_000;
/** An agent that polls is not shown as gone between two polls. */
const SHOWN_AS_GONE_MS = 5_000;
/** A timer that fires this late was kept from firing, by a machine that slept or a process that was stopped. */
const LATE_MS = 5_000;
/** After a settlement that the disk refused. */
const TRY_AGAIN_MS = 1_000;

export type Waited = 'settled' | 'time_out' | 'hung_up';

interface Entry {
  readonly expiresAtMs: number | null;
  lastContactMs: number;
  /** Shown as gone; true at once after a restart. */
  isGone: boolean;
  readonly waiters: Set<(waited: Waited) => void>;
  cancelTimer: (() => void) | null;
}

export class Waiting {
  readonly #options: WaitingOptions;
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** A request that is pending from now on. `isDetached`: nobody waits for it, as after a restart; its grace begins. */
  track(requestId: string, expiresAt: string | null, isDetached = false): void {
    if (this.#isClosed || this.#entries.has(requestId)) return;
    const entry: Entry = {
      expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt),
      lastContactMs: this.#options.now(),
      isGone: isDetached,
      waiters: new Set(),
      cancelTimer: null,
    };
    this.#entries.set(requestId, entry);
    this.#arm(requestId, entry);
  }

  /** It is settled and the disk has it: whoever waits is told. */
  settled(requestId: string): void {
    const entry = this.#entries.get(requestId);
    if (entry === undefined) return;
    this.#drop(requestId, entry);
    for (const tell of [...entry.waiters]) tell('settled');
  }

  /** Requests that are pending now; others are forgotten. After the store undid commits. */
  resync(pending: Iterable<{ readonly id: string; readonly expires_at: string | null }>): void {
    const ids = new Map([...pending].map((request) => [request.id, request.expires_at]));
    for (const [id, entry] of [...this.#entries]) {
      if (ids.has(id)) continue;
      this.#drop(id, entry);
      for (const tell of [...entry.waiters]) tell('time_out');
    }
    for (const [id, expiresAt] of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) this.track(id, expiresAt);
      else if (entry.cancelTimer === null) this.#arm(id, entry, TRY_AGAIN_MS);
    }
  }

  /** The agent asked after this request. */
  contact(requestId: string): void {
    const entry = this.#entries.get(requestId);
    if (entry === undefined) return;
    entry.lastContactMs = this.#options.now();
    if (entry.isGone) {
      entry.isGone = false;
      this.#options.onAttachment(requestId);
    }
    if (entry.waiters.size === 0) this.#arm(requestId, entry);
  }

  isAttached(requestId: string): boolean {
    return (this.#entries.get(requestId)?.waiters.size ?? 0) > 0;
  }

  /** Nobody waits, and nobody has asked for a while. */
  isDetached(requestId: string): boolean {
    return this.#entries.get(requestId)?.isGone ?? false;
  }

  /** Resolves when it is settled, after `waitMs`, or when the caller hangs up; at once for what is not pending. */
  wait(requestId: string, waitMs: number, signal?: AbortSignal): Promise<Waited> {
    const entry = this.#entries.get(requestId);
    if (entry === undefined) return Promise.resolve('settled');
    this.contact(requestId);
    if (signal?.aborted) return Promise.resolve('hung_up');
    if (waitMs <= 0 || this.#isClosed) return Promise.resolve('time_out');
    return new Promise((resolve) => {
      const finish = (waited: Waited): void => {
        if (!entry.waiters.delete(finish)) return;
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
        if (waited !== 'settled' && entry.waiters.size === 0 && this.#entries.get(requestId) === entry) {
          // INVARIANT (spec 8): a lost connection ends nothing; the grace counts from here.
          entry.lastContactMs = this.#options.now();
          this.#arm(requestId, entry);
        }
        resolve(waited);
      };
      const onAbort = (): void => finish('hung_up');
      entry.waiters.add(finish);
      const cancelTimer = this.#options.after(waitMs, () => finish('time_out'));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#arm(requestId, entry);
    });
  }

  /** Whoever waits is told that it took too long; nothing is settled. */
  close(): void {
    this.#isClosed = true;
    for (const [id, entry] of [...this.#entries]) {
      this.#drop(id, entry);
      for (const tell of [...entry.waiters]) tell('time_out');
    }
  }

  #drop(requestId: string, entry: Entry): void {
    entry.cancelTimer?.();
    entry.cancelTimer = null;
    this.#entries.delete(requestId);
  }

  #arm(requestId: string, entry: Entry, atLeastMs = 0): void {
    entry.cancelTimer?.();
    entry.cancelTimer = null;
    const due = dueOf(entry);
    if (due === null) return;
    entry.cancelTimer = this.#options.after(Math.max(atLeastMs, due.atMs - this.#options.now()), () => {
      entry.cancelTimer = null;
      this.#due(requestId, entry, due);
    });
  }

  #due(requestId: string, entry: Entry, due: Due): void {
    if (this.#entries.get(requestId) !== entry) return;
    const now = this.#options.now();
    if (now < due.atMs) {
      this.#arm(requestId, entry);
      return;
    }
    if (due.what === 'expired') {
      this.#options.onDue(requestId, 'expired');
      return;
    }
    if (now - due.atMs > LATE_MS) {
      // The agent had no chance to come back either.
      entry.lastContactMs = now;
      this.#arm(requestId, entry);
      return;
    }
    if (due.what === 'gone') {
      entry.isGone = true;
      this.#arm(requestId, entry);
      this.#options.onAttachment(requestId);
      return;
    }
    this.#options.onDue(requestId, 'lost');
  }
}

interface Due {
  readonly what: 'expired' | 'gone' | 'lost';
  readonly atMs: number;
}

function dueOf(entry: Entry): Due | null {
  const expired: Due | null = entry.expiresAtMs === null ? null : { what: 'expired', atMs: entry.expiresAtMs };
  if (entry.waiters.size > 0) return expired;
  const away: Due = entry.isGone
    ? { what: 'lost', atMs: entry.lastContactMs + GRACE_MS }
    : { what: 'gone', atMs: entry.lastContactMs + SHOWN_AS_GONE_MS };
  return expired !== null && expired.atMs <= away.atMs ? expired : away;
}
