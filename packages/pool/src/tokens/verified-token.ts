import type { JWTPayload } from 'jose';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';

/** The client and key that a token claims. */
export interface TokenIdentifiers {
  readonly clientId: string;
  readonly kid: string;
}

/** A token with a valid signature. */
export interface VerifiedToken extends TokenIdentifiers {
  readonly payload: JWTPayload;
}

/** A genuine, unexpired access token, whatever the state of its login and user. */
export interface AccessToken extends PoolAndClient {
  readonly sub: string;
  readonly username: string;
  /** Its login; undefined if the client does not track logins. */
  readonly loginId: string | undefined;
  /** The origin of the token: the login, if the client does not track logins. */
  readonly eventId: string | undefined;
  /** The device that the login was given or proved; undefined if none. */
  readonly deviceKey: string | undefined;
  /** Space-separated. */
  readonly scope: string;
  readonly authTimeSeconds: number;
  readonly issuedAtSeconds: number;
  /** The key that signed it. */
  readonly kid: string;
}
