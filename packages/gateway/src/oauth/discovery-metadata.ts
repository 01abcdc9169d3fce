import type { PoolDescription, PublicKey } from '@poolgate/provider';

/** The claims that an ID token can have. */
const CLAIMS = [
  'acr',
  'amr',
  'aud',
  'auth_time',
  'email',
  'email_verified',
  'exp',
  'iat',
  'iss',
  'name',
  'phone_number',
  'phone_number_verified',
  'sub',
];

/** Returns the OAuth members of the discovery documents, if the endpoints are enabled. */
export function createOAuthMetadata(baseUrl: string): Readonly<Record<string, unknown>> {
  const proofs = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const clientAuthentication = [...proofs, 'none'];
  const assertionAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
  return {
    authorization_endpoint: `${baseUrl}/oauth2/authorize`,
    end_session_endpoint: `${baseUrl}/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'select_account', 'consent', 'create'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    device_authorization_endpoint: `${baseUrl}/oauth2/device_authorization`,
    pushed_authorization_request_endpoint: `${baseUrl}/oauth2/par`,
    require_pushed_authorization_requests: false,
    token_endpoint: `${baseUrl}/oauth2/token`,
    userinfo_endpoint: `${baseUrl}/oauth2/userInfo`,
    revocation_endpoint: `${baseUrl}/oauth2/revoke`,
    introspection_endpoint: `${baseUrl}/oauth2/introspect`,
    grant_types_supported: [
      'authorization_code',
      'implicit',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    token_endpoint_auth_methods_supported: clientAuthentication,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: proofs,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    claims_supported: CLAIMS,
  };
}

/** Creates the metadata that every pool publishes. */
export function createPoolMetadata(
  pool: PoolDescription,
  keys: readonly PublicKey[],
  baseUrl: string,
): Readonly<Record<string, unknown>> {
  return {
    issuer: pool.issuer,
    jwks_uri: `${baseUrl}/${pool.userPoolId}/.well-known/jwks.json`,
    response_types_supported: [],
    subject_types_supported: ['public'],
    // While keys are being replaced by those of another kind, tokens of both are out there.
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ alg }) => alg))],
  };
}
