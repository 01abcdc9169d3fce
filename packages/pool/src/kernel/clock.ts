/** Milliseconds since the epoch. A parameter, so that tests move time instead of waiting. */
export interface Clock {
  now(): number;
}

/** Calls back later. A parameter, so that tests need not wait. */
export interface Timer {
  /** Runs a function once after a delay. Returns a function that cancels it. The timer does not keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
}
