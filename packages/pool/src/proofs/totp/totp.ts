/**
 * Authenticator apps: enrollment, and codes that work only once.
 */
import { timingSafeEqual } from 'node:crypto';
import { HOTP, Secret } from 'otpauth';
import type { ClockPort, KeyRingPort, Random, RandomPort } from '../../kernel/ports.ts';
import { decryptionFailedError } from '../../settings/pools-and-clients.ts';
import type { PoolSettings } from '../../store/pool-and-client-settings.ts';
import type { PoolRecord, TotpRecord } from '../../store/records.ts';

/** RFC 6238 §4.1 and §5.2: what every authenticator application assumes where it is told nothing else. */
const STEP_MS = 30_000;
const DIGITS = 6;
const ALGORITHM = 'SHA1';

/** RFC 6238 §6: a clock may be one step off, either way. */
const DRIFT_STEPS = [-1, 0, 1] as const;

/** 256 bits, written as the 52 characters that Cognito's secrets have; RFC 4226 §4 asks for 160 bits. */
const SECRET_BYTES = 32;

const CODE = /^\d{6}$/;

/** How long a secret that was shown waits for its first code. A page that was left open is no way in later. */
const PENDING_LIFETIME_MS = 15 * 60_000;

/** Before every time step: nothing was used yet. */
const NO_STEP = -1;

/** The name of an authenticator that the user has not named. */
export const DEFAULT_AUTHENTICATOR_NAME = 'Authenticator';

/** A new secret, to be shown once, and what is kept of it. */
export interface NewTotp {
  /** Base32 without padding (RFC 4648 §6), 52 characters. */
  readonly secretCode: string;
  /** It proves nothing before a code of it was seen. */
  readonly record: TotpRecord;
}

/** Draws the secret of a new authenticator. */
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
 * The time step to which a code belongs, within one step of drift; undefined where it belongs to none. All steps are
 * compared in constant time, and nothing is said of whether the step was used before.
 * @param nowMs milliseconds since the epoch
 * @throws {ProviderError} `InternalErrorException`: the secret was encrypted by an unknown key, or for another user
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
 * Whether two records are of the same authenticator, as they are where one was encrypted anew meanwhile.
 * @throws {ProviderError} as {@link findMatchingTimeStep}
 */
export function isSameAuthenticator(ports: KeyRingPort, one: TotpRecord, other: TotpRecord): boolean {
  if (one.secretEncrypted === other.secretEncrypted) return true;
  const decryptSecret = (record: TotpRecord) => decryptTotpSecret(ports, { id: record.poolId }, record);
  return Buffer.from(decryptSecret(one)).equals(decryptSecret(other));
}

/** Whether a code of this time step, or a later one, was used. */
export function isTimeStepUsed({ lastStep }: Pick<TotpRecord, 'lastStep'>, step: number): boolean {
  return lastStep >= step;
}

/** The arithmetic of {@link findMatchingTimeStep}; of several equal codes the latest step counts, so that it is used up for all. */
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

/** Whether the pool takes authenticators at all. */
export function isTotpOffered({ mfaConfiguration, mfaMethods }: PoolSettings): boolean {
  return mfaConfiguration !== 'OFF' && mfaMethods.includes('SOFTWARE_TOKEN_MFA');
}

/** Whether an authenticator was proven by a code of it. Only such a one can prove anything else. */
export function isTotpActive(record: TotpRecord | undefined): record is TotpRecord {
  return record?.state === 'active';
}

/** Whether an authenticator still waits for its first code. */
export function isTotpPending(record: TotpRecord | undefined, nowMs: number): record is TotpRecord {
  return record?.state === 'pending' && nowMs < record.createdAtMs + PENDING_LIFETIME_MS;
}

/**
 * The proven form of a pending authenticator. The step that proved it is used up, and so are the steps of the one that it
 * replaces: no code that was seen once works again.
 */
export function toActiveTotp(
  pending: TotpRecord,
  replaced: TotpRecord | undefined,
  { step, name }: { readonly step: number; readonly name: string },
): TotpRecord {
  return { ...pending, state: 'active', name, lastStep: Math.max(step, replaced?.lastStep ?? NO_STEP) };
}
