import type { FederationType } from '../store/pool-and-client-settings.ts';

/** The properties of one kind of identity provider. */
export interface IdentityProviderType {
  /** The details without which a provider of this kind cannot be used. */
  readonly requiredDetails: readonly string[];
  /** The optional details. */
  readonly optionalDetails: readonly string[];
  /** The detail that is encrypted. */
  readonly secret: 'client_secret' | 'private_key';
  /** Whether Cognito returns the secret to administrators who describe the provider. */
  readonly showsSecret: boolean;
  /** The values of omitted details, and the values that describing the provider adds. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The claim that identifies an account at the provider. */
  readonly subjectClaim: 'sub' | 'id' | 'user_id';
  /** Whether the only possible name of the provider is that of its kind. */
  readonly hasFixedName: boolean;
  /** Whether an ID token identifies accounts; otherwise an API of the provider does. */
  readonly hasIdToken: boolean;
  /** Whether the provider can show its accounts and wait for a choice, although it does not report when the user signed in. */
  readonly hasAccountChooser: boolean;
}

const ENDPOINTS = ['authorize_url', 'token_url', 'attributes_url', 'jwks_uri'] as const;
const FIXED_ENDPOINTS = [...ENDPOINTS, 'oidc_issuer', 'attributes_url_add_attributes', 'token_request_method'] as const;

/**
 * The kinds of identity providers, with the details that Cognito adds to each.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateIdentityProvider.html
 */
export const IDENTITY_PROVIDER_TYPES: Readonly<Record<FederationType, IdentityProviderType>> = {
  OIDC: {
    requiredDetails: ['client_id', 'oidc_issuer', 'authorize_scopes'],
    optionalDetails: ['client_secret', 'attributes_request_method', 'attributes_url_add_attributes', ...ENDPOINTS],
    secret: 'client_secret',
    showsSecret: true,
    defaults: { attributes_request_method: 'GET', attributes_url_add_attributes: 'false' },
    subjectClaim: 'sub',
    hasFixedName: false,
    hasIdToken: true,
    hasAccountChooser: false,
  },
  Google: {
    requiredDetails: ['client_id', 'client_secret', 'authorize_scopes'],
    optionalDetails: FIXED_ENDPOINTS,
    secret: 'client_secret',
    showsSecret: true,
    defaults: {
      attributes_url: 'https://people.googleapis.com/v1/people/me?personFields=',
      attributes_url_add_attributes: 'true',
      authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
      oidc_issuer: 'https://accounts.google.com',
      token_request_method: 'POST',
      token_url: 'https://www.googleapis.com/oauth2/v4/token',
    },
    subjectClaim: 'sub',
    hasFixedName: true,
    hasIdToken: true,
    hasAccountChooser: true,
  },
  SignInWithApple: {
    requiredDetails: ['client_id', 'team_id', 'key_id', 'private_key', 'authorize_scopes'],
    optionalDetails: FIXED_ENDPOINTS,
    secret: 'private_key',
    showsSecret: false,
    defaults: {
      attributes_url_add_attributes: 'false',
      authorize_url: 'https://appleid.apple.com/auth/authorize',
      oidc_issuer: 'https://appleid.apple.com',
      token_request_method: 'POST',
      token_url: 'https://appleid.apple.com/auth/token',
    },
    subjectClaim: 'sub',
    hasFixedName: true,
    hasIdToken: true,
    hasAccountChooser: false,
  },
  Facebook: {
    requiredDetails: ['client_id', 'client_secret', 'authorize_scopes'],
    optionalDetails: ['api_version', ...FIXED_ENDPOINTS],
    secret: 'client_secret',
    showsSecret: true,
    defaults: {
      api_version: 'v17.0',
      attributes_url: 'https://graph.facebook.com/v17.0/me?fields=',
      attributes_url_add_attributes: 'true',
      authorize_url: 'https://www.facebook.com/v17.0/dialog/oauth',
      token_request_method: 'GET',
      token_url: 'https://graph.facebook.com/v17.0/oauth/access_token',
    },
    subjectClaim: 'id',
    hasFixedName: true,
    hasIdToken: false,
    hasAccountChooser: false,
  },
  LoginWithAmazon: {
    requiredDetails: ['client_id', 'client_secret', 'authorize_scopes'],
    optionalDetails: FIXED_ENDPOINTS,
    secret: 'client_secret',
    showsSecret: true,
    defaults: {
      attributes_url: 'https://api.amazon.com/user/profile',
      attributes_url_add_attributes: 'false',
      authorize_url: 'https://www.amazon.com/ap/oa',
      token_request_method: 'POST',
      token_url: 'https://api.amazon.com/auth/o2/token',
    },
    subjectClaim: 'user_id',
    hasFixedName: true,
    hasIdToken: false,
    hasAccountChooser: false,
  },
};

const VERSION = 'v17.0';

/** Returns the details of a provider: those that were given, and the defaults of its kind for the others. */
export function completeProviderDetails(
  type: FederationType,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { defaults } = IDENTITY_PROVIDER_TYPES[type];
  const { api_version: version = VERSION } = given;
  const versioned = Object.entries(defaults).map(([name, value]) => [name, value.replace(VERSION, version)] as const);
  return { ...Object.fromEntries(versioned), ...given };
}
