import type { FederationType } from '../store/pool-and-client-settings.ts';

/** A provider as the protocol needs it, with its secret. */
export interface FederatedProvider {
  readonly type: FederationType;
  /** With the defaults of its kind. */
  readonly details: Readonly<Record<string, string>>;
  readonly secret: string;
}

/** The values that protect one sign-in at a provider from being mixed up with another one. */
export interface SignInProtection {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636. */
  readonly codeVerifier: string;
}

/** An account that a provider has authenticated. */
export interface ProviderAccount {
  /** The claims of the ID token and of the provider's API, by name. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** When the user signed in at the provider, as the ID token says; undefined if the provider does not report it. */
  readonly authTimeSeconds: number | undefined;
  /** The provider's token response, for the trigger that may change attributes. */
  readonly tokenResponse: Readonly<Record<string, unknown>>;
  readonly idToken: Readonly<Record<string, unknown>> | undefined;
  readonly userInfo: Readonly<Record<string, unknown>> | undefined;
}

/** The result of checking a provider without a user. */
export interface ProviderCheck {
  /** Why no one can sign in there; undefined if nothing is wrong. */
  readonly problem?: 'discovery' | 'keys' | 'client';
  /** Whether the provider accepts this service's redirect address. Not every provider reveals it. */
  readonly redirectAddress: 'accepted' | 'refused' | 'unknown';
}

/** Speaks OpenID Connect and OAuth 2.0 with providers. Every function may reject with {@link IdentityProviderError}. */
export interface IdentityProviderProtocol {
  /** Where the browser signs in. */
  createAuthorizationUrl(
    provider: FederatedProvider,
    protection: SignInProtection,
    wishes: {
      readonly mustLogIn: boolean;
      readonly loginHint: string | undefined;
      /** The provider's names of the levels to reach, space-separated. */
      readonly acrValues: string | undefined;
    },
  ): Promise<string>;
  /** Exchanges the code that the browser returned with, and verifies the provider's entire response. */
  redeemCode(
    provider: FederatedProvider,
    protection: SignInProtection,
    response: {
      readonly parameters: Readonly<Record<string, string>>;
      /** Claims to request from providers that return only what a client requests. */
      readonly wantedClaims: readonly string[];
    },
  ): Promise<ProviderAccount>;
  /** Finds out whether users could sign in. It never rejects: a problem is the result. */
  check(provider: FederatedProvider, redirectUri: string): Promise<ProviderCheck>;
}

/** The connection to identity providers. */
export interface IdentityProviderPort {
  /** Absent: users cannot sign in with other providers. */
  readonly identityProviderProtocol?: IdentityProviderProtocol;
  /** Groups whose members no rule of a provider links. Default: none. */
  readonly groupsWithoutLinkRule?: readonly string[];
}

/** A provider could not be reached, refused a request or returned an invalid response. */
export class IdentityProviderError extends Error {
  readonly reason: 'unreachable' | 'refused' | 'invalid_response';

  constructor(reason: IdentityProviderError['reason'], message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'IdentityProviderError';
    this.reason = reason;
  }
}
