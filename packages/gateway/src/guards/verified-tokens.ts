import { hash, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';

/** A token whose form, issuer and signature were found good. */
export interface VerifiedToken {
  readonly kid: string;
  /** The key that verified it, as it was had from the pool then. */
  readonly key: KeyObject;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** How many tokens are remembered: some megabytes. */
const CAPACITY = 4096;

/**
 * Remembers what was verified of tokens, so that a client's next request with the same token costs no signature.
 * It knows a token by its digest alone. Whether the key still counts, the time is right and nothing has ended is not told
 * by it.
 */
export class VerifiedTokens {
  readonly #byDigest = new BoundedMap<string, VerifiedToken>(CAPACITY);

  get(token: string): VerifiedToken | undefined {
    return this.#byDigest.get(digestOf(token));
  }

  put(token: string, verified: VerifiedToken): void {
    this.#byDigest.set(digestOf(token), verified);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
