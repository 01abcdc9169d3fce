/** The data that guards verify credentials with: the pool's signing keys, verified tokens, and admin keys. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IdentityProvider, PublicKey } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** The basis for judging an access token: the pool's issuer and signing keys. */
export interface TokenTrustStore {
  readonly issuer: () => Promise<string>;
  /** Reads the issuer again, for a token that the pool signed with another one. */
  readonly reloadIssuer: () => Promise<string>;
  /** Returns the public key of a key id; undefined if the pool has none. */
  readonly key: (kid: string) => Promise<KeyObject | undefined>;
  /** Whether a key is known to be still the pool's, without a request. */
  readonly isCurrent: (kid: string, key: KeyObject) => boolean;
  /** The tokens that were verified with these keys. */
  readonly verifiedTokens: VerifiedTokens;
  /** Clears everything, so that the next token causes a query to the provider. */
  readonly clear: () => void;
}

/** Keys and issuer are reloaded after this time, so that retired ones disappear. */
const KEYS_LIVE_MS = 5 * 60_000;

/**
 * Creates the trust store of the routes' pool. An unknown key id always queries the provider at once, so that a flood of invented ids does
 * not delay a key after a rotation. Simultaneous callers share one query. The provider must limit the cost of queries
 * ({@link IdentityProvider.signingKeys}).
 */
export function createTokenTrustStore(deps: Pick<GatewayDeps, 'provider' | 'userPoolId' | 'clock'>): TokenTrustStore {
  const { provider, userPoolId, clock } = deps;
  let issuer: string | undefined;
  let keys: ReadonlyMap<string, TrustedKey> = new Map();
  let loadedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function load(): Promise<void> {
    const [published, pool] = await Promise.all([provider.signingKeys(userPoolId), provider.describe(userPoolId)]);
    if (published === undefined || pool === undefined)
      throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
    // Tokens with the previous issuer must be verified again, so their keys become new objects.
    const before = pool.issuer === issuer ? keys : new Map<string, TrustedKey>();
    keys = new Map(published.map((key) => [key.kid, toTrustedKey(key, before.get(key.kid))]));
    issuer = pool.issuer;
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
    // A query that was already running may have been answered before the key existed.
    if (wasUnderWay && !keys.has(kid)) await refresh();
  }

  async function readIssuer(isOutdated: boolean): Promise<string> {
    if (isOutdated || issuer === undefined) await refresh();
    if (issuer === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
    return issuer;
  }

  // In both directions, because a clock that is set back must not keep a retired key.
  const isStale = (): boolean => Math.abs(clock.now() - loadedAtMs) >= KEYS_LIVE_MS;

  const verifiedTokens = new VerifiedTokens();
  return {
    verifiedTokens,
    clear() {
      issuer = undefined;
      keys = new Map();
      loadedAtMs = Number.NEGATIVE_INFINITY;
      verifiedTokens.clear();
    },
    isCurrent: (kid, key) => !isStale() && keys.get(kid)?.object === key,
    issuer: () => readIssuer(isStale()),
    reloadIssuer: () => readIssuer(true),
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

/** The same object for the same key, so that tokens stay verified when unknown key ids cause a reload. */
function toTrustedKey(published: PublicKey, before: TrustedKey | undefined): TrustedKey {
  const { alg: _alg, use: _use, kid: _kid, ...key } = published;
  const object = createPublicKey({ key, format: 'jwk' });
  return before?.object.equals(object) ? before : { published, object };
}
