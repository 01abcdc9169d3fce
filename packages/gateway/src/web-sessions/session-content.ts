import { Buffer } from 'node:buffer';
import type { GatewayDeps } from '../kernel/deps.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import type { KnownWebSession } from '../records/index.ts';
import type { FactorProof } from './factor-proofs.ts';

/** The content of a session, which only the service may read. */
export interface SessionContent {
  readonly accessToken: string;
  readonly idToken: string;
  readonly refreshToken: string;
  readonly csrfToken: string;
  readonly proofs: readonly FactorProof[];
  /** The identity provider that signed the user in; absent where the pool did. */
  readonly identityProvider?: string;
  /** True if that provider does not report when the user signed in. */
  readonly hasUnknownAuthTime?: boolean;
}

/** A content, with the data that shows whether it is current and valid. */
export interface CachedSessionContent {
  readonly known: KnownWebSession;
  readonly content: SessionContent;
}

const PURPOSE = 'web-session';

/** Encrypts the content for one session. @param idDigestHex the session's */
export function encryptContent(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  idDigestHex: string,
  content: SessionContent,
): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content), 'utf8'), idDigestHex);
}

/** Undefined if its secret no longer exists, or if it belongs to another session. */
export function decryptContent(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  idDigestHex: string,
  encrypted: string,
): SessionContent | undefined {
  const bytes = keyRing.decrypt(PURPOSE, encrypted, idDigestHex);
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as SessionContent);
}

/** Returns when an access token from the provider expires, in milliseconds; 0 if the token has no expiry. */
export function readTokenEndMs(accessToken: string): number {
  const exp = readUnverifiedClaims(accessToken)?.exp;
  return typeof exp === 'number' ? exp * 1000 : 0;
}
