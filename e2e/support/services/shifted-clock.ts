import type { Clock } from '@poolgate/pool';

/** The time of day and some more: real clients go by the time of day, and nobody waits for the next code. */
export class ShiftedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Minutes at most: proofs bear the time of the client. */
  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
