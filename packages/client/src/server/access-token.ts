/** What `@poolgate/client/server` verifies: access tokens with the pool's keys, and the headers of forward authentication. */
import { decodeBase64Url } from '../passkeys/webauthn-json.ts';
import { type SigningKeys, verifySignature } from './signing-keys.ts';

/** The claims of an access token. */
export interface AccessClaims {
  readonly sub: string;
  readonly username: string;
  readonly client_id: string;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly scope?: string;
  readonly 'cognito:groups'?: readonly string[];
  readonly [name: string]: unknown;
}

/** The requirements for an access token. */
export interface TokenRequirements {
  readonly issuer: string;
  readonly clientIds: readonly string[];
  readonly keys: SigningKeys;
  readonly now: () => number;
}

const MAX_TOKEN_CHARACTERS = 16_384;
const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/**
 * Returns the claims of an unexpired access token from this issuer for one of these clients; undefined for anything else.
 * @throws {PoolgateError} the keys could not be read
 */
export async function verifyAccessToken(trust: TokenRequirements, token: string): Promise<AccessClaims | undefined> {
  const [, head = '', body = '', signature = ''] =
    (token.length > MAX_TOKEN_CHARACTERS ? null : TOKEN.exec(token)) ?? [];
  const { alg, kid } = parseTokenPart(head) ?? {};
  if ((alg !== 'RS256' && alg !== 'ES256') || typeof kid !== 'string') return undefined;
  const key = await trust.keys.find(kid, alg);
  if (key === undefined) return undefined;
  const data = new TextEncoder().encode(`${head}.${body}`);
  if (!(await verifySignature(key, decodeTokenPart(signature), data))) return undefined;
  const claims = parseTokenPart(body);
  return claims !== undefined && hasValidClaims(trust, claims) ? claims : undefined;
}

function hasValidClaims(
  { issuer, clientIds, now }: TokenRequirements,
  claims: Readonly<Record<string, unknown>>,
): claims is AccessClaims {
  const { iss, token_use, client_id, exp, nbf = 0, sub } = claims;
  const nowSeconds = now() / 1000;
  return (
    iss === issuer &&
    token_use === 'access' &&
    typeof sub === 'string' &&
    clientIds.some((id) => id === client_id) &&
    typeof exp === 'number' &&
    exp > nowSeconds &&
    typeof nbf === 'number' &&
    nbf <= nowSeconds
  );
}

function parseTokenPart(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(decodeTokenPart(part)));
    return value instanceof Object ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function decodeTokenPart(part: string): Uint8Array<ArrayBuffer> {
  try {
    return decodeBase64Url(part);
  } catch {
    return new Uint8Array();
  }
}
