import type { Clock, Timer } from '../context.ts';

/** How many calls of one function run at a time, and how many wait for their turn. */
const CALL_LIMITS = { running: 32, waiting: 256 } as const;

/** After so many failures in a row a function is left alone for a while, and then tried by one call. */
const CIRCUIT_BREAKER = { failures: 5, restMs: 10_000 } as const;

/** What all triggers of one request have, so that it is answered before whoever waits for it goes away. */
export const TRIGGER_TIME_PER_REQUEST_MS = 13_000;

/** The limiters of an instance, by ARN. */
export type CallLimiters = Map<string, CallLimiter>;

/** Why a call is not made: the function rests after failures, too many wait for it already, or the own turn did not come in time. */
export type CallRefusal = 'resting' | 'crowded' | 'too_late';

/** Says how a call ended; `failed`: the function was not reached, or did not answer. */
export type EndCall = (outcome: 'reached' | 'failed') => void;

type Turn = (outcome: 'enter' | CallRefusal) => void;

/** Keeps the calls of one function within bounds, so that a slow one makes nobody else slow, and a dead one is answered for at once. */
export class CallLimiter {
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #waiting: Set<Turn> = new Set();
  #running = 0;
  #failures = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, timer }: { readonly clock: Clock; readonly timer: Timer }) {
    this.#clock = clock;
    this.#timer = timer;
  }

  /** Waits for a turn, no longer than so many milliseconds. Whoever is let in has to leave, once. */
  async enter(patienceMs: number): Promise<EndCall | CallRefusal> {
    if (this.#isResting()) return 'resting';
    if (this.#running >= CALL_LIMITS.running) {
      if (this.#waiting.size >= CALL_LIMITS.waiting) return 'crowded';
      const turn = await this.#turn(patienceMs);
      if (turn !== 'enter') return turn;
    } else this.#running += 1;
    return (outcome) => this.#leave(outcome);
  }

  /** Once the rest is over one call tries, and the others rest until it has ended. */
  #isResting(): boolean {
    if (this.#failures < CIRCUIT_BREAKER.failures) return false;
    const nowMs = this.#clock.now();
    const waitMs = this.#restsUntilMs - nowMs;
    // A rest beyond its whole length comes of a clock that was set back.
    if (waitMs > 0 && waitMs <= CIRCUIT_BREAKER.restMs) return true;
    this.#restsUntilMs = nowMs + CIRCUIT_BREAKER.restMs;
    return false;
  }

  #turn(patienceMs: number): Promise<'enter' | CallRefusal> {
    return new Promise((resolve) => {
      const turn: Turn = (outcome) => {
        if (!this.#waiting.delete(turn)) return;
        stopWaiting();
        resolve(outcome);
      };
      const stopWaiting = this.#timer.after(patienceMs, () => turn('too_late'));
      this.#waiting.add(turn);
    });
  }

  #leave(outcome: 'reached' | 'failed'): void {
    this.#count(outcome);
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else next('enter');
  }

  #count(outcome: 'reached' | 'failed'): void {
    if (outcome === 'reached') {
      this.#failures = 0;
      return;
    }
    this.#failures += 1;
    if (this.#failures < CIRCUIT_BREAKER.failures) return;
    this.#restsUntilMs = this.#clock.now() + CIRCUIT_BREAKER.restMs;
    for (const turn of [...this.#waiting]) turn('resting');
  }
}
