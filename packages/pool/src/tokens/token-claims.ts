import { parseScopes, USER_SCOPE } from '@poolgate/provider';
import { filterReadableAttributes } from '../identity/attributes.ts';
import type { ClientRecord, LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { createAuthenticationClaims } from './authentication-methods.ts';
import { toGroupRoles } from './group-roles.ts';
import { overrideClaims, overrideGroups, overrideScopes, type TokenChanges } from './override-claims.ts';
import { selectAttributesByScope } from './scope-attributes.ts';
import { findTokenDeviceKey } from './token-device.ts';

/** The input of the claims of a token pair. */
export interface TokenFacts {
  readonly pool: PoolRecord;
  readonly client: ClientRecord;
  readonly user: UserRecord;
  readonly login: LoginRecord;
  readonly nowSeconds: number;
  /** The UUID of the tokens' origin, a login or one of its refreshes. Both tokens contain it. */
  readonly eventId: string;
  /** The changes of hook and trigger. */
  readonly changes: TokenChanges;
  /** The `nonce` of the authorization request (OpenID Connect Core §2), which only its first ID token contains. */
  readonly nonce?: string | null;
}

/** A claim set: JSON values by claim name. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Creates the claims of an access token.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function createAccessTokenClaims(facts: TokenFacts, jti: string): Claims {
  const { pool, client, user, login, nowSeconds, eventId, changes } = facts;
  const granted = login.scope === null ? [USER_SCOPE] : parseScopes(login.scope);
  const deviceKey = findTokenDeviceKey(login);
  const scopes = overrideScopes(granted, changes.overrides);
  const claims = {
    ...changes.added.access,
    sub: user.sub,
    ...(deviceKey === null ? {} : { device_key: deviceKey }),
    ...createGroupClaims(facts),
    iss: pool.settings.issuer,
    client_id: client.id,
    ...createOriginClaim(facts),
    event_id: eventId,
    token_use: 'access',
    ...(login.audience === null ? {} : { aud: login.audience }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(login.scope === null ? {} : { version: 2 }),
    auth_time: login.authTimeSeconds,
    ...createAuthenticationClaims(login),
    exp: nowSeconds + client.settings.accessTokenSeconds,
    iat: nowSeconds,
    jti,
    username: user.username,
  };
  return changes.overrides === undefined ? claims : overrideClaims(claims, changes.overrides.access);
}

/**
 * Creates the claims of an ID token: the user's identity, as far as the client may read it and has requested it.
 * @param atHash of its access token (OpenID Connect Core §3.1.3.6)
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 */
export function createIdTokenClaims(facts: TokenFacts, jti: string, atHash?: string): Claims {
  const { pool, client, user, login, nowSeconds, eventId, changes } = facts;
  const claims = {
    ...changes.added.id,
    ...createAttributeClaims(facts),
    ...createIdentitiesClaim(facts),
    ...(atHash === undefined ? {} : { at_hash: atHash }),
    ...(facts.nonce ? { nonce: facts.nonce } : {}),
    sub: user.sub,
    ...createGroupClaims(facts),
    ...createRoleClaims(facts),
    iss: pool.settings.issuer,
    'cognito:username': user.username,
    ...createOriginClaim(facts),
    aud: client.id,
    ...(login.scope === null || login.sessionId === null ? {} : { sid: login.sessionId }),
    event_id: eventId,
    token_use: 'id',
    auth_time: login.authTimeSeconds,
    ...createAuthenticationClaims(login),
    exp: nowSeconds + client.settings.idTokenSeconds,
    iat: nowSeconds,
    jti,
  };
  return changes.overrides === undefined ? claims : overrideClaims(claims, changes.overrides.id);
}

/** The names of the user's groups, by precedence; omitted if there are none. */
function createGroupClaims(facts: TokenFacts): Claims {
  const { names } = resolveTokenGroups(facts);
  return names.length === 0 ? {} : { 'cognito:groups': names };
}

function createRoleClaims(facts: TokenFacts): Claims {
  const { roles, preferredRole } = resolveTokenGroups(facts);
  return {
    ...(roles.length === 0 ? {} : { 'cognito:roles': roles }),
    ...(preferredRole === undefined ? {} : { 'cognito:preferred_role': preferredRole }),
  };
}

function resolveTokenGroups({ user, changes }: TokenFacts) {
  return overrideGroups(toGroupRoles(user), changes.overrides?.groups);
}

/** At sign-out, clients revoke only tokens that name their origin, so the claim is present exactly if revocation is enabled. */
function createOriginClaim({ client, login }: TokenFacts): Claims {
  return client.settings.tokenRevocation ? { origin_jti: login.id } : {};
}

/** Attributes are strings, but these claims are not (OpenID Connect Core §5.1). Custom attributes always stay strings. */
const TYPED_CLAIMS: Readonly<Record<string, (text: string) => boolean | number>> = {
  email_verified: (text) => text === 'true',
  phone_number_verified: (text) => text === 'true',
  updated_at: Number,
};

/** As in Cognito, its times and booleans are strings in tokens. */
function createIdentitiesClaim({ user, login }: TokenFacts): Claims {
  const { identities } = user.attributes;
  if (identities === undefined || (login.scope !== null && !parseScopes(login.scope).includes('openid'))) return {};
  const list = JSON.parse(identities) as readonly Readonly<Record<string, unknown>>[];
  const toText = (identity: Readonly<Record<string, unknown>>) => ({
    ...identity,
    primary: String(identity.primary),
    dateCreated: String(identity.dateCreated),
  });
  return { identities: list.map(toText) };
}

function createAttributeClaims({ client, user, login }: TokenFacts): Claims {
  const { identities: _claim, ...readable } = filterReadableAttributes(client, user);
  const entries = Object.entries(selectAttributesByScope(readable, login.scope));
  return Object.fromEntries(entries.map(([name, text]) => [name, TYPED_CLAIMS[name]?.(text) ?? text]));
}
