import { ProviderError } from '@poolgate/provider';
import { createBucketAllowance } from '../delivery/rate-allowances.ts';
import { checkAttributes, checkRequiredAttributes, removeEmptyAttributes } from '../identity/attributes.ts';
import { addVerifiedFlags } from '../identity/contacts.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { isUnverifiedSignUp } from '../identity/unverified-sign-up.ts';
import { findUser, insertUser, releaseAliases } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { toGuessNetwork } from '../kernel/source-network.ts';
import {
  countGuess,
  createGuessSubject,
  type GuessCounter,
  lockAfterTooManyGuesses,
  PASSWORD_GUESS_COUNTER,
} from '../proofs/lockouts/lockout.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import { createCredential, isWellFormedPassword } from '../proofs/passwords/password-credentials.ts';
import type { DecoyPorts, NewCredentialPorts } from '../proofs/passwords/password-ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { UserRecord, UserWithCredential } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { TriggerData } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { createUserIdentity, createUserRecord } from '../users/create-user-record.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import { type ProviderNamePorts, refuseProviderNames } from '../users/provider-usernames.ts';
import type { LoginStep } from './challenges/challenge.ts';
import type { MigrationPort } from './challenges/login-ports.ts';
import type { MigratedUser } from './challenges/migration-hook.ts';

/** A password that is checked by the older system is a guess there. It is counted as one here, before the call. */
const MIGRATION_GUESS_COUNTER: GuessCounter = { ...PASSWORD_GUESS_COUNTER, name: 'migration' };

/** How often one network may ask the older system about one forgotten password. */
const RESET_QUESTIONS = createBucketAllowance({ most: 5, everyMs: 12 * 60_000 });

/** Whether a password that is wrong here may be correct for a user of an older system. */
export function canMigrateUsers({ ports, pool }: Pick<LoginStep, 'pool'> & { readonly ports: MigrationPort }): boolean {
  return ports.migrate !== undefined || findConfiguredTrigger(pool.settings, 'UserMigration') !== undefined;
}

/**
 * Migrates a user of an older system if the integrator accepts the password that was wrong here. The hook is called whether or not the name
 * exists, so that timing reveals nothing. Its result counts only for an unknown name, or for an unverified registration.
 * @returns the user with the name now, if migrated; undefined if nothing changed
 */
export async function migrateUser(step: LoginStep, password: string): Promise<LoginCandidate | undefined> {
  const { candidate } = step;
  if (!canMigrateUsers(step) || !isWellFormedPassword(password)) return undefined;
  if (!(await countMigrationGuess(step))) return undefined;
  const scope = { ...step, typedName: candidate.typedName };
  const admitted = (await invokeUserMigration(scope, password)) ?? (await callMigrateHook(step, password));
  return insertUnlessKnown(scope, password, admitted, candidate.found?.user);
}

/** The target of a migration. */
interface MigrationScope extends PoolAndClient {
  readonly ports: TriggerPorts &
    DecoyPorts &
    NewCredentialPorts &
    EventPorts &
    ProviderNamePorts &
    StoreReads<'users'> &
    StoreWrites<'allowances' | 'credentials' | 'events' | 'users'>;
  readonly typedName: string;
  readonly validationData?: TriggerData | undefined;
  readonly clientMetadata?: TriggerData | undefined;
}

/**
 * Migrates a user who forgot the password, which only the pool's trigger can do. It is called for every name alike, as often as the
 * caller's network may cause it.
 * @param known the stored candidate for the name
 * @returns the migrated user; undefined if none
 */
export async function migrateUserOnForgotPassword(
  scope: MigrationScope,
  known: LoginCandidate,
): Promise<UserWithCredential | undefined> {
  const { pool } = scope;
  if (findConfiguredTrigger(pool.settings, 'UserMigration') === undefined) return undefined;
  if (!(await consumeResetQuestion(scope, known.userId))) return undefined;
  const admitted = await invokeUserMigration(scope, undefined);
  return (await insertUnlessKnown(scope, undefined, admitted, known.found?.user))?.found;
}

/** False if this network asked too often about the name. */
function consumeResetQuestion({ ports, pool }: MigrationScope, userId: string): Promise<boolean> {
  const network = toGuessNetwork(ports.call.sourceAddress) ?? 'no address';
  const request = {
    poolId: pool.id,
    subject: createGuessSubject(ports, pool, { name: 'migration_reset' }, `${userId} ${network}`),
    nowMs: ports.clock.now(),
  };
  return ports.store.write(async (transaction) => (await RESET_QUESTIONS.consume(transaction, request)) === 0);
}

/** The older system's data about a user that it accepts. */
interface MigrationResponse extends MigratedUser {
  readonly forceAliasCreation?: boolean;
}

