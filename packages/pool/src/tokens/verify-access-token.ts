import { hash } from 'node:crypto';
import { ProviderError, parseScopes, USER_SCOPE } from '@poolgate/provider';
import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWTExpired } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import type { ClockPort } from '../kernel/ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { ACCESS_TOKEN_TYPE } from './jwt.ts';
import { findKeyAlgorithm } from './signing-algorithms.ts';
import { findPublicKey } from './signing-keys.ts';
import type { TokenSignaturePorts } from './token-ports.ts';
import type { AccessToken, TokenIdentifiers, VerifiedToken } from './verified-token.ts';

/** The claims of a genuine access token of a user or a machine, and its client. */
export interface VerifiedClaims extends PoolAndClient {
  readonly payload: JWTPayload;
  /** The key that signed it. */
  readonly kid: string;
}

/**
 * Verifies an access token by itself: signed with one of this pool's access keys, issuer, use, expiry, a user, and the scope for users'
 * operations.
 * @param scope null for any scope
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function verifyAccessToken(
  ports: TokenSignaturePorts,
  token: string,
  scope: string | null = USER_SCOPE,
): Promise<AccessToken> {
  return translateJwtErrors(verifySignature(ports, token, scope));
}

/**
 * Verifies an access token by itself, including one that belongs to no user.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function verifyAccessTokenClaims(ports: TokenSignaturePorts, token: string): Promise<VerifiedClaims> {
  return translateJwtErrors(verifyTokenClaims(ports, token));
}

async function translateJwtErrors<Result>(verified: Promise<Result>): Promise<Result> {
  try {
    return await verified;
  } catch (cause) {
    if (cause instanceof JWTExpired) throw invalidAccessTokenError('Access Token has expired', cause);
    if (cause instanceof JOSEError) throw invalidAccessTokenError('Invalid Access Token', cause);
    throw cause;
  }
}

async function verifySignature(ports: TokenSignaturePorts, token: string, needed: string | null): Promise<AccessToken> {
  const { payload, kid, ...owner } = await verifyTokenClaims(ports, token);
  const { sub, username, scope } = payload;
  if (typeof sub !== 'string' || typeof username !== 'string') throw invalidAccessTokenError('Invalid Access Token');
  if (needed !== null && !parseScopes(scope).includes(needed)) {
    throw invalidAccessTokenError('Access Token does not have required scopes');
  }
  // Another audience could otherwise use it here in the user's name (RFC 8707 §3).
  if (needed !== null && payload.aud !== undefined) {
    throw invalidAccessTokenError('Access Token does not have required scopes');
  }
  const { origin_jti: origin, event_id: event, device_key: device } = payload;
  return {
    ...owner,
    sub,
    username,
    loginId: toClaimText(origin),
    eventId: toClaimText(event),
    deviceKey: toClaimText(device),
    scope: String(scope),
    authTimeSeconds: Number(payload.auth_time),
    issuedAtSeconds: Number(payload.iat),
    kid,
  };
}

/** The client that the token names selects the pool whose keys are tried. Nothing else in it counts before the signature is verified. */
async function verifyTokenClaims(ports: TokenSignaturePorts, token: string): Promise<VerifiedClaims> {
  const digest = hash('sha256', token, 'base64url');
  const known = ports.verifiedTokens.get(digest);
  const { clientId, kid } = known ?? decodeUnverifiedToken(token);
  const owner = await requireTokenClient(ports, clientId);
  const key = await findPublicKey(ports, owner.pool, 'access', kid);
  if (key === undefined) throw invalidAccessTokenError('Invalid Access Token');
  const { issuer } = owner.pool.settings;
  let payload = findValidClaims(ports, known, issuer);
  if (payload === undefined) {
    ({ payload } = await jwtVerify(token, key, {
      algorithms: [findKeyAlgorithm(key)],
      issuer,
      currentDate: new Date(ports.clock.now()),
      requiredClaims: ['exp', 'iat', 'jti'],
    }));
    ports.verifiedTokens.set(digest, { clientId, kid, payload });
  }
  if (payload.token_use !== 'access') throw invalidAccessTokenError('Invalid Access Token');
  return { ...owner, kid, payload };
}

/**
 * After the signature was verified, the token can still expire, or the pool can change its issuer. In that case everything is verified
 * again.
 */
function findValidClaims(
  { clock }: ClockPort,
  known: VerifiedToken | undefined,
  issuer: string,
): JWTPayload | undefined {
  const { iss, exp = 0, nbf } = known?.payload ?? {};
  const isGood = iss === issuer && exp > Math.floor(clock.now() / 1000) && nbf === undefined;
  return isGood ? known?.payload : undefined;
}

function toClaimText(claim: unknown): string | undefined {
  return typeof claim === 'string' ? claim : undefined;
}

function decodeUnverifiedToken(token: string): TokenIdentifiers {
  const { client_id: clientId } = decodeJwt(token);
  const { alg: _alg, kid = '', typ = ACCESS_TOKEN_TYPE, ...more } = decodeTokenHeader(token);
  // The pool writes nothing else into a header. Anything else would only help an attacker.
  if (typ !== ACCESS_TOKEN_TYPE || Object.keys(more).length > 0) throw invalidAccessTokenError('Invalid Access Token');
  // Nothing is verified yet, and JSON can contain text that databases cannot store.
  if (typeof clientId !== 'string' || /[\p{Cc}\p{Cs}]/u.test(clientId)) {
    throw invalidAccessTokenError('Invalid Access Token');
  }
  return { clientId, kid };
}

/** jose reports an unreadable header as a programming error. */
function decodeTokenHeader(token: string) {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw invalidAccessTokenError('Invalid Access Token', cause);
  }
}

async function requireTokenClient(ports: SettingsPorts, clientId: string): Promise<PoolAndClient> {
  try {
    return await requireClientAndPool(ports, clientId);
  } catch (cause) {
    if (cause instanceof ProviderError) throw invalidAccessTokenError('Invalid Access Token', cause);
    throw cause;
  }
}

/** The error for an invalid token. */
export function invalidAccessTokenError(message: string, cause?: unknown): ProviderError {
  return new ProviderError('NotAuthorizedException', message, { reason: 'invalid_token', cause });
}
