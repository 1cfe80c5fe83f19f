// A clock that tests move: time stands still until it is advanced, and timers run in the order in which they are due.

export class TestClock {
  #nowMs: number;
  #timers: { readonly atMs: number; readonly order: number; readonly then: () => void }[] = [];
  #order = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now = (): number => this.#nowMs;

  after = (delayMs: number, then: () => void): (() => void) => {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Moves time on, running what becomes due on the way; whatever that starts has run when it resolves. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#timers.filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs || a.order - b.order);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.then();
      await turns();
    }
    this.#nowMs = untilMs;
    await turns();
  }

  /** Time passes and no timer runs, as while a machine sleeps. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }

  /** What a process takes with it when it ends. */
  forgetTimers(): void {
    this.#timers = [];
  }
}

/** Lets promises, and the store's group of commits, come through. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