/** An existing user of the name stays, except for an unverified registration. */
function insertUnlessKnown(
  scope: MigrationScope,
  password: string | undefined,
  admitted: MigrationResponse | undefined,
  known: UserRecord | undefined,
): Promise<LoginCandidate | undefined> {
  if (admitted === undefined || (known && !isUnverifiedSignUp(known))) return Promise.resolve(undefined);
  return insertMigratedUser(scope, password, admitted);
}

/** A trigger that refuses or cannot be called has accepted no one. Its error is not shown, because it would reveal who is known there. */
async function invokeUserMigration(
  scope: MigrationScope,
  password: string | undefined,
): Promise<MigrationResponse | undefined> {
  const { ports, pool, client, typedName, validationData = {}, clientMetadata } = scope;
  const trigger = findConfiguredTrigger(pool.settings, 'UserMigration');
  if (trigger === undefined) return undefined;
  const source = password === undefined ? 'UserMigration_ForgotPassword' : 'UserMigration_Authentication';
  const request = { password, validationData, clientMetadata };
  try {
    const question = { pool, clientId: client.id, source, userName: typedName, request } as const;
    const response = await invokeTrigger(ports, trigger, question);
    if (response === undefined) return undefined;
    const { userAttributes: attributes, isConfirmed: keepPassword, forceAliasCreation } = response;
    return { attributes, keepPassword, forceAliasCreation };
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    if (cause.code !== 'UserLambdaValidationException') await recordMigrationFailure(scope, 'trigger_failed');
    return undefined;
  }
}

/** False while there were too many guesses. */
function countMigrationGuess({ ports, pool, candidate }: LoginStep): Promise<boolean> {
  const guess = createUserGuess(ports, pool, MIGRATION_GUESS_COUNTER, candidate.userId);
  return ports.store.write(async (transaction) => {
    const count = await countGuess(transaction, guess);
    if (count === undefined) return false;
    await lockAfterTooManyGuesses(ports, transaction, guess, count, { pool, user: candidate.found?.user });
    return true;
  });
}

/**
 * If the integrator cannot be reached, the login is answered as if the user were refused, which reveals nothing. The event records the
 * failure.
 */
async function callMigrateHook(step: LoginStep, password: string): Promise<MigratedUser | undefined> {
  const { ports, pool, client, candidate } = step;
  try {
    return await ports.migrate?.({
      userPoolId: pool.id,
      clientId: client.id,
      username: candidate.typedName,
      password,
    });
  } catch {
    await recordMigrationFailure({ ...step, typedName: candidate.typedName }, 'hook_failed');
    return undefined;
  }
}

async function recordMigrationFailure({ ports, pool, client }: MigrationScope, reason: string): Promise<void> {
  const reported = {
    type: 'user.migrated',
    pool,
    clientId: client.id,
    outcome: 'failure',
    details: { reason },
  } as const;
  await ports.store.write((transaction) => recordEvent(ports, transaction, reported));
}

/** Of several simultaneous logins, one migrates the user, and all continue with that user. */
async function insertMigratedUser(
  scope: MigrationScope,
  password: string | undefined,
  admitted: MigrationResponse,
): Promise<LoginCandidate | undefined> {
  const { ports, pool, client, typedName } = scope;
  const nowMs = ports.clock.now();
  const user = await createMigratedUserRecord(scope, admitted);
  if (user === undefined) {
    await recordMigrationFailure(scope, 'invalid_attributes');
    return undefined;
  }
  // A password that is not kept proves only this login and counts as temporary. It cannot be set again as the new one.
  const untilMs = admitted.keepPassword === false ? nowMs : null;
  const credential =
    password === undefined ? undefined : await createCredential(ports, pool, user.username, password, untilMs);
  try {
    await ports.store.write(async (transaction) => {
      if (admitted.forceAliasCreation) await releaseAliases(ports, transaction, pool, user, nowMs);
      await insertUser(transaction, pool, user, typedName);
      if (credential) await transaction.credentials.put(credential);
      await recordEvent(ports, transaction, { type: 'user.migrated', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
  }
  const found = await findUser(ports, pool, typedName);
  return found && createLoginCandidate(ports, pool, typedName, found);
}

/** The integrator's data about a user is trusted like an administrator's; undefined if this pool cannot have such a user. */
async function createMigratedUserRecord(
  { ports, pool, typedName }: MigrationScope,
  { attributes: reported, keepPassword = true }: MigrationResponse,
): Promise<UserRecord | undefined> {
  try {
    checkAttributes(pool, 'admin', reported);
    const identity = createUserIdentity(ports, pool, typedName, removeEmptyAttributes(reported));
    await refuseProviderNames(ports, pool, identity);
    checkRequiredAttributes(pool, identity.attributes);
    const attributes = addVerifiedFlags(identity.attributes);
    return createUserRecord(ports, pool, { ...identity, attributes }, keepPassword ? 'CONFIRMED' : 'RESET_REQUIRED');
  } catch (cause) {
    if (cause instanceof ProviderError) return undefined;
    throw cause;
  }
}
