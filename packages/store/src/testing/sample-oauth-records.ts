import type {
  AuthorizationCodeRecord,
  BrandingRecord,
  ClientSessionRecord,
  DomainRecord,
  FederatedIdentityRecord,
  IdentityProviderRecord,
  ResourceServerRecord,
} from '@poolgate/pool/store';

/** A domain with a certificate. */
export function sampleDomain(poolId: string, name: string): DomainRecord {
  const settings = { CustomDomainConfig: { CertificateArn: 'arn:aws:acm:us-east-1:1:certificate/é' } };
  return { poolId, name, settings, createdAtMs: 1_700_000_000_050, modifiedAtMs: 1_700_000_000_051 };
}

/** A resource server with two scopes. */
export function sampleResourceServer(poolId: string, identifier: string): ResourceServerRecord {
  const scopes = [
    { name: 'read', description: 'Läse "alles"' },
    { name: 'write', description: 'Schreibe' },
  ];
  return {
    poolId,
    identifier,
    name: 'Dinge',
    scopes,
    createdAtMs: 1_700_000_000_052,
    modifiedAtMs: 1_700_000_000_053,
  };
}

/** An OpenID Connect provider with every setting. */
export function sampleIdentityProvider(poolId: string, name: string): IdentityProviderRecord {
  const settings = {
    type: 'OIDC',
    details: { client_id: 'é', oidc_issuer: 'https://login.test' },
    attributeMapping: { email: 'mail', username: 'sub' },
    identifiers: ['login.test'],
  } as const;
  const times = { createdAtMs: 1_700_000_000_054, modifiedAtMs: 1_700_000_000_055 };
  return { poolId, name, settings, secretEncrypted: `secret of ${name}`, ...times };
}

/** The identity that a user was created from. */
export function sampleFederatedIdentity(poolId: string, username: string, value: string): FederatedIdentityRecord {
  return {
    poolId,
    providerName: 'Login',
    attribute: 'Cognito_Subject',
    value,
    username,
    issuer: 'https://login.test',
    isPrimary: true,
    isByRule: true,
    createdAtMs: 1_700_000_000_056,
  };
}

const REQUEST = {
  redirectUri: 'https://app.test/callback?a=1',
  isRedirectUriSent: true,
  responseType: 'code',
  scope: 'openid things/read',
  state: '"é"',
  nonce: 'n',
  codeChallenge: 'challenge',
  audience: 'https://things.test/',
  prompts: ['login'],
  maxAgeSeconds: 60,
} as const;

/** The look of a client's pages. */
export function sampleBranding(poolId: string, clientId: string, kind: BrandingRecord['kind']): BrandingRecord {
  const content =
    kind === 'classic'
      ? { css: '.label-customizable {font-weight: 400;}', image: 'aQ==' }
      : { usesDefaults: false, settings: { components: {} }, assets: [] };
  return { poolId, clientId, kind, id: `${kind}-of-${clientId}`, content, createdAtMs: 11, modifiedAtMs: 12 };
}

/** An unused code that expires at 100. */
export function sampleAuthorizationCode(poolId: string, username: string, digestHex: string): AuthorizationCodeRecord {
  const { redirectUri, isRedirectUriSent, scope, nonce, codeChallenge, audience } = REQUEST;
  return {
    digestHex,
    poolId,
    clientId: `client-of-${poolId}`,
    username,
    sessionLoginId: 'login-of-session',
    authorization: { redirectUri, isRedirectUriSent, scope, nonce, codeChallenge, audience, authTimeSeconds: 7 },
    tokenLoginId: null,
    usedAtMs: null,
    expiresAtMs: 100,
    createdAtMs: 10,
  };
}

/** An active client session that expires at 100. */
export function sampleClientSession(
  poolId: string,
  username: string,
  sessionId: string,
  clientId: string,
): ClientSessionRecord {
  return {
    clientId,
    sessionId,
    poolId,
    username,
    sub: `sub-of-${username}`,
    sessionLoginId: `login-of-${sessionId}`,
    endsGrants: false,
    expiresAtMs: 100,
    endedAtMs: null,
    tries: 0,
    nextTryAtMs: 0,
    leasedUntilMs: 0,
    lastFailure: null,
  };
}
