/** Authenticator apps: enrollment, and codes that work only once. */
import { timingSafeEqual } from 'node:crypto';
import { HOTP, Secret } from 'otpauth';
import type { ClockPort, KeyRingPort, Random, RandomPort } from '../../kernel/ports.ts';
import { decryptionFailedError } from '../../settings/pools-and-clients.ts';
import type { PoolSettings } from '../../store/pool-and-client-settings.ts';
import type { PoolRecord, TotpRecord } from '../../store/records.ts';

/** RFC 6238 §4.1 and §5.2: the default of every authenticator app. */
const STEP_MS = 30_000;
const DIGITS = 6;
const ALGORITHM = 'SHA1';

/** RFC 6238 §6: a clock may differ by one step in either direction. */
const DRIFT_STEPS = [-1, 0, 1] as const;

/** 256 bits, written as the 52 characters of Cognito's secrets. RFC 4226 §4 requires 160 bits. */
const SECRET_BYTES = 32;

const CODE = /^\d{6}$/;

/** How long a shown secret waits for its first code, so that a page left open is not usable later. */
const PENDING_LIFETIME_MS = 15 * 60_000;

/** Before every time step: none was used yet. */
const NO_STEP = -1;

/** The default name of an authenticator. */
export const DEFAULT_AUTHENTICATOR_NAME = 'Authenticator';

/** A new secret to show once, and its record. */
export interface NewTotp {
  /** Base32 without padding (RFC 4648 §6), 52 characters. */
  readonly secretCode: string;
  /** It proves nothing until one of its codes was verified. */
  readonly record: TotpRecord;
}

/** Generates the secret of a new authenticator. */
export function createTotpSecret(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  username: string,
): NewTotp {
  const secret = generateSecretBytes(ports.random);
  const record: TotpRecord = {
    poolId: pool.id,
    username,
    state: 'pending',
    secretEncrypted: ports.keyRing.encrypt('totp', secret, totpAssociatedData(pool, username)),
    name: DEFAULT_AUTHENTICATOR_NAME,
    lastStep: NO_STEP,
    createdAtMs: ports.clock.now(),
  };
  return { secretCode: new Secret({ buffer: secret.buffer }).base32, record };
}

function generateSecretBytes(random: Random): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(random(SECRET_BYTES));
}

function totpAssociatedData(pool: Pick<PoolRecord, 'id'>, username: string): string {
  return `${pool.id}/${username}`;
}

/**
 * Returns the time step of a code, within one step of drift; undefined if none matches. It compares all steps in constant time, and does
 * not check whether the step was used before.
 * @param nowMs milliseconds since the epoch
 * @throws {ProviderError} `InternalErrorException`: the secret was encrypted with an unknown key, or for another user
 * @see RFC 6238 §5.2
 */
export function findMatchingTimeStep(
  ports: KeyRingPort,
  pool: PoolRecord,
  record: TotpRecord,
  code: string,
  nowMs: number,
): number | undefined {
  return findTimeStep(decryptTotpSecret(ports, pool, record), code, nowMs);
}

function decryptTotpSecret(
  ports: KeyRingPort,
  pool: Pick<PoolRecord, 'id'>,
  record: TotpRecord,
): Uint8Array<ArrayBuffer> {
  const secret = ports.keyRing.decrypt('totp', record.secretEncrypted, totpAssociatedData(pool, record.username));
  if (secret === undefined) throw decryptionFailedError('totp');
  return secret;
}

/**
 * Whether two records belong to the same authenticator, for example after it was encrypted again.
 * @throws {ProviderError} as {@link findMatchingTimeStep}
 */
export function isSameAuthenticator(ports: KeyRingPort, one: TotpRecord, other: TotpRecord): boolean {
  if (one.secretEncrypted === other.secretEncrypted) return true;
  const decryptSecret = (record: TotpRecord) => decryptTotpSecret(ports, { id: record.poolId }, record);
  return Buffer.from(decryptSecret(one)).equals(decryptSecret(other));
}

/** Whether a code of this time step, or of a later one, was used. */
export function isTimeStepUsed({ lastStep }: Pick<TotpRecord, 'lastStep'>, step: number): boolean {
  return lastStep >= step;
}

/** The arithmetic of {@link findMatchingTimeStep}. Of several equal codes, the latest step counts, so that all of them are used up. */
export function findTimeStep(secret: Uint8Array<ArrayBuffer>, code: string, nowMs: number): number | undefined {
  if (!CODE.test(code)) return undefined;
  const given = Buffer.from(code);
  const now = Math.floor(nowMs / STEP_MS);
  let found: number | undefined;
  for (const drift of DRIFT_STEPS) {
    const counter = now + drift;
    if (counter >= 0 && timingSafeEqual(Buffer.from(computeTotpCode(secret, counter)), given)) found = counter;
  }
  return found;
}

function computeTotpCode(secret: Uint8Array<ArrayBuffer>, counter: number): string {
  const buffer = Uint8Array.from(secret).buffer;
  return HOTP.generate({ secret: new Secret({ buffer }), algorithm: ALGORITHM, digits: DIGITS, counter });
}

/** Whether the pool accepts authenticators at all. */
export function isTotpOffered({ mfaConfiguration, mfaMethods }: PoolSettings): boolean {
  return mfaConfiguration !== 'OFF' && mfaMethods.includes('SOFTWARE_TOKEN_MFA');
}

/** Whether one of the authenticator's codes was verified, which it needs to prove anything else. */
export function isTotpActive(record: TotpRecord | undefined): record is TotpRecord {
  return record?.state === 'active';
}

/** Whether an authenticator still waits for its first code. */
export function isTotpPending(record: TotpRecord | undefined, nowMs: number): record is TotpRecord {
  return record?.state === 'pending' && nowMs < record.createdAtMs + PENDING_LIFETIME_MS;
}

/**
 * Activates a pending authenticator. The step that verified it counts as used, and so do those of the one that it replaces, so no code
 * works twice.
 */
export function toActiveTotp(
  pending: TotpRecord,
  replaced: TotpRecord | undefined,
  { step, name }: { readonly step: number; readonly name: string },
): TotpRecord {
  return { ...pending, state: 'active', name, lastStep: Math.max(step, replaced?.lastStep ?? NO_STEP) };
}
