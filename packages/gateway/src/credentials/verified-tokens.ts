import { hash, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../kernel/bounded-map.ts';

/** A token whose form, issuer and signature were found good. */
export interface VerifiedToken {
  readonly kid: string;
  /** The key that verified it, as it was had from the pool then. */
  readonly key: KeyObject;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A token that somebody keeps in an object, which never changes: what was verified is remembered for the object, without a digest. */
export interface TokenHolder {
  readonly accessToken: string;
}

/** How many tokens are remembered: some megabytes. */
const CAPACITY = 4096;

/**
 * Remembers what was verified of tokens, so that a client's next request with the same token costs no signature.
 * It keeps digests, and no token. Whether the key still counts, the time is right and nothing has ended is not told
 * by it.
 */
export class VerifiedTokens {
  readonly #byDigest = new BoundedMap<string, VerifiedToken>(CAPACITY);
  readonly #byHolder = new WeakMap<TokenHolder, VerifiedToken>();

  get(token: string | TokenHolder): VerifiedToken | undefined {
    if (typeof token === 'string') return this.#byDigest.get(digestToken(token));
    const remembered = this.#byHolder.get(token);
    if (remembered !== undefined) return remembered;
    const known = this.get(token.accessToken);
    if (known !== undefined) this.#byHolder.set(token, known);
    return known;
  }

  put(token: string | TokenHolder, verified: VerifiedToken): void {
    if (typeof token !== 'string') this.#byHolder.set(token, verified);
    this.#byDigest.set(digestToken(typeof token === 'string' ? token : token.accessToken), verified);
  }
}

function digestToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
