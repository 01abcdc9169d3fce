import { timingSafeEqual } from 'node:crypto';
import type { AdminScope, CallContext } from '@poolgate/provider';
import { decryptSigningSecret, digestAdminKeySecret } from '../credentials/admin-key-secret.ts';
import type { AdminCaller } from '../kernel/caller.ts';
import { GatewayError, unauthenticatedError } from '../kernel/gateway-errors.ts';
import type { AdminKeyRecord } from '../records/index.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { AdminKeyError, type AdminKeyErrorReason, missingScopeError, recordRefusedKey } from './admin-key-errors.ts';
import { readSignature } from './sigv4.ts';
import { SignatureError } from './sigv4-authorization.ts';
import { groupHeadersByName, type RawRequest } from './sigv4-canonical.ts';

/** The service name in a signature's credential scope: that of the routes, of the Cognito-compatible API, or of `sts:GetCallerIdentity`. */
export type SignedService = 'poolgate' | 'cognito-idp' | 'sts';

/**
 * Authenticates the caller of an admin route. Refused keys are recorded in the audit log.
 *
 * @throws {GatewayError} unauthenticated, or forbidden if a valid key lacks the scope
 */
export async function authenticateAdmin(
  runtime: GatewayRuntime,
  request: RawRequest,
  scope: AdminScope,
  call: CallContext,
): Promise<AdminCaller> {
  try {
    return await verifyAdminKey(runtime, request, 'poolgate', scope);
  } catch (error) {
    if (!(error instanceof AdminKeyError)) throw error;
    await recordRefusedKey(runtime, error, call);
    throw ROUTE_ERRORS[error.reason](error);
  }
}

/**
 * Verifies an admin key with a scope, in its bearer form `pg_<id>_<secret>` or by AWS Signature Version 4. Unknown, expired and revoked
 * keys take the same work as active ones.
 *
 * @param scope undefined: any valid key is accepted
 * @throws {AdminKeyError} the proof is invalid or the key lacks the scope
 */
export async function verifyAdminKey(
  runtime: GatewayRuntime,
  request: RawRequest,
  service: SignedService,
  scope: AdminScope | undefined,
): Promise<AdminCaller> {
  return verifyProof(runtime, readBearerProof(request) ?? (await readSignatureProof(runtime, request, service)), scope);
}

/** @throws {AdminKeyError} the proof is invalid or the key lacks the scope */
async function verifyProof(
  runtime: GatewayRuntime,
  proof: KeyProof,
  scope: AdminScope | undefined,
): Promise<AdminCaller> {
  const { record, holder } = await findAdminKey(runtime, proof.keyId);
  const isProven = proof.matches(record);
  const nowMs = runtime.clock.now();
  const isAlive = isActive({ record, holder }, nowMs);
  const known = holder === 'nobody' ? {} : { keyId: record.id };
  if (!isAlive) throw new AdminKeyError('unknown_key', UNKNOWN_KEY, known);
  if (!isProven) throw new AdminKeyError(proof.failure.reason, proof.failure.message, known);
  const lastUsedAtMs = record.lastUsedAtMs ?? Number.NEGATIVE_INFINITY;
  if (holder === 'store' && nowMs - lastUsedAtMs >= TOUCH_INTERVAL_MS) {
    await runtime.records.adminKeys.touch(record.id, nowMs);
  }
  if (scope !== undefined && !record.scopes.includes(scope)) {
    throw missingScopeError(scope, known);
  }
  const { region } = proof;
  return { kind: 'admin', keyId: record.id, scopes: new Set(record.scopes), ...(region !== undefined && { region }) };
}

/**
 * Authenticates the holder of a whole admin key, `pg_<id>_<secret>`. Refused keys are recorded in the audit log.
 * @throws {GatewayError} unauthenticated
 */
export async function authenticateAdminKey(
  runtime: GatewayRuntime,
  key: string,
  call: CallContext,
): Promise<AdminCaller> {
  try {
    const proof = readBearerKey(`Bearer ${key}`);
    if (proof === undefined) throw new AdminKeyError('malformed', UNKNOWN_KEY);
    return await verifyProof(runtime, proof, undefined);
  } catch (error) {
    if (!(error instanceof AdminKeyError)) throw error;
    await recordRefusedKey(runtime, error, call);
    throw unauthenticatedError('no_admin_key', error);
  }
}

/** Finds an admin key that is neither revoked nor expired. */
export async function findActiveAdminKey(runtime: GatewayRuntime, id: string): Promise<AdminKeyRecord | undefined> {
  const { record, holder } = await findAdminKey(runtime, id);
  return isActive({ record, holder }, runtime.clock.now()) ? record : undefined;
}

function isActive({ record, holder }: AdminKeyLookup, nowMs: number): boolean {
  return holder !== 'nobody' && record.revokedAtMs === null && nowMs < record.expiresAtMs;
}

/**
 * Whether a request can come from an administrator, by its header alone: it has an active admin key, or names one as the signer. Only the
 * body can prove a signature.
 */
export async function mayBeAdmin(runtime: GatewayRuntime, authorization = ''): Promise<boolean> {
  const bearer = readBearerKey(authorization);
  const id = bearer?.keyId ?? SIGNER_ID.exec(authorization)?.[1];
  if (id === undefined) return false;
  const found = await findAdminKey(runtime, id);
  const isProven = bearer?.matches(found.record) ?? true;
  return isProven && isActive(found, runtime.clock.now());
}

