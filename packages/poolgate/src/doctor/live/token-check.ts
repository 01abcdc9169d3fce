import { createPublicKey, verify } from 'node:crypto';
import type { PublicKey } from '@poolgate/provider';

/** The expected content of a valid token. */
export interface ExpectedToken {
  readonly use: 'access' | 'id';
  readonly issuer: string;
  readonly clientId: string;
  readonly nowMs: number;
}

type Claims = Readonly<Record<string, unknown>>;

/** The claim with the client id, by token use. */
const CLIENT_CLAIM = { access: 'client_id', id: 'aud' } as const;

function parseTokenPart(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : {};
  } catch {
    return {};
  }
}

/** Returns what is wrong with a token (RFC 7519); undefined if nothing. */
export function findTokenProblem(
  token: string,
  keys: readonly PublicKey[],
  { use, issuer, clientId, nowMs }: ExpectedToken,
): string | undefined {
  const [head = '', body = '', signature = ''] = token.split('.');
  const { alg, kid } = parseTokenPart(head);
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined || alg !== key.alg) return 'is signed with a key that the provider does not publish';
  const { use: _use, kid: _kid, alg: _alg, ...jwk } = key;
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'));
  if (!isSigned) return 'has a signature that does not verify';
  const claims = parseTokenPart(body);
  if (claims.iss !== issuer) return `has the issuer ${JSON.stringify(claims.iss)} instead of ${issuer}`;
  if (claims[CLIENT_CLAIM[use]] !== clientId || claims.token_use !== use) return 'is not for this client and use';
  if (typeof claims.exp !== 'number' || claims.exp * 1_000 <= nowMs)
    return 'has expired according to the clock of this machine';
  return undefined;
}
