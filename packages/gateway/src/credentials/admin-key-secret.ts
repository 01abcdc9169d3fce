import { createHash } from 'node:crypto';
import { ADMIN_SCOPES, type AdminScope } from '@poolgate/provider';
import type { GatewayDeps, KeyRing } from '../kernel/deps.ts';
import type { AdminKeyRecord } from '../records/index.ts';

/** The input of a new admin key. */
export interface NewAdminKey {
  /** A label for people: who or what uses it. */
  readonly label: string;
  readonly scopes: readonly AdminScope[];
  readonly lifetimeSeconds: number;
  /** The id of the key that creates it. It ends with that key. Absent: the operator creates it. */
  readonly createdBy?: string;
}

/** An admin key as its holder stores it. The secret is shown only once. */
export interface AdminKeySecret {
  /** The access key id of Signature V4. */
  readonly id: string;
  /** The secret access key of Signature V4. `pg_<id>_<secret>` is the bearer form. */
  readonly secret: string;
}

/**
 * Creates and stores an admin key. It stores a digest of the secret, and for Signature V4 the encrypted secret itself.
 *
 * @throws {RangeError} the label is empty or longer than 128, there is no scope or an unknown one, or the lifetime is not a positive whole
 *   number of seconds
 */
export async function createAdminKey(
  deps: Pick<GatewayDeps, 'clock' | 'keyRing' | 'random' | 'records'>,
  { label, scopes, lifetimeSeconds, createdBy }: NewAdminKey,
): Promise<AdminKeySecret> {
  if (label === '' || label.length > MAX_LABEL_LENGTH) throw new RangeError('label: 1 to 128 characters');
  if (scopes.length === 0 || !scopes.every((scope) => ADMIN_SCOPES.includes(scope))) {
    throw new RangeError(`scopes: at least one of ${ADMIN_SCOPES.join(', ')}`);
  }
  if (!Number.isSafeInteger(lifetimeSeconds) || lifetimeSeconds <= 0) {
    throw new RangeError('lifetimeSeconds: a positive whole number');
  }
  const id = Buffer.from(deps.random(ID_BYTES)).toString('hex');
  const secret = Buffer.from(deps.random(SECRET_BYTES)).toString('base64url');
  const createdAtMs = deps.clock.now();
  await deps.records.adminKeys.insert({
    ...createAdminKeyRecord(deps.keyRing, id, secret),
    label,
    scopes: [...new Set(scopes)],
    createdAtMs,
    expiresAtMs: createdAtMs + lifetimeSeconds * 1000,
    createdBy: createdBy ?? null,
  });
  return { id, secret };
}

/** The record of a key with both forms of its secret, without scopes and expiry. */
export function createAdminKeyRecord(keyRing: KeyRing, id: string, secret: string): AdminKeyRecord {
  return {
    id,
    secretDigestHex: digestAdminKeySecret(secret).toString('hex'),
    signingSecretEncrypted: keyRing.encrypt(ENCRYPTION_PURPOSE, Buffer.from(secret, 'utf8'), id),
    scopes: [],
    label: '',
    createdAtMs: 0,
    expiresAtMs: Number.POSITIVE_INFINITY,
    lastUsedAtMs: null,
    createdBy: null,
    revokedAtMs: null,
  };
}

/** SHA-256 of a secret. A slow hash would add nothing, because the secret has 256 random bits. */
export function digestAdminKeySecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/** Decrypts the secret access key of a record; undefined if its key no longer exists. */
export function decryptSigningSecret(keyRing: KeyRing, record: AdminKeyRecord): string | undefined {
  const secret = keyRing.decrypt(ENCRYPTION_PURPOSE, record.signingSecretEncrypted, record.id);
  return secret === undefined ? undefined : Buffer.from(secret).toString('utf8');
}

const ENCRYPTION_PURPOSE = 'admin-key-signing-secret';
const ID_BYTES = 10;
const SECRET_BYTES = 32;
const MAX_LABEL_LENGTH = 128;
