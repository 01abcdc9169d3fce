import type { ChallengeName } from './challenges.ts';
import type { OperationName } from './operations.ts';
import type { Operations } from './shapes.ts';

/** What a provider is told about the call beside the request itself. It holds no secret. */
export interface CallContext {
  /** The id of the request that caused the call, for correlation. */
  readonly requestId: string;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
}

/** The request of an operation, in Cognito's shape. */
export type Input<Name extends OperationName> = Operations[Name]['input'];

/** The response of an operation, in Cognito's shape. */
export type Output<Name extends OperationName> = Operations[Name]['output'];

/**
 * One method for each operation of the port, named as the operation in camel case.
 * Whoever calls has already enforced the operation's `access` row.
 * Every method rejects with {@link import('./errors.ts').ProviderError} and nothing else, defects apart.
 */
export type ProviderOperations = {
  readonly [Name in OperationName as Uncapitalize<Name>]: (
    input: Input<Name>,
    context: CallContext,
  ) => Promise<Output<Name>>;
};

/**
 * What Poolgate offers beyond the Cognito API. A provider has only those that it can do;
 * a name in here is at the same time the name of the capability.
 */
export interface ProviderExtensions {
  /** Ends the login to which an access token belongs: its refresh token and its access tokens are refused from then on. */
  readonly end_login: (input: { readonly AccessToken: string }, context: CallContext) => Promise<void>;
  /**
   * Draws ten new recovery codes and voids the old ones. A code is letters only, and is accepted once in place of a
   * second factor's code. They are shown here and never again.
   */
  readonly create_recovery_codes: (
    input: { readonly AccessToken: string },
    context: CallContext,
  ) => Promise<{ readonly Codes: readonly string[] }>;
  /** How many recovery codes are left. */
  readonly count_recovery_codes: (
    input: { readonly AccessToken: string },
    context: CallContext,
  ) => Promise<{ readonly Left: number }>;
  /** When each of the user's passkeys was used last, in seconds since the epoch; one that was never used is absent. */
  readonly list_passkey_uses: (
    input: { readonly AccessToken: string },
    context: CallContext,
  ) => Promise<{ readonly LastUsedAt: Readonly<Record<string, number>> }>;
  /**
   * Starts a passkey login that names no user. `CredentialRequestOptions` is the JSON text of
   * `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9) without `allowCredentials`: the authenticator shows what it has.
   * `SecretHash`, here and in the answer, is made of the empty user name.
   */
  readonly start_discoverable_login: (
    input: { readonly ClientId: string; readonly SecretHash?: string },
    context: CallContext,
  ) => Promise<{ readonly Session: string; readonly CredentialRequestOptions: string }>;
  /**
   * Answers it. `Credential` is the JSON text of `AuthenticationResponseJSON` with its `userHandle`. What follows is what
   * follows a passkey in any login: tokens, or a further challenge. A credential that nobody has is told apart
   * (`ResourceNotFoundException`, reason `passkey_not_found`), so that a client may signal it as unknown.
   */
  readonly finish_discoverable_login: (
    input: {
      readonly ClientId: string;
      readonly Session: string;
      readonly Credential: string;
      readonly SecretHash?: string;
    },
    context: CallContext,
  ) => Promise<Output<'RespondToAuthChallenge'>>;
}

/** The name of something that not every provider can do. */
export type Capability = keyof ProviderExtensions;

/** A public signing key (RFC 7517), as Cognito publishes it. */
export interface PublicKey {
  readonly alg: 'RS256';
  readonly kty: 'RSA';
  readonly use: 'sig';
  readonly kid: string;
  /** The public exponent, base64url. */
  readonly e: string;
  /** The modulus, base64url. */
  readonly n: string;
}

/** The public facts of one user pool. */
export interface PoolDescription {
  readonly userPoolId: string;
  readonly region: string;
  /** The `iss` of its tokens. */
  readonly issuer: string;
  readonly srp: { readonly NHex: string; readonly gHex: string; readonly hash: 'SHA-256' };
  /** Challenge names that a login on this pool can meet. */
  readonly challenges: readonly ChallengeName[];
  /** The relying party of this pool's passkeys (WebAuthn Level 3 §5.4.2); null where it has none. */
  readonly passkeys: { readonly relyingPartyId: string } | null;
  /** How MFA is set on this pool. */
  readonly mfa: { readonly setup: 'OFF' | 'OPTIONAL' | 'ON'; readonly types: readonly string[] };
}

/** An identity provider: what can stand behind the gateway. */
export interface IdentityProvider {
  readonly operations: ProviderOperations;
  readonly extensions: Partial<ProviderExtensions>;
  /** The facts of a pool, or undefined where the pool does not exist. */
  describe(userPoolId: string): Promise<PoolDescription | undefined>;
  /** The public keys that sign this pool's tokens, current and recently retired; undefined where the pool does not exist. */
  signingKeys(userPoolId: string): Promise<readonly PublicKey[] | undefined>;
}
