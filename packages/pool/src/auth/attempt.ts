import type { AnswerStep, Current, Factor, Holdings, ProofName } from '../challenges/challenge.ts';
import { findDevice } from '../domain/devices.ts';
import { deviceSubject, type Guess, guessSubject } from '../domain/lockout.ts';
import { saltHexOf } from '../domain/masking.ts';
import { isTotpActive } from '../domain/totp.ts';
import { findUser } from '../domain/users.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { DeviceRecord, PoolRecord, TotpRecord, UserWithCredential } from '../store/records.ts';
import { type Judged, type Pending, proofsAfter } from './decision.ts';
import type { DeviceStanding } from './next-step.ts';
import type { Session } from './session.ts';

/** The device that a step of a login is about. */
export interface NamedDevice {
  readonly key: string | null;
  /** Whether the key came with this very step. Only then does a client expect to hear that it is nobody's. */
  readonly isNamedNow: boolean;
}

/** A login whose guesses are counted for one device stays with that device. */
export function namedDevice(
  pool: PoolRecord,
  sent: AnswerStep['sent'],
  session: Pick<Session, 'deviceKey' | 'isBoundToDevice'> | undefined,
): NamedDevice {
  const carried = session?.deviceKey ?? null;
  if (pool.settings.deviceTracking === null) return { key: null, isNamedNow: false };
  if (sent.DEVICE_KEY === undefined || session?.isBoundToDevice) return { key: carried, isNamedNow: false };
  return { key: sent.DEVICE_KEY, isNamedNow: true };
}

/** The device of an attempt as it is now, and under which key its guesses are counted. */
export interface Attempt {
  readonly device: DeviceRecord | undefined;
  readonly standing: DeviceStanding;
  readonly isBoundToDevice: boolean;
  readonly guess: Guess | undefined;
}

/** Reads what must be known before a guess is counted. Inside the deciding write, and for an unknown name as much as for a user. */
export async function readAttempt(
  reads: PoolReads,
  step: AnswerStep,
  factor: Factor,
  session: Session | undefined,
): Promise<Attempt> {
  const { key, isNamedNow } = namedDevice(step.pool, step.sent, session);
  const device = key === null ? undefined : await findDevice(reads, step.pool, step.candidate.userId, key);
  return {
    device,
    standing: standingOf(isNamedNow, device),
    isBoundToDevice: session?.isBoundToDevice === true || device?.remembered === true,
    guess: guessOf(step, factor, device),
  };
}

/** What is read once the guess was counted: everything that the next step rests on. */
export interface Situation extends Attempt {
  /** With the pool as it is now. */
  readonly step: AnswerStep;
  /** With the one that the answer gave. */
  readonly proofs: readonly ProofName[];
  readonly holdings: Holdings;
  /** Undefined where the user is gone, has another password than the one that this login is about, or never was. */
  readonly current: Current | undefined;
}

/** Reads in the deciding write. */
export async function readSituation(reads: PoolReads, judged: Judged, attempt: Attempt): Promise<Situation> {
  const { step: before, isRead } = judged;
  const pool = (await reads.pool(before.pool.id)) ?? before.pool;
  const step = { ...before, pool };
  const totp = await readTotp(reads, pool, step.candidate.userId);
  const holdings = { totp, device: attempt.device };
  const found = isRead ? asBefore(step) : await readAgain(reads, step, judged.pending);
  return { ...attempt, step, proofs: proofsAfter(judged), holdings, current: found && { ...found, holdings } };
}

/** The authenticator of a candidate. Where the pool has no MFA, nobody asks for one. */
export async function readTotp(reads: PoolReads, pool: PoolRecord, userId: string): Promise<TotpRecord | undefined> {
  if (pool.settings.mfaConfiguration === 'OFF') return undefined;
  const totp = await reads.totp(pool.id, userId, 'active');
  return isTotpActive(totp) ? totp : undefined;
}

/** The user as read in this write; undefined where nobody is there, or with another password than the one that the login is about. */
function asBefore({ context, pool, candidate }: AnswerStep): UserWithCredential | undefined {
  const { found, saltHex } = candidate;
  return found !== undefined && saltHexOf(context, pool, found) === saltHex ? found : undefined;
}

/**
 * The same, read now, by the name by which it was read before: a name that nobody has is then read beside the same user as before,
 * which is as near at hand as the user is that a name means.
 */
async function readAgain(
  store: PoolReads,
  { pool, candidate }: AnswerStep,
  pending: Pending | undefined,
): Promise<UserWithCredential | undefined> {
  const current = await findUser({ store }, pool, pending === undefined ? candidate.typedName : candidate.userId);
  const isSame =
    current?.user.username === candidate.userId && current.credential?.saltHex === candidate.found?.credential?.saltHex;
  return isSame && candidate.found !== undefined ? current : undefined;
}

function standingOf(isNamedNow: boolean, device: DeviceRecord | undefined): DeviceStanding {
  if (device === undefined) return isNamedNow ? 'unknown' : 'none';
  return device.remembered ? 'remembered' : 'known';
}

/**
 * Whoever keeps a user locked does not lock the devices that the user trusts: each has a counter of its own. Behind a first factor
 * there is one for all, since a thief of a password and a device must not have twice the guesses.
 */
function guessOf(
  { context, pool, candidate, nowMs }: AnswerStep,
  { counter }: Factor,
  device: DeviceRecord | undefined,
): Guess | undefined {
  if (counter === undefined) return undefined;
  const isOfDevice = device?.remembered === true && !counter.isBehindFirstFactor;
  const subject = isOfDevice
    ? deviceSubject(counter, device.username, device.key)
    : guessSubject(context, pool, counter, candidate.userId);
  return { counter, poolId: pool.id, subject, nowMs };
}
