import { hash, type KeyObject } from 'node:crypto';

/** A token whose form, issuer and signature were found good. */
export interface VerifiedToken {
  readonly kid: string;
  /** The key that verified it, as it was had from the pool then. */
  readonly key: KeyObject;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** How many tokens are remembered by default: some megabytes. */
const CAPACITY = 4096;

/**
 * Remembers what was verified of tokens, so that a client's next request with the same token costs no signature.
 * It knows a token by its digest alone. Whether the key still counts, the time is right and nothing has ended is not told
 * by it.
 */
export class VerifiedTokens {
  readonly #capacity: number;
  readonly #byDigest = new Map<string, VerifiedToken>();

  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity;
  }

  get(token: string): VerifiedToken | undefined {
    const digest = digestOf(token);
    const found = this.#byDigest.get(digest);
    if (found !== undefined) this.#keepLast(digest, found);
    return found;
  }

  /** Where there are too many, the one that was not asked for longest is forgotten. */
  put(token: string, verified: VerifiedToken): void {
    this.#keepLast(digestOf(token), verified);
    const [oldest] = this.#byDigest.keys();
    if (this.#byDigest.size > this.#capacity && oldest !== undefined) this.#byDigest.delete(oldest);
  }

  #keepLast(digest: string, verified: VerifiedToken): void {
    this.#byDigest.delete(digest);
    this.#byDigest.set(digest, verified);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
