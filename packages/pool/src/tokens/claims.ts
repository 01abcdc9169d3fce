import { readableAttributes } from '../domain/attributes.ts';
import type { ClientRecord, LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';

/** The one scope of a token that comes from the API (Cognito). */
export const USER_SCOPE = 'aws.cognito.signin.user.admin';

/** What the claims of a pair of tokens are made of. */
export interface TokenFacts {
  readonly pool: PoolRecord;
  readonly client: ClientRecord;
  readonly user: UserRecord;
  readonly login: LoginRecord;
  readonly nowSeconds: number;
  /** UUID of the event that the tokens come from; both tokens tell the same. */
  readonly eventId: string;
}

/** A claim set: JSON values by claim name. */
export type Claims = Readonly<Record<string, string | number | boolean>>;

/**
 * The claims of an access token.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function accessClaims(facts: TokenFacts, jti: string): Claims {
  const { pool, client, user, login, nowSeconds, eventId } = facts;
  return {
    sub: user.sub,
    ...(login.deviceKey === null ? {} : { device_key: login.deviceKey }),
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
    ...attributeClaims(facts),
    sub: user.sub,
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

/** Clients revoke at sign-out only what names its origin, so it is there exactly where revocation is on. */
function originOf({ client, login }: TokenFacts): Claims {
  return client.settings.tokenRevocation ? { origin_jti: login.id } : {};
}

/** Attributes are text, but these claims are not (OpenID Connect Core §5.1). Custom attributes always stay text. */
const TYPED: Readonly<Record<string, (text: string) => boolean | number>> = {
  email_verified: (text) => text === 'true',
  phone_number_verified: (text) => text === 'true',
  updated_at: Number,
};

function attributeClaims({ client, user }: TokenFacts): Claims {
  const entries = Object.entries(readableAttributes(client, user));
  return Object.fromEntries(entries.map(([name, text]) => [name, TYPED[name]?.(text) ?? text]));
}
