/**
 * What guards compare with: the pool's signing keys, tokens already verified, and admin keys.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IdentityProvider, PublicKey } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** By what an access token is judged: the issuer and the signing keys of the pool. */
export interface TokenTrustStore {
  readonly issuer: () => Promise<string>;
  /** The public key of a key id; undefined where the pool has none. */
  readonly key: (kid: string) => Promise<KeyObject | undefined>;
  /** Whether a key is known to be the pool's still, without a question. */
  readonly isCurrent: (kid: string, key: KeyObject) => boolean;
  /** What was found good by these. */
  readonly verifiedTokens: VerifiedTokens;
}

/** The keys are asked for again after this time, so that retired ones go. */
const KEYS_LIVE_MS = 5 * 60_000;

/**
 * Makes the trust in the pool of the routes. A key id that is not known asks the provider at once, whatever others asked for before,
 * so that no flood of decoys delays a key after a rotation; however many ask, one question is under way. What a question costs
 * is the provider's to bound ({@link IdentityProvider.signingKeys}).
 */
export function createTokenTrustStore(deps: Pick<GatewayDeps, 'provider' | 'userPoolId' | 'clock'>): TokenTrustStore {
  const { provider, userPoolId, clock } = deps;
  let issuer: string | undefined;
  let keys: ReadonlyMap<string, TrustedKey> = new Map();
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function load(): Promise<void> {
    const published = await provider.signingKeys(userPoolId);
    if (published === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
    keys = new Map(published.map((key) => [key.kid, toTrustedKey(key, keys.get(key.kid))]));
    loadedAtMs = clock.now();
  }

  function refresh(): Promise<void> {
    pending ??= load().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  async function seek(kid: string): Promise<void> {
    const wasUnderWay = pending !== undefined;
    await refresh();
    // A question that was under way already may have been answered before the key was there.
    if (wasUnderWay && !keys.has(kid)) await refresh();
  }

  // Either way: a clock that is set back keeps no retired key.
  const isStale = (): boolean => Math.abs(clock.now() - loadedAtMs) >= KEYS_LIVE_MS;

  return {
    verifiedTokens: new VerifiedTokens(),
    isCurrent: (kid, key) => !isStale() && keys.get(kid)?.object === key,
    async issuer() {
      issuer ??= (await provider.describe(userPoolId))?.issuer;
      if (issuer === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
      return issuer;
    },
    async key(kid) {
      if (isStale() || !keys.has(kid)) await seek(kid);
      return keys.get(kid)?.object;
    },
  };
}

interface TrustedKey {
  readonly published: PublicKey;
  readonly object: KeyObject;
}

/** The same object for the same key: what was verified by it stays so, and a flood of unknown key ids costs nobody else a signature. */
function toTrustedKey(published: PublicKey, before: TrustedKey | undefined): TrustedKey {
  const { alg: _alg, use: _use, kid: _kid, ...key } = published;
  const object = createPublicKey({ key, format: 'jwk' });
  return before?.object.equals(object) ? before : { published, object };
}
