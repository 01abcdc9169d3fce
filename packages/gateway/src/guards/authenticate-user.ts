/**
 * Authorization: access tokens, admin keys as bearer tokens or by Signature V4, and recent logins. A guard belongs to a route or an
 * operation, never to a path prefix.
 */
import type { KeyObject } from 'node:crypto';
import {
  type CallContext,
  ProviderError,
  type ProviderErrorCode,
  parseScopes,
  type TokenState,
  tokenState,
  USER_SCOPE,
} from '@poolgate/provider';
import { JOSEError, JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { readKeyId } from '../credentials/token-key-id.ts';
import type { TokenHolder } from '../credentials/verified-tokens.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { insufficientScopeError, unauthenticatedError } from '../kernel/gateway-errors.ts';
import { type ActiveRevocations, readRevocationState } from '../kernel/revocations.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** How far `iat` may be in the future, because the issuer's clock may be ahead of ours. `exp` and `nbf` have no leeway. */
const FUTURE_LEEWAY_SECONDS = 60;

/** Returns the token of an `Authorization: Bearer` header; undefined without one. */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}

/**
 * Authenticates a user by an access token: signed by the pool, for this client, unexpired, with the scope for users' routes, and not
 * revoked here. Revocations are read from the store each time, so that every replica refuses a revoked token from the next request on.
 *
 * @param held the token, or the object that holds it
 * @param call the request, for queries to the provider about the token
 * @param options.introspects whether to ask the provider, as most operations with the token do anyway
 * @param options.revocations the revocations that were read together with the token's holder, for this very request
 * @throws {GatewayError} unauthenticated, whatever is wrong with the token; forbidden without the scope
 */
export async function authenticateUser(
  runtime: GatewayRuntime,
  held: string | TokenHolder | undefined,
  call: CallContext,
  { introspects = runtime.settings.introspect, revocations }: TokenCheckOptions = {},
): Promise<UserCaller> {
  if (held === undefined) throw unauthenticatedError('missing');
  const token = typeof held === 'string' ? held : held.accessToken;
  const claims = findVerifiedClaims(runtime, held) ?? (await verifyToken(runtime, held, token));
  const caller = readCaller(runtime, token, claims);
  requireUserScope(claims);
  const state = revocations === undefined ? await readState(runtime, caller, call) : tokenState(caller, revocations);
  if (state === 'revoked') throw unauthenticatedError('revoked');
  // Within one second only the provider knows the order, so that a login right after a password change works.
  if (state === 'unsure' || introspects) await introspectToken(runtime, token, call);
  return caller;
}

/**
 * A token of the OAuth endpoints acts for its user only within its scope. One for another resource is not accepted (RFC 8707 §3).
 * @throws {GatewayError} forbidden
 */
export function requireUserScope({ scope, aud }: Claims = {}): void {
  if (!parseScopes(scope).includes(USER_SCOPE) || aud !== undefined) throw insufficientScopeError(USER_SCOPE);
}

