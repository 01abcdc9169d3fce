import type { CallContext } from './call-context.ts';

/** A published signing key, without its private part. */
export interface SigningKeyDescription {
  readonly KeyId: string;
  readonly TokenUse: 'access' | 'id';
  readonly Algorithm: 'RS256' | 'ES256';
  /** Whether new tokens are signed with it. */
  readonly Signs: boolean;
  /** Seconds since the epoch. */
  readonly CreatedAt: number;
  /** When it stopped signing; absent while it signs. */
  readonly RetiredAt?: number;
}

/** Lists and replaces the keys that sign the tokens of a pool. */
export interface SigningKeyOperations {
  /** Oldest first. */
  list(
    input: { readonly UserPoolId: string },
    call: CallContext,
  ): Promise<{ readonly Keys: readonly SigningKeyDescription[] }>;
  /** Signs with new keys from now on. The old ones stay published until the last token that they signed has expired. */
  rotate(
    input: { readonly UserPoolId: string },
    call: CallContext,
  ): Promise<{ readonly Keys: readonly SigningKeyDescription[] }>;
}
