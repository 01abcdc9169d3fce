/** Milliseconds since the epoch. A parameter, so that tests move time instead of waiting. */
export interface Clock {
  now(): number;
}

/** Calls back later. A parameter, so that tests need not wait. */
export interface Timer {
  /** Runs something once, after so many milliseconds; gives what calls it off. It keeps no process alive. */
  after(delayMs: number, run: () => void): () => void;
}
