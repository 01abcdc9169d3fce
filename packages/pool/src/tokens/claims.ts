import { USER_SCOPE } from '@poolgate/provider';
import type { AddedClaims } from '../context.ts';
import type { ClientRecord, LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { readableAttributes } from '../users/attributes.ts';

/** What the claims of a pair of tokens are made of. */
export interface TokenFacts {
  readonly pool: PoolRecord;
  readonly client: ClientRecord;
  readonly user: UserRecord;
  readonly login: LoginRecord;
  readonly nowSeconds: number;
  /** UUID of what the tokens come from, a login or one refresh of it; both tokens tell the same. */
  readonly eventId: string;
  /** What the integrator adds; it never replaces what the pool writes. */
  readonly added: AddedClaims;
}

/** A claim set: JSON values by claim name. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims of an access token.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function accessClaims(facts: TokenFacts, jti: string): Claims {
  const { pool, client, user, login, nowSeconds, eventId } = facts;
  return {
    ...facts.added.access,
    sub: user.sub,
    ...(login.deviceKey === null ? {} : { device_key: login.deviceKey }),
    ...groupsOf(user),
    iss: pool.settings.issuer,
    client_id: client.id,
    ...originOf(facts),
    event_id: eventId,
    token_use: 'access',
    scope: USER_SCOPE,
    auth_time: login.authTimeSeconds,
    exp: nowSeconds + client.settings.accessTokenSeconds,
    iat: nowSeconds,
    jti,
    username: user.username,
  };
}

/**
 * The claims of an ID token: who the user is, as far as the client may read it.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 */
export function idClaims(facts: TokenFacts, jti: string): Claims {
  const { pool, client, user, login, nowSeconds, eventId } = facts;
  return {
    ...facts.added.id,
    ...attributeClaims(facts),
    sub: user.sub,
    ...groupsOf(user),
    ...rolesOf(user),
    iss: pool.settings.issuer,
    'cognito:username': user.username,
    ...originOf(facts),
    aud: client.id,
    event_id: eventId,
    token_use: 'id',
    auth_time: login.authTimeSeconds,
    exp: nowSeconds + client.settings.idTokenSeconds,
    iat: nowSeconds,
    jti,
  };
}

/** The names of the user's groups, the first one counts most; left out where there is none. */
function groupsOf({ groups }: UserRecord): Claims {
  return groups.length === 0 ? {} : { 'cognito:groups': groups.map(({ name }) => name) };
}

/**
 * The roles of the user's groups, and the one that counts most. Where two groups count as much and their roles differ, none does.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-user-groups.html
 */
function rolesOf({ groups }: UserRecord): Claims {
  const withRole = groups.filter(({ roleArn }) => roleArn !== null);
  const [first] = withRole;
  if (first === undefined) return {};
  const roles = [...new Set(withRole.map(({ roleArn }) => roleArn))];
  const isClear = withRole.every(
    ({ precedence, roleArn }) => precedence !== first.precedence || roleArn === first.roleArn,
  );
  return { 'cognito:roles': roles, ...(isClear ? { 'cognito:preferred_role': first.roleArn } : {}) };
}

/** Clients revoke at sign-out only what names its origin, so it is there exactly where revocation is on. */
function originOf({ client, login }: TokenFacts): Claims {
  return client.settings.tokenRevocation ? { origin_jti: login.id } : {};
}

/** Attributes are text, but these claims are not (OpenID Connect Core §5.1). Custom attributes always stay text. */
const TYPED_CLAIMS: Readonly<Record<string, (text: string) => boolean | number>> = {
  email_verified: (text) => text === 'true',
  phone_number_verified: (text) => text === 'true',
  updated_at: Number,
};

function attributeClaims({ client, user }: TokenFacts): Claims {
  const entries = Object.entries(readableAttributes(client, user));
  return Object.fromEntries(entries.map(([name, text]) => [name, TYPED_CLAIMS[name]?.(text) ?? text]));
}
