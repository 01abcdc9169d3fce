import { ProviderError } from '@poolgate/provider';
import type { MigratedUser } from '../context.ts';
import { recordEvent } from '../events.ts';
import { countGuess, type GuessCounter, guessSubject, lockIfTooMany, PASSWORD_GUESSES } from '../factors/lockout.ts';
import { isPossiblePassword, makeCredential } from '../passwords/passwords.ts';
import { isConflict } from '../store/conflict.ts';
import type { UserRecord } from '../store/records.ts';
import { checkAttributes, checkRequired, withoutEmpty } from '../users/attributes.ts';
import { withVerification } from '../users/contacts.ts';
import { type LoginCandidate, loginCandidate } from '../users/login-candidate.ts';
import { newIdentity, newUser } from '../users/new-user.ts';
import { isUnverifiedSignUp } from '../users/unverified-sign-up.ts';
import { findUser, insertUser } from '../users/users.ts';
import type { LoginStep } from './challenges/challenge.ts';

/** A password that the older system is asked about is guessed there: counted as here, and before it is asked. */
const MIGRATION_GUESSES: GuessCounter = { ...PASSWORD_GUESSES, name: 'migration' };

/**
 * Takes a user of an older system over, where the integrator admits the password that was not right here. It is asked whether or not
 * somebody has the name, so that the time it takes tells nothing; its answer counts only where nobody has, but for a registration of which nothing is proven.
 * @returns who has the name now, if that is a migrated user; undefined where the answer stays what it was
 */
export async function migrateUser(step: LoginStep, password: string): Promise<LoginCandidate | undefined> {
  const { context, candidate } = step;
  if (context.migrate === undefined || !isPossiblePassword(password)) return undefined;
  if (!(await countMigrationGuess(step))) return undefined;
  const admitted = await callMigrateHook(step, password);
  if (admitted === undefined || (candidate.found && !isUnverifiedSignUp(candidate.found.user))) return undefined;
  return insertMigratedUser(step, password, admitted);
}

/** False while too much was guessed. */
function countMigrationGuess({ context, pool, candidate, nowMs }: LoginStep): Promise<boolean> {
  const subject = guessSubject(context, pool, MIGRATION_GUESSES, candidate.userId);
  const guess = { counter: MIGRATION_GUESSES, poolId: pool.id, subject, nowMs };
  return context.store.write(async (transaction) => {
    const guesses = await countGuess(transaction, guess);
    if (guesses === undefined) return false;
    await lockIfTooMany(context, transaction, guess, guesses, { pool, user: candidate.found?.user });
    return true;
  });
}

/** Where the integrator cannot be asked, the login is answered as if it had said no: nobody learns from it who is known. The event records it. */
async function callMigrateHook(step: LoginStep, password: string): Promise<MigratedUser | undefined> {
  const { context, pool, client, candidate } = step;
  try {
    return await context.migrate?.({
      userPoolId: pool.id,
      clientId: client.id,
      username: candidate.typedName,
      password,
    });
  } catch {
    await recordMigrationFailure(step, 'hook_failed');
    return undefined;
  }
}

async function recordMigrationFailure({ context, pool, client }: LoginStep, reason: string): Promise<void> {
  const reported = {
    type: 'user.migrated',
    pool,
    clientId: client.id,
    outcome: 'failure',
    details: { reason },
  } as const;
  await context.store.write((transaction) => recordEvent(context, transaction, reported));
}

/** Of several at a time one brings the user in, and all go on with that one. */
async function insertMigratedUser(
  step: LoginStep,
  password: string,
  admitted: MigratedUser,
): Promise<LoginCandidate | undefined> {
  const { context, pool, client, candidate, nowMs } = step;
  const { typedName } = candidate;
  const user = migratedUserRecord(step, admitted);
  if (user === undefined) {
    await recordMigrationFailure(step, 'invalid_attributes');
    return undefined;
  }
  // A password that is not kept proves this one login, and counts as temporary: it can never be the one that is set in its place.
  const untilMs = admitted.keepPassword === false ? nowMs : null;
  const credential = await makeCredential(context, pool, user.username, password, untilMs);
  try {
    await context.store.write(async (transaction) => {
      await insertUser(transaction, pool, user, typedName);
      await transaction.credentials.put(credential);
      await recordEvent(context, transaction, { type: 'user.migrated', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
  }
  const found = await findUser(context, pool, typedName);
  return found && loginCandidate(context, pool, typedName, found);
}

/** What the integrator says of a user is believed as an administrator is; undefined where this pool cannot have such a user. */
function migratedUserRecord(
  { context, pool, candidate }: LoginStep,
  { attributes: reported, keepPassword = true }: MigratedUser,
): UserRecord | undefined {
  try {
    checkAttributes(pool, 'admin', reported);
    const identity = newIdentity(context, pool, candidate.typedName, withoutEmpty(reported));
    checkRequired(pool, identity.attributes);
    const attributes = withVerification(identity.attributes);
    return newUser(context, pool, { ...identity, attributes }, keepPassword ? 'CONFIRMED' : 'RESET_REQUIRED');
  } catch (cause) {
    if (cause instanceof ProviderError) return undefined;
    throw cause;
  }
}
