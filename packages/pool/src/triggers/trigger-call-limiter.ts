import type { Clock, Timer } from '../kernel/clock.ts';
import { CircuitBreaker, type TriggerCallOutcome } from './trigger-circuit-breaker.ts';

/** How many calls of one function can run and wait: in total, and for one caller. */
const CALL_LIMITS = { running: 32, waiting: 256, runningPerCaller: 8, waitingPerCaller: 64 } as const;

/** All triggers of a request share this time, so that the response arrives before the client gives up. */
export const TRIGGER_TIME_PER_REQUEST_MS = 13_000;

/** The limiters of an instance, by ARN. */
export type TriggerCallLimiters = Map<string, TriggerCallLimiter>;

/** The caller that causes a call. */
export interface TriggerCaller {
  /** The key of a shared limit: a network, or a user that an authenticated server names. */
  readonly limitKey: string;
  readonly network: string;
}

/** Why a call is not made: the function's circuit is open, too many calls are waiting, or its turn did not come in time. */
export type TriggerCallRefusal = 'resting' | 'crowded' | 'too_late';

/** Ends a call that was admitted. */
export type EndTriggerCall = (outcome: TriggerCallOutcome) => void;

interface QueuedCall {
  readonly share: string;
  readonly end: (outcome: 'enter' | TriggerCallRefusal) => void;
}

/** Limits the calls of one function, so that neither a slow function nor one caller delays everyone else. */
export class TriggerCallLimiter {
  readonly #timer: Timer;
  readonly #breaker: CircuitBreaker;
  readonly #waiting: Set<QueuedCall> = new Set();
  /** The number of running calls, by limit key. */
  readonly #running = new Map<string, number>();
  #runningInAll = 0;

  constructor({ clock, timer, networks }: { readonly clock: Clock; readonly timer: Timer; readonly networks: number }) {
    this.#timer = timer;
    this.#breaker = new CircuitBreaker({ clock, networks });
  }

  /** Waits for a turn for at most this many milliseconds. An admitted caller must end its call exactly once. */
  async enter(patienceMs: number, caller: TriggerCaller): Promise<EndTriggerCall | TriggerCallRefusal> {
    if (this.#breaker.isOpen()) return 'resting';
    const { limitKey } = caller;
    if (this.#mayRun(limitKey)) this.#begin(limitKey);
    else {
      const waitingOfCaller = [...this.#waiting].filter((turn) => turn.share === limitKey).length;
      const { waiting, waitingPerCaller } = CALL_LIMITS;
      if (this.#waiting.size >= waiting || waitingOfCaller >= waitingPerCaller) return 'crowded';
      const outcome = await this.#turn(patienceMs, limitKey);
      if (outcome !== 'enter') return outcome;
    }
    return (outcome) => this.#leave(outcome, caller);
  }

  #runningOf(share: string): number {
    return this.#running.get(share) ?? 0;
  }

  #mayRun(share: string): boolean {
    return this.#runningInAll < CALL_LIMITS.running && this.#runningOf(share) < CALL_LIMITS.runningPerCaller;
  }

  #begin(share: string): void {
    this.#runningInAll += 1;
    this.#running.set(share, this.#runningOf(share) + 1);
  }

  #turn(patienceMs: number, share: string): Promise<'enter' | TriggerCallRefusal> {
    return new Promise((resolve) => {
      const turn: QueuedCall = {
        share,
        end: (outcome) => {
          if (!this.#waiting.delete(turn)) return;
          stopWaiting();
          if (outcome === 'enter') this.#begin(share);
          resolve(outcome);
        },
      };
      const stopWaiting = this.#timer.after(patienceMs, () => turn.end('too_late'));
      this.#waiting.add(turn);
    });
  }

  #leave(outcome: TriggerCallOutcome, { limitKey, network }: TriggerCaller): void {
    this.#runningInAll -= 1;
    const left = this.#runningOf(limitKey) - 1;
    if (left === 0) this.#running.delete(limitKey);
    else this.#running.set(limitKey, left);
    if (this.#breaker.record(outcome, network)) for (const turn of [...this.#waiting]) turn.end('resting');
    this.#nextTurn()?.end('enter');
  }

  /** Of the calls that may run, the one whose caller has the fewest running calls; among equals, the one that has waited longest. */
  #nextTurn(): QueuedCall | undefined {
    let next: QueuedCall | undefined;
    for (const turn of this.#waiting) {
      if (!this.#mayRun(turn.share)) continue;
      if (next === undefined || this.#runningOf(turn.share) < this.#runningOf(next.share)) next = turn;
    }
    return next;
  }
}
