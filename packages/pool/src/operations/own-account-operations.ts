import type { Input, Output } from '@poolgate/provider';
import { missingParameterError } from '../identity/login-errors.ts';
import { findUser, userNotFoundError } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StorePort, StoreWrites } from '../kernel/ports.ts';
import { createPlainPassword, listPasswordUserNames } from '../proofs/passwords/new-password.ts';
import { passwordMatches } from '../proofs/passwords/password-credentials.ts';
import type { NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import { lockUserFactors } from '../proofs/totp/totp-enrolment.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { deleteUserAndLogins, revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import { setOwnPassword } from '../users/set-own-password.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import type { OperationTable } from './operation-table.ts';

type OwnAccountOperation = 'changePassword' | 'deleteUser' | 'globalSignOut';

/** Operations of users on their own account. */
export const ownAccountOperations: OperationTable<OwnAccountOperation> = {
  changePassword,
  deleteUser,
  globalSignOut,
};

async function deleteUser(
  ports: AccessTokenPorts & EventPorts & StorePort,
  input: Input<'DeleteUser'>,
): Promise<Output<'DeleteUser'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool, client, user } = access;
  await ports.store.write(async (transaction) => {
    await lockUserFactors(transaction, pool, user.username, ports.clock.now());
    await lockAuthorizedUser(transaction, access);
    if (!(await deleteUserAndLogins(transaction, user, ports.clock.now()))) throw userNotFoundError('invalid_token');
    await recordEvent(ports, transaction, { type: 'user.deleted', pool, clientId: client.id, user });
  });
  return {};
}

async function globalSignOut(
  ports: AccessTokenPorts & EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: Input<'GlobalSignOut'>,
): Promise<Output<'GlobalSignOut'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool, client, user } = access;
  await ports.store.write(async (transaction) => {
    await lockAuthorizedUser(transaction, access);
    await revokeLoginsOfUser(transaction, user, ports.clock.now());
    await recordEvent(ports, transaction, { type: 'login.all_ended', pool, clientId: client.id, user });
  });
  return {};
}

/**
 * Requires the current password if the user has one. A user without a password sets the first one.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ChangePassword.html
 */
async function changePassword(
  ports: OwnAccountPorts & NewPasswordPorts,
  input: Input<'ChangePassword'>,
): Promise<Output<'ChangePassword'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool, user } = access;
  const found = await findUser(ports, pool, user.username);
  if (found === undefined) throw userNotFoundError('invalid_token');
  const oldCredential = found.credential;
  const { PreviousPassword: previous } = input;
  if (oldCredential !== undefined && previous === undefined) throw missingParameterError('PreviousPassword');
  const password = createPlainPassword(ports, pool, input.ProposedPassword);
  await password.check();
  password.checkOwner(listPasswordUserNames(user));
  // For a user without a password, any current password is wrong. Otherwise it would bypass the recent login that is required instead.
  const isRight =
    oldCredential === undefined ? previous === undefined : await passwordMatches(ports, oldCredential, previous ?? '');
  await setOwnPassword(ports, access, password, { oldCredential, isRight });
  return {};
}
