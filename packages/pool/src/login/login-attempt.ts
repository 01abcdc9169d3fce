import type { lockUserByName, readUserByName } from '../identity/user-records.ts';
import { findDevice, isDeviceKey } from '../proofs/devices/device-registration.ts';
import { createDeviceGuessSubject, type Guess } from '../proofs/lockouts/lockout.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import { isTotpActive } from '../proofs/totp/totp.ts';
import type { PoolReads, PoolTransaction } from '../store/pool-store.ts';
import type { DeviceRecord, PoolRecord, TotpRecord, UserWithCredential } from '../store/records.ts';
import { hasPasswordVersion } from '../users/find-login-candidate.ts';
import type { ChallengeSession } from './challenge-session.ts';
import type { AnswerStep, CurrentUser, Factor, ProofName, UserFactors } from './challenges/challenge.ts';
import { type AttemptOwner, type EvaluatedAnswer, listProofs, type PendingSession } from './login-decision.ts';
import type { DeviceTrust } from './next-step.ts';

/** The device that a step of a login is about. */
interface NamedDevice {
  readonly key: string | null;
  /** Whether the key came with this very step. Only then does a client expect to hear that it is nobody's. */
  readonly isFromThisRequest: boolean;
}

/** A login whose guesses are counted for one device stays with that device. */
function resolveNamedDevice(
  pool: PoolRecord,
  sent: AnswerStep['sent'],
  session: Pick<ChallengeSession, 'deviceKey' | 'isBoundToDevice'> | undefined,
): NamedDevice {
  const carried = session?.deviceKey ?? null;
  if (pool.settings.deviceTracking === null) return { key: null, isFromThisRequest: false };
  if (sent.DEVICE_KEY === undefined || session?.isBoundToDevice) return { key: carried, isFromThisRequest: false };
  return { key: sent.DEVICE_KEY, isFromThisRequest: true };
}

/** The key that a first request names, as later steps are to know it: nothing that cannot be one. */
export function readFirstDeviceKey(pool: PoolRecord, sent: AnswerStep['sent']): string | null {
  const { key } = resolveNamedDevice(pool, sent, undefined);
  return isDeviceKey(key ?? '') ? key : null;
}

/** The device of an attempt as it is now, and under which key its guesses are counted. */
export interface LoginAttempt {
  readonly device: DeviceRecord | undefined;
  readonly deviceTrust: DeviceTrust;
  readonly isBoundToDevice: boolean;
  readonly guess: Guess | undefined;
}

/** Reads what must be known before a guess is counted. Inside the deciding write, and for an unknown name as much as for a user. */
export async function readLoginAttempt(
  reads: Pick<PoolReads, 'devices'>,
  owner: AttemptOwner,
  factor: Factor,
  session: ChallengeSession | undefined,
): Promise<LoginAttempt> {
  const { key, isFromThisRequest } = resolveNamedDevice(owner.pool, owner.sent, session);
  const device = key === null ? undefined : await findDevice(reads, owner.pool, owner.userId, key);
  return {
    device,
    deviceTrust: toDeviceTrust(isFromThisRequest, device),
    isBoundToDevice: session?.isBoundToDevice === true || device?.remembered === true,
    guess: createGuess(owner, factor, device),
  };
}

/** What is read once the guess was counted: everything that the next step rests on. */
export interface DecisionInput extends LoginAttempt {
  /** With the pool as it is now. */
  readonly step: AnswerStep;
  /** With the one that the answer gave. */
  readonly proofs: readonly ProofName[];
  readonly userFactors: UserFactors;
  /** Undefined where the user is gone, has another password than the one that this login is about, or never was. */
  readonly current: CurrentUser | undefined;
}

/**
 * Reads in the deciding write.
 * @param readUser locks the user where a proof was given; otherwise it must cost the same for every name
 */
export async function readDecisionInput(
  transaction: PoolTransaction,
  evaluatedAnswer: EvaluatedAnswer,
  attempt: LoginAttempt,
  readUser: typeof lockUserByName | typeof readUserByName,
): Promise<DecisionInput> {
  const { step: before } = evaluatedAnswer;
  const { userId } = before.candidate;
  // Together, the user first: what is read behind a lock is as it stays.
  const [named, readPool, readBefore] = await Promise.all([
    readUser(transaction, before.pool, chooseNameToReread(before, evaluatedAnswer.pending)),
    transaction.pools.byId(before.pool.id),
    readTotp(transaction, before.pool, userId),
  ]);
  const pool = readPool ?? before.pool;
  const step = { ...before, pool };
  const totp = asksForTotp(before.pool) === asksForTotp(pool) ? readBefore : await readTotp(transaction, pool, userId);
  const userFactors = { totp, device: attempt.device };
  const found = matchLoginUser(step, named);
  return {
    ...attempt,
    step,
    proofs: listProofs(evaluatedAnswer),
    userFactors,
    current: found && { ...found, userFactors },
  };
}

function asksForTotp({ settings }: PoolRecord): boolean {
  return settings.mfaConfiguration !== 'OFF';
}

/** The authenticator of a candidate. Where the pool has no MFA, nobody asks for one. */
export async function readTotp(
  reads: Pick<PoolReads, 'authenticators'>,
  pool: PoolRecord,
  userId: string,
): Promise<TotpRecord | undefined> {
  if (!asksForTotp(pool)) return undefined;
  const totp = await reads.authenticators.byState(pool.id, userId, 'active');
  return isTotpActive(totp) ? totp : undefined;
}

/**
 * The name by which the user was read before: a name that nobody has is then read beside the same user as before, which is as near at
 * hand as the user is that a name means.
 */
function chooseNameToReread({ candidate }: AnswerStep, pending: PendingSession | undefined): string {
  return pending === undefined ? candidate.typedName : candidate.userId;
}

/** The user as read now; undefined for another user, or another password, than the login is about. */
function matchLoginUser(
  { candidate }: AnswerStep,
  named: UserWithCredential | undefined,
): UserWithCredential | undefined {
  const isSame = named?.user.username === candidate.userId && hasPasswordVersion(named, candidate.passwordVersion);
  return isSame && candidate.found !== undefined ? named : undefined;
}

function toDeviceTrust(isNamedNow: boolean, device: DeviceRecord | undefined): DeviceTrust {
  if (device === undefined) return isNamedNow ? 'unknown' : 'none';
  return device.remembered ? 'remembered' : 'known';
}

/**
 * Whoever keeps a user locked does not lock the devices that the user trusts: each has a counter of its own. Behind a first factor
 * there is one for all, since a thief of a password and a device must not have twice the guesses.
 */
function createGuess(
  { ports, pool, userId, nowMs }: AttemptOwner,
  { counter }: Factor,
  device: DeviceRecord | undefined,
): Guess | undefined {
  if (counter === undefined) return undefined;
  const isOfDevice = device?.remembered === true && !counter.isBehindFirstFactor;
  if (!isOfDevice) return createUserGuess(ports, pool, counter, userId);
  return { counter, poolId: pool.id, subject: createDeviceGuessSubject(counter, device.username, device.key), nowMs };
}
