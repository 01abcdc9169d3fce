import type { OAuthAuthorizationRequest } from '@poolgate/provider';

/**
 * A login: the family of all tokens from one proof (Cognito `origin_jti`). Refresh tokens are not stored, because they contain the login
 * and a generation, signed with the pool's secret.
 */
export interface LoginRecord {
  /** The `origin_jti`. */
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly username: string;
  readonly authTimeSeconds: number;
  readonly refreshExpiresAtMs: number;
  /** The generation of the current refresh token, which increases with each rotation. */
  readonly generation: number;
  readonly rotatedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /**
   * The device that the login was given or proved, or that of the browser if it comes from the authorization endpoint; null if devices are
   * not tracked. Once confirmed, it binds refreshes, except those of applications.
   */
  readonly deviceKey: string | null;
  /** The address where it started; null if it was not recorded. */
  readonly sourceAddress: string | null;
  /** The browser or program in which it started, as it names itself; null if unknown, and for logins of applications. */
  readonly userAgent: string | null;
  /** The scopes of its access tokens, space-separated; null for an API login, whose tokens have only the scope for users. */
  readonly scope: string | null;
  /** The resource of its access tokens (RFC 8707); null for none. */
  readonly audience: string | null;
  /**
   * The browser session, as the `sid` of ID tokens names it. For an application's login, it is the session that issued it. For the login
   * behind a browser session, it is the session that it continues. Null if it started one, and for logins without a session.
   */
  readonly sessionId: string | null;
  /** How the user proved who they are, as in `amr`, space-separated; null for a login of an earlier release. */
  readonly methods: string | null;
  /** The authentication level that they reached, 1 to 4; null for none. */
  readonly level: number | null;
  /** The `acr` of its tokens, empty for none. Null if no level was requested: then its tokens have neither `acr` nor `amr`. */
  readonly acr: string | null;
  readonly createdAtMs: number;
}

/** An application that is signed in through a browser session, and wants to be notified of its end or have its grants ended. */
export interface ClientSessionRecord {
  readonly clientId: string;
  /** The `sid` of its ID tokens. */
  readonly sessionId: string;
  readonly poolId: string;
  readonly username: string;
  readonly sub: string;
  /** The login behind the browser session. The session ends with it. */
  readonly sessionLoginId: string;
  /** Whether the client's logins end with it. */
  readonly endsGrants: boolean;
  /** After this time the row is useless. */
  readonly expiresAtMs: number;
  /** Set once the session has ended. The client must then be notified. */
  readonly endedAtMs: number | null;
  readonly tries: number;
  readonly nextTryAtMs: number;
  readonly leasedUntilMs: number;
  /** Why the last notification failed, as a code word. */
  readonly lastFailure: string | null;
}

/** What an authorization code grants. */
export type AuthorizationGrant = Pick<
  OAuthAuthorizationRequest,
  'redirectUri' | 'isRedirectUriSent' | 'scope' | 'isScopeOmitted' | 'nonce' | 'codeChallenge' | 'audience'
> & {
  readonly authTimeSeconds: number;
  /** Whether the tokens name the level of the login. */
  readonly isLevelRequested?: boolean;
};

/** An authorization code (RFC 6749 §4.1). It is kept after its use, so that a second use is detected. */
export interface AuthorizationCodeRecord {
  /** SHA-256 of the code, hex; the code has 256 random bits. */
  readonly digestHex: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly username: string;
  /** The login from which it was issued. When that login ends, the code is worthless. */
  readonly sessionLoginId: string;
  readonly authorization: AuthorizationGrant;
  /** The login of its tokens, once it was used; null if it issued none. */
  readonly tokenLoginId: string | null;
  readonly usedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}
