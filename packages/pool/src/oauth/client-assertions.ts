import { createHash } from 'node:crypto';
import type { CallContext } from '@poolgate/provider';
import type { JSONWebKeySet, JWTPayload } from 'jose';
import { JOSEError, JWKSNoMatchingKey } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { jwtVerify } from 'jose/jwt/verify';
import type { CallPort, RequestCallerPort, StoreWrites } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { type ClientKeyPorts, fetchKeys } from './client-keys.ts';

/** Only signatures with private keys: public information cannot create one. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** The allowed types of an assertion (RFC 7523bis). Without a type it is an assertion of RFC 7523. */
const TYPES = ['jwt', 'client-authentication+jwt'];

const TOLERANCE_SECONDS = 30;
const MAX_LIFE_SECONDS = 3_600;
const MAX_LENGTH = 8_192;
const MAX_JTI_LENGTH = 256;

/** Accepted assertions by call: one call may authenticate its client several times. No entry outlives its request. */
export type AcceptedAssertions = WeakMap<CallContext, string>;

/** The dependencies of verifying an assertion. */
export interface AssertionPorts extends ClientKeyPorts, CallPort, RequestCallerPort, StoreWrites<'challengeSessions'> {
  readonly acceptedAssertions: AcceptedAssertions;
}

/** Whether a signed assertion authenticates an app client (`private_key_jwt`). Each is accepted once, on any replica. */
export async function isClientAssertionValid(
  ports: AssertionPorts,
  owner: PoolAndClient,
  assertion: string,
): Promise<boolean> {
  const accepted = `${owner.client.id} ${assertion}`;
  if (ports.acceptedAssertions.get(ports.call) !== accepted) {
    const claims = assertion.length > MAX_LENGTH ? undefined : await verifyAssertion(ports, owner, assertion);
    if (claims === undefined || !(await spendAssertion(ports, owner, claims))) return false;
    ports.acceptedAssertions.set(ports.call, accepted);
  }
  ports.caller.isProven = true;
  return true;
}

type AssertionClaims = JWTPayload & { readonly exp: number; readonly jti: string };

async function verifyAssertion(
  ports: AssertionPorts,
  owner: PoolAndClient,
  assertion: string,
): Promise<AssertionClaims | undefined> {
  const { jwks, jwksUri } = owner.client.settings.extensions ?? {};
  if (jwksUri === undefined)
    return jwks && (await verifyByKeys(ports, owner, assertion, { keys: [...jwks.keys] })).claims;
  const keys = await fetchKeys(ports, jwksUri, false);
  const first = keys && (await verifyByKeys(ports, owner, assertion, keys));
  if (first !== undefined && !first.isKeyMissing) return first.claims;
  const newer = await fetchKeys(ports, jwksUri, true);
  return newer && (await verifyByKeys(ports, owner, assertion, newer)).claims;
}

interface VerifiedAssertion {
  readonly claims?: AssertionClaims;
  readonly isKeyMissing: boolean;
}

async function verifyByKeys(
  { clock }: AssertionPorts,
  { pool, client }: PoolAndClient,
  assertion: string,
  keys: JSONWebKeySet,
): Promise<VerifiedAssertion> {
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, createLocalJWKSet(keys), {
      algorithms: ALGORITHMS,
      issuer: client.id,
      subject: client.id,
      audience: pool.settings.issuer,
      currentDate: new Date(clock.now()),
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'jti'],
    });
    const typ: unknown = protectedHeader.typ;
    const isTyped = typ === undefined || (typeof typ === 'string' && TYPES.includes(typ.toLowerCase()));
    return { ...(isTyped && hasUsableClaims(payload, clock.now()) && { claims: payload }), isKeyMissing: false };
  } catch (error) {
    if (error instanceof JOSEError) return { isKeyMissing: error instanceof JWKSNoMatchingKey };
    throw error;
  }
}

/** One audience alone: an assertion that names another service too could be brought here by that one. */
function hasUsableClaims(payload: JWTPayload, nowMs: number): payload is AssertionClaims {
  const { aud, exp = 0, jti } = payload;
  const isShortLived = exp - Math.floor(nowMs / 1000) <= MAX_LIFE_SECONDS + TOLERANCE_SECONDS;
  const isNamed = typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI_LENGTH;
  return typeof aud === 'string' && isShortLived && isNamed;
}

/** True for exactly one caller. The row stays until no replica accepts the assertion. */
async function spendAssertion(
  ports: StoreWrites<'challengeSessions'>,
  { client }: PoolAndClient,
  { jti, exp }: AssertionClaims,
): Promise<boolean> {
  const id = `assertion.${createHash('sha256').update(`${client.id}\n${jti}`).digest('base64url')}`;
  // A time may have a fraction (RFC 7519 §2).
  const keptUntilMs = (Math.ceil(exp) + 2 * TOLERANCE_SECONDS) * 1000;
  const uses = await ports.store.write(({ challengeSessions }) => challengeSessions.reserveAndSpend(id, keptUntilMs));
  return uses !== undefined;
}
