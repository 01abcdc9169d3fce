import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock, GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** By what an access token is judged: the issuer and the signing keys of the pool. */
export interface BearerTrust {
  readonly issuer: () => Promise<string>;
  /** The public key of a key id; undefined where the pool has none. */
  readonly key: (kid: string) => Promise<KeyObject | undefined>;
  /** What was found good by these. */
  readonly verified: VerifiedTokens;
}

/** The keys are asked for again after this time, so that retired ones go. */
const KEYS_LIVE_MS = 5 * 60_000;
/** How long an unknown key id is not asked for again. */
export const UNKNOWN_KID_MS = 10_000;
/** How many unknown key ids are asked for in that time; more are refused unasked. */
export const MAX_UNKNOWN_KIDS = 16;

/** Makes the trust in the pool of the routes. The provider is asked seldom, and never where a token says. */
export function createBearerTrust(deps: Pick<GatewayDeps, 'provider' | 'userPoolId' | 'clock'>): BearerTrust {
  const { provider, userPoolId, clock } = deps;
  const asked = createUnknownKids(clock);
  let issuer: string | undefined;
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let staleAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function load(): Promise<void> {
    const published = await provider.signingKeys(userPoolId);
    if (published === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
    keys = new Map(
      published.map(({ kid, kty, n, e }) => [kid, createPublicKey({ key: { kty, n, e }, format: 'jwk' })]),
    );
    staleAtMs = clock.now() + KEYS_LIVE_MS;
  }

  function refresh(): Promise<void> {
    pending ??= load().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    verified: new VerifiedTokens(),
    async issuer() {
      issuer ??= (await provider.describe(userPoolId))?.issuer;
      if (issuer === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
      return issuer;
    },
    async key(kid) {
      if (clock.now() >= staleAtMs) await refresh();
      else if (!keys.has(kid) && asked.mayAsk(kid)) await refresh();
      return keys.get(kid);
    },
  };
}

interface UnknownKids {
  mayAsk(kid: string): boolean;
}

function createUnknownKids(clock: Clock): UnknownKids {
  const askedAtMs = new Map<string, number>();
  return {
    mayAsk(kid) {
      const nowMs = clock.now();
      for (const [known, atMs] of askedAtMs) if (nowMs - atMs >= UNKNOWN_KID_MS) askedAtMs.delete(known);
      if (askedAtMs.has(kid) || askedAtMs.size >= MAX_UNKNOWN_KIDS) return false;
      askedAtMs.set(kid, nowMs);
      return true;
    },
  };
}
