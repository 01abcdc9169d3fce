import type { Clock } from '../kernel/clock.ts';

const REFUSALS_IN_A_ROW = 5;
const REST_MS = 10_000;

/** From how many distinct networks consecutive calls must fail before the circuit opens. */
export const DEFAULT_BREAKER_NETWORKS = 8;

/**
 * The result of a call. `reached`: the function responded. `refused`: nothing accepted the connection. `failed`: the call was sent, but no
 * response arrived in time, or a gateway responded instead.
 */
export type TriggerCallOutcome = 'reached' | 'refused' | 'failed';

interface CircuitBreakerOptions {
  readonly clock: Clock;
  /** See {@link DEFAULT_BREAKER_NETWORKS}. */
  readonly networks: number;
}

/**
 * Decides when a function is not called for some time. The content of a request cannot cause a refused connection, so a few of those are
 * enough. It can make a handler slow, so other failures count only from many networks. Otherwise one sender could block the function for
 * everyone.
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

  /** Whether calls are currently refused. After a pause caused by refused connections, one call is let through as a test. */
  isOpen(): boolean {
    const nowMs = this.#clock.now();
    const waitMs = this.#restsUntilMs - nowMs;
    // A remaining pause beyond its full length means that the clock was set back.
    if (waitMs > 0 && waitMs <= REST_MS) return true;
    if (this.#refusals >= REFUSALS_IN_A_ROW) this.#restsUntilMs = nowMs + REST_MS;
    return false;
  }

  /** Counts a finished call, and returns whether it opens the circuit. */
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
    // After the pause the count restarts, so that one sender's slow call cannot prolong it.
    this.#failedNetworks.clear();
    return this.#open();
  }

  #open(): true {
    this.#restsUntilMs = this.#clock.now() + REST_MS;
    return true;
  }
}
