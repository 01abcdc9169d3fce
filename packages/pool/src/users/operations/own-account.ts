import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../../events.ts';
import {
  acceptRightGuess,
  countWrongGuess,
  guessSubject,
  lockedError,
  PASSWORD_GUESSES,
} from '../../factors/lockout.ts';
import { lockFactors } from '../../factors/totp-enrolment.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import { queueNotice } from '../../messages/notices.ts';
import type { OperationTable } from '../../operation-table.ts';
import { checkNotTemporary, type NewPassword, newPlainPassword, ownNames } from '../../passwords/new-password.ts';
import { passwordMatches, passwordVersion, replacePassword } from '../../passwords/passwords.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { revokeOtherLogins } from '../../sessions/logins.ts';
import { incorrectPassword, missingParameter } from '../../shared/login-errors.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { CredentialRecord } from '../../store/records.ts';
import { type AuthorizedUser, claimAccess, requireAccessToken } from '../../tokens/access.ts';
import { deleteUserAndLogins, revokeLoginsOfUser } from '../../tokens/revocations.ts';
import { findUser, noSuchUser } from '../users.ts';

type OwnAccountOperation = 'changePassword' | 'deleteUser' | 'globalSignOut';

/** The operations of a user on the own account as a whole. */
export const ownAccountOperations: OperationTable<OwnAccountOperation> = {
  changePassword,
  deleteUser,
  globalSignOut,
};

async function deleteUser(context: PoolRuntime, input: Input<'DeleteUser'>): Promise<Output<'DeleteUser'>> {
  const access = await requireAccessToken(context, input.AccessToken);
  const { pool, client, user } = access;
  await context.store.write(async (transaction) => {
    await lockFactors(transaction, pool, user.username, context.clock.now());
    await claimAccess(transaction, access);
    if (!(await deleteUserAndLogins(transaction, user, context.clock.now()))) throw noSuchUser('invalid_token');
    await recordEvent(context, transaction, { type: 'user.deleted', pool, clientId: client.id, user });
  });
  return {};
}

async function globalSignOut(context: PoolRuntime, input: Input<'GlobalSignOut'>): Promise<Output<'GlobalSignOut'>> {
  const access = await requireAccessToken(context, input.AccessToken);
  const { pool, client, user } = access;
  await context.store.write(async (transaction) => {
    await claimAccess(transaction, access);
    await revokeLoginsOfUser(transaction, user, context.clock.now());
    await recordEvent(context, transaction, { type: 'login.all_ended', pool, clientId: client.id, user });
  });
  return {};
}

/**
 * The old password is asked for wherever there is one; who has never had any sets the first one.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ChangePassword.html
 */
async function changePassword(context: PoolRuntime, input: Input<'ChangePassword'>): Promise<Output<'ChangePassword'>> {
  const access = await requireAccessToken(context, input.AccessToken);
  const { pool, user } = access;
  const found = await findUser(context, pool, user.username);
  if (found === undefined) throw noSuchUser('invalid_token');
  const before = found.credential;
  const { PreviousPassword: previous } = input;
  if (before !== undefined && previous === undefined) throw missingParameter('PreviousPassword');
  const password = newPlainPassword(context, pool, input.ProposedPassword);
  await password.check();
  password.checkOwner(ownNames(user));
  // An old password where there is none is a wrong one: else whatever asks for a recent login in its place could be passed by.
  const isRight =
    before === undefined ? previous === undefined : await passwordMatches(context, before, previous ?? '');
  await setOwnPassword(context, access, password, { before, isRight });
  return {};
}

/** What the old password was worth. */
export interface OldPasswordProof {
  /** The password that the proof was about; undefined where there was none. */
  readonly before: CredentialRecord | undefined;
  readonly isRight: boolean;
}

/** Sets the own password of a user, and revokes every other login. A wrong proof counts as a wrong password of a login does. */
export async function setOwnPassword(
  context: PoolRuntime,
  access: AuthorizedUser,
  password: NewPassword,
  proof: OldPasswordProof,
): Promise<void> {
  const { pool, client, user } = access;
  const credential = await password.credential(user.username, null);
  const refusal = await context.store.write(async (transaction) => {
    const error = await proofRefusal(context, transaction, access, proof);
    const about = { type: 'password.changed', pool, clientId: client.id, user } as const;
    if (error === undefined) {
      checkNotTemporary(pool, password, proof.before);
      await replaceOwn(context, transaction, access, credential);
    }
    const failure = error && ({ outcome: 'failure', details: { reason: failureReason(error) } } as const);
    await recordEvent(context, transaction, { ...about, ...failure });
    return error;
  });
  await deliverAfterCommit(context);
  if (refusal !== undefined) throw refusal;
}

/** The refusal is given, not thrown: a wrong guess must be counted. Another password than the one that was proven proves nothing. */
async function proofRefusal(
  context: PoolRuntime,
  transaction: PoolTransaction,
  access: AuthorizedUser,
  { before, isRight }: OldPasswordProof,
): Promise<ProviderError | undefined> {
  const { pool, user } = access;
  const nowMs = context.clock.now();
  const subject = guessSubject(context, pool, PASSWORD_GUESSES, user.username);
  const guess = { counter: PASSWORD_GUESSES, poolId: pool.id, subject, nowMs };
  const isCounted = isRight
    ? await acceptRightGuess(transaction, guess)
    : await countWrongGuess(context, transaction, guess, { pool, user });
  if (!isCounted) return tooManyTries(await lockedError(transaction, guess));
  const current = await claimAccess(transaction, access);
  return isRight && passwordVersion(current.credential) === passwordVersion(before) ? undefined : incorrectPassword();
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
  { pool, user, loginId }: AuthorizedUser,
  credential: CredentialRecord,
): Promise<void> {
  const nowMs = context.clock.now();
  await replacePassword(transaction, credential, nowMs);
  await transaction.users.update(pool.id, user.username, { status: 'CONFIRMED', modifiedAtMs: nowMs });
  await revokeOtherLogins(transaction, { user, loginId, nowMs });
  await queueNotice(context, transaction, pool, user, 'password_changed');
}
