import { hash, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../kernel/bounded-map.ts';

/** A token with a valid format, issuer and signature. */
export interface VerifiedToken {
  readonly kid: string;
  /** The key that verified it, as the pool published it then. */
  readonly key: KeyObject;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** An immutable object that holds a token, so that its verification can be cached for the object without a digest. */
export interface TokenHolder {
  readonly accessToken: string;
}

/** The capacity of the cache: some megabytes. */
const CAPACITY = 4096;

/**
 * Caches verified tokens, so that a client's next request with the same token needs no signature verification. It stores digests instead of
 * tokens. The caller must still check the key, the time and the revocations.
 */
export class VerifiedTokens {
  readonly #byDigest = new BoundedMap<string, VerifiedToken>(CAPACITY);
  #byHolder = new WeakMap<TokenHolder, VerifiedToken>();

  get(token: string | TokenHolder): VerifiedToken | undefined {
    if (typeof token === 'string') return this.#byDigest.get(digestToken(token));
    const remembered = this.#byHolder.get(token);
    if (remembered !== undefined) return remembered;
    const known = this.get(token.accessToken);
    if (known !== undefined) this.#byHolder.set(token, known);
    return known;
  }

  clear(): void {
    this.#byDigest.clear();
    this.#byHolder = new WeakMap();
  }

  put(token: string | TokenHolder, verified: VerifiedToken): void {
    if (typeof token !== 'string') this.#byHolder.set(token, verified);
    this.#byDigest.set(digestToken(typeof token === 'string' ? token : token.accessToken), verified);
  }
}

function digestToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
