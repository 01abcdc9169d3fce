import type { CallContext } from './call-context.ts';

/** A published signing key, without its private part. */
export interface SigningKeyDescription {
  readonly KeyId: string;
  readonly TokenUse: 'access' | 'id';
  readonly Algorithm: 'RS256' | 'ES256';
  /** Whether it signs new tokens. */
  readonly Signs: boolean;
  /** Seconds since the epoch. */
  readonly CreatedAt: number;
  /** When it stopped signing; absent for the current key. */
  readonly RetiredAt?: number;
}

/** Lists and rotates the keys that sign a pool's tokens. */
export interface SigningKeyOperations {
  /** Oldest first. */
  list(
    input: { readonly UserPoolId: string },
    call: CallContext,
  ): Promise<{ readonly Keys: readonly SigningKeyDescription[] }>;
  /** Signs with new keys from now on. The old keys stay published until the last token that they signed has expired. */
  rotate(
    input: { readonly UserPoolId: string },
    call: CallContext,
  ): Promise<{ readonly Keys: readonly SigningKeyDescription[] }>;
}
