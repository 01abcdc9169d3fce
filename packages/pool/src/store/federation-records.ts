import type { IdentityProviderSettings } from './pool-and-client-settings.ts';

/** Another identity provider whose users sign in to a pool (Cognito `IdentityProviderType`). */
export interface IdentityProviderRecord {
  readonly poolId: string;
  readonly name: string;
  readonly settings: IdentityProviderSettings;
  /** The client secret or private key, encrypted. */
  readonly secretEncrypted: string;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An account at another identity provider that signs in a user of the pool. */
export interface FederatedIdentityRecord {
  readonly poolId: string;
  readonly providerName: string;
  /** `Cognito_Subject` for the provider's own id of the account; otherwise the attribute that is compared. */
  readonly attribute: string;
  readonly value: string;
  readonly username: string;
  /** The issuer of the provider at that time. An account of another issuer is another account. */
  readonly issuer: string;
  /** True for the identity that the user was created from, false for one that was linked. */
  readonly isPrimary: boolean;
  /** True where a rule of the provider made the link, and no person. */
  readonly isByRule: boolean;
  readonly createdAtMs: number;
}
