import { Buffer } from 'node:buffer';
import type { GatewayDeps } from '../kernel/deps.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import type { KnownWebSession } from '../records/index.ts';
import type { FactorProof } from './factor-proofs.ts';

/** What nobody but the service may read of a session. */
export interface SessionContent {
  readonly accessToken: string;
  readonly idToken: string;
  readonly refreshToken: string;
  readonly csrfToken: string;
  readonly proofs: readonly FactorProof[];
}

/** A content, and what tells whether a session still has it and still counts. */
export interface CachedSessionContent {
  readonly known: KnownWebSession;
  readonly content: SessionContent;
}

const PURPOSE = 'web-session';

/** Encrypts it for one session. @param idDigestHex the session's */
export function encryptContent(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  idDigestHex: string,
  content: SessionContent,
): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content), 'utf8'), idDigestHex);
}

/** Undefined where it was encrypted by a secret that is gone, or for another session. */
export function decryptContent(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  idDigestHex: string,
  encrypted: string,
): SessionContent | undefined {
  const bytes = keyRing.decrypt(PURPOSE, encrypted, idDigestHex);
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as SessionContent);
}

/** When an access token that the provider has just given expires, in milliseconds; 0 where it does not tell. */
export function readTokenEndMs(accessToken: string): number {
  const exp = readUnverifiedClaims(accessToken)?.exp;
  return typeof exp === 'number' ? exp * 1000 : 0;
}
