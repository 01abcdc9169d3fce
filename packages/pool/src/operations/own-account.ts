import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { takeFactorsTurn } from '../domain/enrolment.ts';
import { acceptRightGuess, countWrongGuess, guessSubject, lockedRefusal, PASSWORD_GUESSES } from '../domain/lockout.ts';
import { endOtherLogins } from '../domain/logins.ts';
import { checkNotTemporary, type NewPassword, ownNames, plainPassword } from '../domain/new-password.ts';
import { passwordMatches, replacePassword } from '../domain/passwords.ts';
import { incorrectPassword, missingParameter } from '../domain/refusals.ts';
import { findUser, noSuchUser } from '../domain/users.ts';
import { failureWord, recordEvent } from '../events.ts';
import { afterCommit } from '../messages/deliver.ts';
import { noticeOwner } from '../messages/notices.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord } from '../store/records.ts';
import { type Access, claimAccess, requireAccess } from '../tokens/access.ts';

type OwnAccountOperation = 'changePassword' | 'deleteUser' | 'globalSignOut';

/** The operations of a user on the own account as a whole. */
export function ownAccountOperations(runtime: PoolRuntime): Pick<ProviderOperations, OwnAccountOperation> {
  return {
    changePassword: (input, call) => changePassword(duringCall(runtime, call), input),
    deleteUser: (input, call) => deleteUser(duringCall(runtime, call), input),
    globalSignOut: (input, call) => globalSignOut(duringCall(runtime, call), input),
  };
}

async function deleteUser(context: PoolRuntime, input: Input<'DeleteUser'>): Promise<Output<'DeleteUser'>> {
  const access = await requireAccess(context, input.AccessToken);
  const { pool, client, user } = access;
  await context.store.write(async (transaction) => {
    await takeFactorsTurn(transaction, pool, user.username, context.clock.now());
    await claimAccess(transaction, access);
    if (!(await transaction.deleteUser(pool.id, user.username))) throw noSuchUser('invalid_token');
    await recordEvent(context, transaction, { type: 'user.deleted', pool, clientId: client.id, user });
  });
  return {};
}

async function globalSignOut(context: PoolRuntime, input: Input<'GlobalSignOut'>): Promise<Output<'GlobalSignOut'>> {
  const access = await requireAccess(context, input.AccessToken);
  const { pool, client, user } = access;
  await context.store.write(async (transaction) => {
    await claimAccess(transaction, access);
    await transaction.revokeLoginsOf(pool.id, user.username, context.clock.now());
    await recordEvent(context, transaction, { type: 'login.all_ended', pool, clientId: client.id, user });
  });
  return {};
}

/**
 * The old password is asked for wherever there is one; who has never had any sets the first one.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ChangePassword.html
 */
async function changePassword(context: PoolRuntime, input: Input<'ChangePassword'>): Promise<Output<'ChangePassword'>> {
  const access = await requireAccess(context, input.AccessToken);
  const { pool, user } = access;
  const found = await findUser(context, pool, user.username);
  if (found === undefined) throw noSuchUser('invalid_token');
  const before = found.credential;
  const { PreviousPassword: previous } = input;
  if (before !== undefined && previous === undefined) throw missingParameter('PreviousPassword');
  const password = plainPassword(context, pool, input.ProposedPassword);
  await password.check();
  password.checkOwner(ownNames(user));
  // An old password where there is none is a wrong one: else whatever asks for a recent login in its place could be passed by.
  const isRight = before === undefined ? previous === undefined : passwordMatches(context, before, previous ?? '');
  await setOwnPassword(context, access, password, { before, isRight });
  return {};
}

/** What the old password was worth. */
export interface Proof {
  /** The password that the proof was about; undefined where there was none. */
  readonly before: CredentialRecord | undefined;
  readonly isRight: boolean;
}

/** Sets the own password of a user, and ends every other login. A wrong proof counts as a wrong password of a login does. */
export async function setOwnPassword(
  context: PoolRuntime,
  access: Access,
  password: NewPassword,
  proof: Proof,
): Promise<void> {
  const { pool, client, user } = access;
  const credential = password.credential(user.username, null);
  const refusal = await context.store.write(async (transaction) => {
    const error = await judge(context, transaction, access, proof);
    const about = { type: 'password.changed', pool, clientId: client.id, user } as const;
    if (error === undefined) {
      checkNotTemporary(pool, password, proof.before);
      await replaceOwn(context, transaction, access, credential);
    }
    const failure = error && ({ outcome: 'failure', details: { reason: failureWord(error) } } as const);
    await recordEvent(context, transaction, { ...about, ...failure });
    return error;
  });
  await afterCommit(context);
  if (refusal !== undefined) throw refusal;
}

/** The refusal is given, not thrown: a wrong guess must be counted. Another password than the one that was proven proves nothing. */
async function judge(
  context: PoolRuntime,
  transaction: PoolTransaction,
  access: Access,
  { before, isRight }: Proof,
): Promise<ProviderError | undefined> {
  const { pool, user } = access;
  const nowMs = context.clock.now();
  const subject = guessSubject(context, pool, PASSWORD_GUESSES, user.username);
  const guess = { counter: PASSWORD_GUESSES, poolId: pool.id, subject, nowMs };
  const isCounted = isRight
    ? await acceptRightGuess(transaction, guess)
    : await countWrongGuess(context, transaction, guess, { pool, user });
  if (!isCounted) return tooManyTries(await lockedRefusal(transaction, guess));
  const current = await claimAccess(transaction, access);
  return isRight && current.credential?.saltHex === before?.saltHex ? undefined : incorrectPassword();
}

function tooManyTries(cause: ProviderError): ProviderError {
  const { retryAfterSeconds } = cause;
  return new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
    reason: 'locked',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

async function replaceOwn(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, user, loginId }: Access,
  credential: CredentialRecord,
): Promise<void> {
  const { username } = user;
  const nowMs = context.clock.now();
  await replacePassword(transaction, credential, nowMs);
  await transaction.updateUser(pool.id, username, { status: 'CONFIRMED', modifiedAtMs: nowMs });
  await endOtherLogins(transaction, pool, { username, loginId, nowMs });
  await noticeOwner(context, transaction, pool, user, 'password_changed');
}
