import type { Clock } from '@poolgate/pool';

/** The current time with an offset: real clients use the current time, and tests do not wait for the next code. */
export class ShiftedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Minutes at most: proofs contain the client's time. */
  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
