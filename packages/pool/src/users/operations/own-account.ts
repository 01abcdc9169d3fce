import type { Input, Output } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import { lockFactors } from '../../factors/totp-enrolment.ts';
import type { OperationTable } from '../../operation-table.ts';
import { newPlainPassword, ownNames } from '../../passwords/new-password.ts';
import { passwordMatches } from '../../passwords/passwords.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { missingParameter } from '../../shared/login-errors.ts';
import { claimAccess, requireAccessToken } from '../../tokens/access.ts';
import { deleteUserAndLogins, revokeLoginsOfUser } from '../../tokens/revocations.ts';
import { setOwnPassword } from '../own-password.ts';
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
