/**
 * Rate limits: by network in memory, by user and client across all replicas (docs/decisions/0041-leased-login-limits.md), and lower during
 * overload.
 */
import type { LimitClass } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { toClientNetwork } from './client-address.ts';

/** Counts requests by network. */
export interface RateLimit {
  /**
   * Counts one request.
   *
   * @param address the client's address as text; all invalid ones count as one client
   * @throws {GatewayError} too_many_requests, with the seconds until the next request is allowed
   */
  admit(address: string, limitClass: LimitClass): void;
}

/** With more clients in one generation, the older generation is dropped, so that memory is limited. */
const MAX_CLIENTS = 65_536;

const MINUTE_MS = 60_000;

/**
 * Creates the limit for each client network. Each client and class has one number, the time at which its allowance is full again (the
 * generic cell rate algorithm, ITU-T I.371). A request costs the same whether or not it is admitted. The counts belong to this process;
 * limits across replicas are counted by user in the store.
 */
export function createRateLimit(deps: Pick<GatewayDeps, 'clock' | 'settings'>): RateLimit {
  const perMinute: Readonly<Record<LimitClass, number>> = {
    read: deps.settings.rateLimits.readsPerMinute,
    login: deps.settings.rateLimits.loginStepsPerMinute,
  };
  const wholeAt = createGenerations();
  return {
    admit(address, limitClass) {
      const limit = perMinute[limitClass];
      if (limit === 0) return;
      const nowMs = deps.clock.now();
      const key = `${limitClass} ${toClientNetwork(address)}`;
      // No allowance is exhausted for longer than a minute. A later time comes from a clock that was set back.
      const spentUntilMs = Math.min(wholeAt.get(key, nowMs) ?? nowMs, nowMs + MINUTE_MS);
      const nextMs = Math.max(spentUntilMs, nowMs) + MINUTE_MS / limit;
      const waitMs = nextMs - nowMs - MINUTE_MS;
      if (waitMs > ROUNDING_MS) throw createRateLimitError(waitMs);
      wholeAt.set(key, nextMs);
    },
  };
}

// In floating point, the sum of `limit` shares of a minute is not exactly a minute.
const ROUNDING_MS = 0.01;

function createRateLimitError(waitMs: number): GatewayError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new GatewayError('too_many_requests', 'Too many requests from this network.', { retryAfterSeconds });
}

interface Generations {
  get(key: string, nowMs: number): number | undefined;
  set(key: string, wholeAtMs: number): void;
}

/**
 * Two maps, a younger and an older one. They swap each minute, when every time in the older one has passed, or when the younger one is
 * full.
 */
function createGenerations(): Generations {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let bornAtMs = Number.NEGATIVE_INFINITY;
  return {
    get(key, nowMs) {
      if (young.size >= MAX_CLIENTS || Math.abs(nowMs - bornAtMs) >= MINUTE_MS) {
        old = young;
        young = new Map();
        bornAtMs = nowMs;
      }
      return young.get(key) ?? old.get(key);
    },
    set(key, wholeAtMs) {
      young.set(key, wholeAtMs);
    },
  };
}
