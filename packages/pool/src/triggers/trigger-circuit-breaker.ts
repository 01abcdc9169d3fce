import type { Clock } from '../kernel/clock.ts';

const REFUSALS_IN_A_ROW = 5;
const REST_MS = 10_000;

/** From how many distinct networks calls must fail in a row before a function rests. */
export const DEFAULT_BREAKER_NETWORKS = 8;

/**
 * How a call ended. `reached`: the function answered. `refused`: nothing accepted the connection. `failed`: the call left, and no answer
 * came in time or a gateway answered for the function.
 */
export type TriggerCallOutcome = 'reached' | 'refused' | 'failed';

interface CircuitBreakerOptions {
  readonly clock: Clock;
  /** See {@link DEFAULT_BREAKER_NETWORKS}. */
  readonly networks: number;
}

/**
 * Says when a function is not called for a while. What a request carries cannot make a connection be refused, so a few refusals are
 * enough. It can make a handler slow, so other failures count only if they come from many networks: one sender must not keep everyone
 * else from the function.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #networks: number;
  readonly #failedNetworks = new Set<string>();
  #refusals = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, networks }: CircuitBreakerOptions) {
    this.#clock = clock;
    this.#networks = networks;
  }

  /** Whether calls are refused now. After a rest that refused connections caused, one call is let through to try. */
  isOpen(): boolean {
    const nowMs = this.#clock.now();
    const waitMs = this.#restsUntilMs - nowMs;
    // A rest beyond its whole length means that the clock was set back.
    if (waitMs > 0 && waitMs <= REST_MS) return true;
    if (this.#refusals >= REFUSALS_IN_A_ROW) this.#restsUntilMs = nowMs + REST_MS;
    return false;
  }

  /** Counts a call that ended, and says whether the function rests from now on because of it. */
  record(outcome: TriggerCallOutcome, network: string): boolean {
    if (outcome === 'refused') {
      this.#refusals += 1;
      return this.#refusals >= REFUSALS_IN_A_ROW && this.#open();
    }
    // Something accepted the connection.
    if (this.#refusals >= REFUSALS_IN_A_ROW || outcome === 'reached') this.#restsUntilMs = Number.NEGATIVE_INFINITY;
    this.#refusals = 0;
    if (outcome === 'failed') return this.#recordFailure(network);
    this.#failedNetworks.clear();
    return false;
  }

  #recordFailure(network: string): boolean {
    this.#failedNetworks.add(network);
    if (this.#failedNetworks.size < this.#networks) return false;
    // After the rest the count starts again, so that one sender's slow call cannot prolong it.
    this.#failedNetworks.clear();
    return this.#open();
  }

  #open(): true {
    this.#restsUntilMs = this.#clock.now() + REST_MS;
    return true;
  }
}
