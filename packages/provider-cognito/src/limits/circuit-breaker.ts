/** Keeps the provider within Amazon's quotas and protects it during outages: rate windows, a retry budget, a circuit breaker. */
import type { Clock } from '../options/cognito-options.ts';

/** The parameters of the breaker. */
export interface CircuitBreakerLimits {
  readonly breakerOutcomes: number;
  readonly breakerLeast: number;
  readonly breakerShare: number;
  readonly breakerWindowMs: number;
  readonly breakerOpenMs: number;
}

/** The permission to make one call, which is returned with its outcome. */
export interface CallPermit {
  /** `undefined`: the call says nothing about the service. */
  report(outcome: 'worked' | 'failed' | undefined): void;
}

/** Stops calls to a failing service, and occasionally lets one through as a probe. */
export interface CircuitBreaker {
  /** Asks for permission. If refused, returns after how many milliseconds to ask again. */
  tryAcquire(): CallPermit | { readonly waitMs: number };
}

interface Outcome {
  readonly failed: boolean;
  readonly atMs: number;
}

/** Creates a closed breaker. */
export function createCircuitBreaker(clock: Clock, limits: CircuitBreakerLimits): CircuitBreaker {
  let outcomes: Outcome[] = [];
  /** When the next probe is allowed; undefined while closed. */
  let probeAtMs: number | undefined;
  let probing = false;
  // A call that started before the breaker opened or closed says nothing about the time after it.
  let era = Symbol('era');

  function change(nextProbeAtMs: number | undefined): void {
    era = Symbol('era');
    outcomes = [];
    probing = false;
    probeAtMs = nextProbeAtMs;
  }

  function note(failed: boolean): void {
    const nowMs = clock.now();
    outcomes.push({ failed, atMs: nowMs });
    if (outcomes.length > limits.breakerOutcomes) outcomes.shift();
    // A successful call never opens the breaker.
    if (!failed) return;
    const recent = outcomes.filter(({ atMs }) => nowMs - atMs < limits.breakerWindowMs);
    const failures = recent.filter((outcome) => outcome.failed).length;
    const enough = recent.length >= limits.breakerLeast;
    if (enough && failures >= recent.length * limits.breakerShare) change(nowMs + limits.breakerOpenMs);
  }

  function ordinary(): CallPermit {
    const began = era;
    return {
      report(outcome) {
        if (outcome !== undefined && began === era) note(outcome === 'failed');
      },
    };
  }

  function probe(): CallPermit {
    const began = era;
    probing = true;
    return {
      report(outcome) {
        if (began !== era) return;
        if (outcome === 'worked') change(undefined);
        else change(clock.now() + (outcome === 'failed' ? limits.breakerOpenMs : 0));
      },
    };
  }

  return {
    tryAcquire() {
      if (probeAtMs === undefined) return ordinary();
      const waitMs = probeAtMs - clock.now();
      if (probing) return { waitMs: limits.breakerOpenMs };
      // A wait beyond the limit comes from a clock that was set back.
      return waitMs > 0 && waitMs <= limits.breakerOpenMs ? { waitMs } : probe();
    },
  };
}