interface TokenCheckOptions {
  readonly introspects?: boolean;
  readonly revocations?: ActiveRevocations | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns the claims of an already verified token whose key is still valid, without any query or computation. */
function findVerifiedClaims(runtime: GatewayRuntime, held: string | TokenHolder): Claims | undefined {
  const { verifiedTokens: verified, isCurrent } = runtime.tokenTrustStore;
  const known = verified.get(held);
  return known !== undefined && isCurrent(known.kid, known.key) ? requireUnexpired(runtime, known.claims) : undefined;
}

async function verifyToken(runtime: GatewayRuntime, held: string | TokenHolder, token: string): Promise<Claims> {
  const trust = runtime.tokenTrustStore;
  const kid = readKeyId(token);
  if (kid === undefined) throw unauthenticatedError('invalid');
  const [issuer, key] = await Promise.all([trust.issuer(), trust.key(kid)]);
  if (key === undefined) throw unauthenticatedError('invalid');
  const known = findVerifiedClaims(runtime, held);
  if (known !== undefined) return known;
  const claims = await verifySignature(runtime, token, { issuer, key });
  trust.verifiedTokens.put(held, { kid, key, claims });
  return claims;
}

/** Checks the expiry of claims that were verified earlier. */
function requireUnexpired({ clock }: GatewayRuntime, claims: Claims): Claims {
  const { exp, nbf = Number.NEGATIVE_INFINITY } = claims as { readonly exp: number; readonly nbf?: number };
  const nowSeconds = Math.floor(clock.now() / 1000);
  if (exp <= nowSeconds) throw unauthenticatedError('expired');
  if (nbf > nowSeconds) throw unauthenticatedError('invalid');
  return claims;
}

async function verifySignature(
  runtime: GatewayRuntime,
  token: string,
  { issuer, key }: { readonly issuer: string; readonly key: KeyObject },
): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      // The key, not the token, decides how it is verified.
      algorithms: [key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256'],
      issuer,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(runtime.clock.now()),
    });
    return payload;
  } catch (error) {
    if (error instanceof JWTClaimValidationFailed && error.claim === 'iss') {
      // The pool's issuer may have changed since it was read. Only a valid signature leads here.
      const latest = await runtime.tokenTrustStore.reloadIssuer();
      if (latest !== issuer) return verifySignature(runtime, token, { issuer: latest, key });
    }
    // The signature is checked first, so that nothing is revealed about a forged token.
    if (error instanceof JWTExpired) throw unauthenticatedError('expired', error);
    if (error instanceof JOSEError) throw unauthenticatedError('invalid', error);
    throw error;
  }
}

function readCaller(runtime: GatewayRuntime, token: string, claims: Claims): UserCaller {
  const latest = Math.floor(runtime.clock.now() / 1000) + FUTURE_LEEWAY_SECONDS;
  const { sub, username, iat, exp, auth_time: authTime, origin_jti: originJti } = claims;
  const groups = claims['cognito:groups'] ?? [];
  if (claims.token_use !== 'access') throw unauthenticatedError('not_an_access_token');
  const isGood =
    claims.client_id === runtime.clientId &&
    isText(sub) &&
    isText(username) &&
    isTime(exp) &&
    isTime(iat, latest) &&
    isTime(authTime, latest) &&
    (originJti === undefined || isText(originJti)) &&
    isTextList(groups);
  if (!isGood) throw unauthenticatedError('invalid');
  return {
    kind: 'user',
    accessToken: token,
    sub,
    username,
    groups,
    originJti,
    authTimeSeconds: authTime,
    issuedAtSeconds: iat,
    expiresAtSeconds: exp,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Whether a claim is a NumericDate in whole seconds (RFC 7519 section 2), as Cognito writes it. */
function isTime(value: unknown, latest: number = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= latest;
}

/** A provider's errors for a token that it no longer accepts. */
const INACTIVE_TOKEN_ERRORS: ReadonlySet<ProviderErrorCode> = new Set([
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'UserNotConfirmedException',
  'UserNotFoundException',
]);

/** Uses one read of the provider if user and login are in the same store. The following operation then reads neither again. */
async function readState(runtime: GatewayRuntime, caller: UserCaller, call: CallContext): Promise<TokenState> {
  const { readTokenState } = runtime.provider;
  if (readTokenState === undefined) return readRevocationState(runtime, caller);
  return refuseInactive(readTokenState(caller.accessToken, call));
}

async function introspectToken(runtime: GatewayRuntime, token: string, call: CallContext): Promise<void> {
  await refuseInactive(runtime.provider.operations.getUser({ AccessToken: token }, call));
}

/** Returns the provider's response. A token that it does not accept was revoked. */
async function refuseInactive<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && INACTIVE_TOKEN_ERRORS.has(error.code))
      throw unauthenticatedError('revoked', error);
    throw error;
  }
}
