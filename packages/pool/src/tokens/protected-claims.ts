/** Claims with a meaning to token verifiers, whether or not the pool wrote them into this token. */
const PROTECTED_CLAIMS: ReadonlySet<string> = new Set([
  'acr',
  'amr',
  'at_hash',
  'aud',
  'auth_time',
  'azp',
  'c_hash',
  'client_id',
  'cnf',
  'device_key',
  'event_id',
  'exp',
  'iat',
  'identities',
  'iss',
  'jti',
  'nbf',
  'nonce',
  'origin_jti',
  'scope',
  'sid',
  'sub',
  'token_use',
  'username',
  'version',
]);

/** Cognito's own names, in both kinds of tokens. */
const PROTECTED_PREFIXES = ['cognito:', 'dev:'];

/** Whether only the pool may set a claim: neither hook nor trigger can set or remove it. */
export function isProtectedClaim(name: string): boolean {
  return PROTECTED_CLAIMS.has(name) || PROTECTED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
