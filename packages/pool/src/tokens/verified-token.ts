import type { JWTPayload } from 'jose';

/** Of which client a token says it is, and by which key it says that it was signed. */
export interface TokenIdentifiers {
  readonly clientId: string;
  readonly kid: string;
}

/** A token whose signature was found good. */
export interface VerifiedToken extends TokenIdentifiers {
  readonly payload: JWTPayload;
}
