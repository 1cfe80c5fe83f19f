// The time that the desktop room lives by, handed in so that tests set it. Owns nothing else.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `then` once after so many milliseconds; returns the function that calls it off. */
  after(delayMs: number, then: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, then) {
    const timer = setTimeout(then, delayMs);
    return () => clearTimeout(timer);
  },
};
