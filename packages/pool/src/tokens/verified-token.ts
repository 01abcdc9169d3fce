import type { JWTPayload } from 'jose';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';

/** Of which client a token says it is, and by which key it says that it was signed. */
export interface TokenIdentifiers {
  readonly clientId: string;
  readonly kid: string;
}

/** A token whose signature was found good. */
export interface VerifiedToken extends TokenIdentifiers {
  readonly payload: JWTPayload;
}

/** A genuine access token that has not expired, whatever has become of its login and its user. */
export interface AccessToken extends PoolAndClient {
  readonly sub: string;
  readonly username: string;
  /** The login that it comes from; undefined where the client keeps no track of logins. */
  readonly loginId: string | undefined;
  /** What the token comes from: the login, where the client keeps no track of logins. */
  readonly eventId: string | undefined;
  /** The device that the login was given or proved; undefined where it has none. */
  readonly deviceKey: string | undefined;
  /** With spaces between. */
  readonly scope: string;
  readonly authTimeSeconds: number;
  readonly issuedAtSeconds: number;
  /** The key that it is signed with. */
  readonly kid: string;
}
