/**
 * How often anyone may call: by network in memory, by user and client over all replicas
 * (docs/decisions/0041-leased-login-limits.md), and less under overload.
 */
import type { LimitClass } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { toClientNetwork } from './client-address.ts';

/** Counts requests by the network that they come from. */
export interface RateLimit {
  /**
   * Counts one request.
   *
   * @param address the client's address, as text; all that cannot be read count as one client
   * @throws {GatewayError} too_many_requests, with the seconds after which one request is free again
   */
  admit(address: string, limitClass: LimitClass): void;
}

/** After this many clients in one generation the older generation is forgotten, so that memory is bounded. */
const MAX_CLIENTS = 65_536;

const MINUTE_MS = 60_000;

/**
 * Makes the limit per client network. Each client and class has one number, the time at which its allowance is whole
 * again (the generic cell rate algorithm, ITU-T I.371): a request costs the same whether it is let in or not.
 * The counts are this process's own; what must hold across replicas is counted per user in the store.
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
      // No allowance is spent for longer than a minute: a later time comes of a clock that was set back.
      const spentUntilMs = Math.min(wholeAt.get(key, nowMs) ?? nowMs, nowMs + MINUTE_MS);
      const nextMs = Math.max(spentUntilMs, nowMs) + MINUTE_MS / limit;
      const waitMs = nextMs - nowMs - MINUTE_MS;
      if (waitMs > ROUNDING_MS) throw createRateLimitError(waitMs);
      wholeAt.set(key, nextMs);
    },
  };
}

// The sum of `limit` shares of a minute is not exactly a minute in floating point.
const ROUNDING_MS = 0.01;

function createRateLimitError(waitMs: number): GatewayError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new GatewayError('too_many_requests', 'Too many requests from this address.', { retryAfterSeconds });
}

interface Generations {
  get(key: string, nowMs: number): number | undefined;
  set(key: string, wholeAtMs: number): void;
}

/**
 * Two maps, the younger and the older. They change places each minute, by when every time in the older is past, or when
 * the younger is full.
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
