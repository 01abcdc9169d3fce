import { ProviderError } from '@poolgate/provider';
import type { LoginStep } from '../challenges/challenge.ts';
import type { Newcomer } from '../context.ts';
import { checkAttributes, checkRequired, withoutEmpty } from '../domain/attributes.ts';
import { withVerification } from '../domain/contacts.ts';
import { countGuess, type GuessCounter, guessSubject, lockAfter, PASSWORD_GUESSES } from '../domain/lockout.ts';
import { type Candidate, candidateOf } from '../domain/masking.ts';
import { newIdentity, newUser } from '../domain/new-user.ts';
import { isPossiblePassword, makeCredential } from '../domain/passwords.ts';
import { isUnproven } from '../domain/unproven.ts';
import { findUser, insertUser } from '../domain/users.ts';
import { recordEvent } from '../events.ts';
import { isConflict } from '../store/conflict.ts';
import type { UserRecord } from '../store/records.ts';

/** A password that the older system is asked about is guessed there: counted as here, and before it is asked. */
const MIGRATION_GUESSES: GuessCounter = { ...PASSWORD_GUESSES, name: 'migration' };

/**
 * Takes a user of an older system over, where the integrator admits the password that was not right here. It is asked whether or not
 * somebody has the name, so that the time it takes tells nothing; its answer counts only where nobody has, but for a registration of which nothing is proven.
 * @returns who has the name now, if that is a newcomer; undefined where the answer stays what it was
 */
export async function newcomer(step: LoginStep, password: string): Promise<Candidate | undefined> {
  const { context, candidate } = step;
  if (context.migrate === undefined || !isPossiblePassword(password)) return undefined;
  if (!(await countAsking(step))) return undefined;
  const admitted = await ask(step, password);
  if (admitted === undefined || (candidate.found && !isUnproven(candidate.found.user))) return undefined;
  return arrive(step, password, admitted);
}

/** False while too much was guessed. */
function countAsking({ context, pool, candidate, nowMs }: LoginStep): Promise<boolean> {
  const subject = guessSubject(context, pool, MIGRATION_GUESSES, candidate.userId);
  const guess = { counter: MIGRATION_GUESSES, poolId: pool.id, subject, nowMs };
  return context.store.write(async (transaction) => {
    const guesses = await countGuess(transaction, guess);
    if (guesses === undefined) return false;
    await lockAfter(context, transaction, guess, guesses, { pool, user: candidate.found?.user });
    return true;
  });
}

/** Where the integrator cannot be asked, the login is answered as if it had said no: nobody learns from it who is known. The event tells. */
async function ask(step: LoginStep, password: string): Promise<Newcomer | undefined> {
  const { context, pool, client, candidate } = step;
  try {
    return await context.migrate?.({
      userPoolId: pool.id,
      clientId: client.id,
      username: candidate.typedName,
      password,
    });
  } catch {
    await tellFailure(step, 'hook_failed');
    return undefined;
  }
}

async function tellFailure({ context, pool, client }: LoginStep, reason: string): Promise<void> {
  const told = { type: 'user.migrated', pool, clientId: client.id, outcome: 'failure', details: { reason } } as const;
  await context.store.write((transaction) => recordEvent(context, transaction, told));
}

/** Of several at a time one brings the user in, and all go on with that one. */
async function arrive(step: LoginStep, password: string, admitted: Newcomer): Promise<Candidate | undefined> {
  const { context, pool, client, candidate, nowMs } = step;
  const { typedName } = candidate;
  const user = recordOf(step, admitted);
  if (user === undefined) {
    await tellFailure(step, 'invalid_attributes');
    return undefined;
  }
  // A password that is not kept proves this one login, and counts as temporary: it can never be the one that is set in its place.
  const untilMs = admitted.keepPassword === false ? nowMs : null;
  const credential = makeCredential(context, pool, user.username, password, untilMs);
  try {
    await context.store.write(async (transaction) => {
      await insertUser(transaction, pool, user, typedName);
      await transaction.putCredential(credential);
      await recordEvent(context, transaction, { type: 'user.migrated', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
  }
  const found = await findUser(context, pool, typedName);
  return found && candidateOf(context, pool, typedName, found);
}

/** What the integrator says of a user is believed as an administrator is; undefined where this pool cannot have such a user. */
function recordOf(
  { context, pool, candidate }: LoginStep,
  { attributes: told, keepPassword = true }: Newcomer,
): UserRecord | undefined {
  try {
    checkAttributes(pool, 'admin', told);
    const identity = newIdentity(context, pool, candidate.typedName, withoutEmpty(told));
    checkRequired(pool, identity.attributes);
    const attributes = withVerification(identity.attributes);
    return newUser(context, pool, { ...identity, attributes }, keepPassword ? 'CONFIRMED' : 'RESET_REQUIRED');
  } catch (cause) {
    if (cause instanceof ProviderError) return undefined;
    throw cause;
  }
}