const SIGNER_ID = /^AWS4-HMAC-SHA256 .{0,1024}?Credential=([A-Za-z0-9.-]{1,128})\//i;
const UNKNOWN_KEY = 'The security token included in the request is invalid.';
const WRONG_SIGNATURE =
  'The request signature we calculated does not match the signature you provided. Check your secret access key and signing method.';
/** The bearer form. Everything after the id is a secret and must not be repeated. */
const WHOLE_KEY = /^pg_[A-Za-z0-9.-]{1,128}_/i;
const WHOLE_KEY_AS_ID =
  'The access key id is a whole admin key. Of pg_<id>_<secret>, use <id> as the access key id and <secret> as the secret access key.';
const TOUCH_INTERVAL_MS = 60_000;
const BEARER_KEY = /^Bearer pg_(?<id>[A-Za-z0-9.-]{1,128})_(?<secret>[\x21-\x7e]{1,256})$/i;

// One error for every caller without a valid key. The actual reason stays in `cause`, for the log.
const missingAdminKeyError = (refusal: AdminKeyError) => unauthenticatedError('no_admin_key', refusal);

const ROUTE_ERRORS: Readonly<Record<AdminKeyErrorReason, (refusal: AdminKeyError) => GatewayError>> = {
  missing: missingAdminKeyError,
  malformed: missingAdminKeyError,
  unsigned_part: missingAdminKeyError,
  misscoped: missingAdminKeyError,
  expired: missingAdminKeyError,
  mismatch: missingAdminKeyError,
  whole_key: (refusal) =>
    new GatewayError('unauthenticated', refusal.message, {
      headers: { 'www-authenticate': 'Bearer' },
      reason: 'no_admin_key',
      cause: refusal,
    }),
  unknown_key: missingAdminKeyError,
  out_of_scope: (refusal) => new GatewayError('forbidden', refusal.message, { cause: refusal }),
};

/** The proof of a key in a request. */
interface KeyProof {
  readonly keyId: string;
  /** The region of a signature. */
  readonly region?: string;
  matches(record: AdminKeyRecord): boolean;
  /** The reason for refusing an active key with this proof. */
  readonly failure: { readonly reason: AdminKeyErrorReason; readonly message: string };
}

function readBearerProof(request: RawRequest): KeyProof | undefined {
  const [value = '', ...more] = groupHeadersByName(request.rawHeaders).get('authorization') ?? [];
  return more.length === 0 ? readBearerKey(value) : undefined;
}

function readBearerKey(authorization: string): KeyProof | undefined {
  const groups = BEARER_KEY.exec(authorization)?.groups;
  if (groups === undefined) return undefined;
  const { id = '', secret = '' } = groups;
  const digest = digestAdminKeySecret(secret);
  return {
    keyId: id,
    matches: (record) => timingSafeEqual(digest, Buffer.from(record.secretDigestHex, 'hex')),
    failure: { reason: 'unknown_key', message: UNKNOWN_KEY },
  };
}

async function readSignatureProof(
  runtime: GatewayRuntime,
  request: RawRequest,
  service: SignedService,
): Promise<KeyProof> {
  const pool = await runtime.provider.describe(runtime.userPoolId);
  if (pool === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
  // The caller's identity does not depend on a region, and the global endpoint of STS has a separate one.
  const isAnyRegion = service === 'sts' || (service === 'cognito-idp' && runtime.settings.cognitoApiRegions === 'any');
  const scope = { region: isAnyRegion ? undefined : pool.region, service };
  const signed = readSignatureOrThrow(request, scope, runtime.clock.now());
  if (WHOLE_KEY.test(signed.accessKeyId)) throw new AdminKeyError('whole_key', WHOLE_KEY_AS_ID);
  return {
    keyId: signed.accessKeyId,
    region: signed.region,
    matches(record) {
      const secret = decryptSigningSecret(runtime.keyRing, record);
      return secret !== undefined && signed.isSignedWith(secret);
    },
    failure: { reason: 'mismatch', message: WRONG_SIGNATURE },
  };
}

function readSignatureOrThrow(...input: Parameters<typeof readSignature>): ReturnType<typeof readSignature> {
  try {
    return readSignature(...input);
  } catch (error) {
    if (error instanceof SignatureError) throw new AdminKeyError(error.reason, error.message, { cause: error });
    throw error;
  }
}

interface AdminKeyLookup {
  readonly record: AdminKeyRecord;
  /** Where the key is stored: in the store, in this process's memory, or nowhere, in which case the record is a decoy. */
  readonly holder: 'store' | 'memory' | 'nobody';
}

async function findAdminKey(runtime: GatewayRuntime, id: string): Promise<AdminKeyLookup> {
  const { keys, decoy } = runtime.inMemoryAdminKeys;
  const stored = await runtime.records.adminKeys.find(id);
  const inMemory = keys.get(id);
  if (inMemory !== undefined) return { record: inMemory, holder: 'memory' };
  return stored === undefined ? { record: decoy, holder: 'nobody' } : { record: stored, holder: 'store' };
}
