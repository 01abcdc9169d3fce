import type { Clock } from './clock.ts';
import { CACHE_CAPACITY, ExpiringCache } from './expiring-cache.ts';

const SECRETS_CACHE_MS = 600_000;

/** Decrypted secrets by their encrypted text, whose meaning never changes. */
export type SecretCache = ExpiringCache<Uint8Array<ArrayBuffer>>;

/** Creates an empty cache of decrypted secrets. */
export function createSecretCache(clock: Clock): SecretCache {
  return new ExpiringCache(clock, SECRETS_CACHE_MS, CACHE_CAPACITY);
}
