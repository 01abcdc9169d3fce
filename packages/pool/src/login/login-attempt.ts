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

/** The device of a login step. */
interface NamedDevice {
  readonly key: string | null;
  /** Whether this step itself sent the key. Only then does a client expect to hear that it is unknown. */
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

/** Returns the device key of a first request for later steps, or nothing if it is malformed. */
export function readFirstDeviceKey(pool: PoolRecord, sent: AnswerStep['sent']): string | null {
  const { key } = resolveNamedDevice(pool, sent, undefined);
  return isDeviceKey(key ?? '') ? key : null;
}

/** The current device of an attempt, and the key under which its guesses are counted. */
export interface LoginAttempt {
  readonly device: DeviceRecord | undefined;
  readonly deviceTrust: DeviceTrust;
  readonly isBoundToDevice: boolean;
  readonly guess: Guess | undefined;
}

/** Reads the data needed before a guess is counted. It runs in the deciding write, for unknown names as well as for users. */
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

/** Everything that the next step depends on, read after the guess was counted. */
export interface DecisionInput extends LoginAttempt {
  /** With the current pool. */
  readonly step: AnswerStep;
  /** Including the answer's proof. */
  readonly proofs: readonly ProofName[];
  readonly userFactors: UserFactors;
  /** Undefined if the user was deleted, has another password than this login's, or never existed. */
  readonly current: CurrentUser | undefined;
}

/**
 * Reads in the deciding write.
 * @param readUser locks the user if a proof was given; otherwise it must cost the same for every name
 */
export async function readDecisionInput(
  transaction: PoolTransaction,
  evaluatedAnswer: EvaluatedAnswer,
  attempt: LoginAttempt,
  readUser: typeof lockUserByName | typeof readUserByName,
): Promise<DecisionInput> {
  const { step: before } = evaluatedAnswer;
  const { userId } = before.candidate;
  // Both statements are sent together. The user's comes first, because rows read after a lock cannot change.
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

/** Reads the candidate's authenticator. A pool without MFA never requires one. */
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
 * The name by which the user was read before. An unknown name is then read next to the same user as before, whose row is cached as well as
 * that of an existing user.
 */
function chooseNameToReread({ candidate }: AnswerStep, pending: PendingSession | undefined): string {
  return pending === undefined ? candidate.typedName : candidate.userId;
}

/** Returns the current user; undefined if it, or its password, is not the login's. */
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
 * Locking a user does not lock the user's trusted devices, because each has its own counter. After a first factor, all devices share one
 * counter, so that a thief of a password and a device does not get twice the guesses.
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
