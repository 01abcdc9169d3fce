import { type Input, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import { releaseLockouts } from '../../factors/lockout-release.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import { sendCode } from '../../messages/send-code.ts';
import type { ExtensionTable, OperationTable } from '../../operation-table.ts';
import { recoveryAttributes, requireRecovery, verifiedContact } from '../../passwords/recovery-contact.ts';
import { notResettable, noVerifiedContact, userDisabled } from '../../passwords/reset-errors.ts';
import { requirePool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import { deleteUserAndLogins, revokeLoginsOfUser } from '../../tokens/revocations.ts';
import { askPostConfirmation } from '../ask-post-confirmation.ts';
import { displayName } from '../sign-in-names.ts';
import { claimNames, lockUser, requireUser } from '../users.ts';

type AdminAccountOperation =
  | 'adminConfirmSignUp'
  | 'adminDeleteUser'
  | 'adminDisableUser'
  | 'adminEnableUser'
  | 'adminResetUserPassword'
  | 'adminUserGlobalSignOut';

/** The operations by which administrators change what a user may do. The caller of them was checked before. */
export const adminAccountOperations: OperationTable<AdminAccountOperation> = {
  adminConfirmSignUp,
  adminDeleteUser: answering(deleteUser),
  adminDisableUser: answering(disable),
  adminEnableUser: answering(enable),
  adminResetUserPassword: answering(resetPassword),
  adminUserGlobalSignOut: answering(signOut),
};

function answering(write: AccountChange<void>) {
  return async (context: PoolRuntime, input: UserName): Promise<Record<string, never>> => {
    await changeAccount(context, input, write);
    return {};
  };
}

async function adminConfirmSignUp(
  context: PoolRuntime,
  input: Input<'AdminConfirmSignUp'>,
): Promise<Record<string, never>> {
  const { pool, user } = await changeAccount(context, input, async (transaction, account) => {
    await confirmSignUp(transaction, account);
    return account;
  });
  const confirmed = { ...user, status: 'CONFIRMED' as const };
  const about = { pool, clientId: undefined, user: confirmed, clientMetadata: input.ClientMetadata };
  await askPostConfirmation(context, { ...about, source: 'PostConfirmation_ConfirmSignUp' });
  return {};
}

/** A user as read in the write that changes it. */
interface AccountInWrite {
  readonly context: PoolRuntime;
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly nowMs: number;
}

type UserName = Pick<Input<'AdminDeleteUser'>, 'UserPoolId' | 'Username'>;
type AccountChange<Outcome> = (transaction: PoolTransaction, account: AccountInWrite) => Promise<Outcome>;

async function changeAccount<Outcome>(
  context: PoolRuntime,
  input: UserName,
  write: AccountChange<Outcome>,
): Promise<Outcome> {
  const pool = await requirePool(context, input.UserPoolId);
  const { user } = await requireUser(context, pool, input.Username);
  const nowMs = context.clock.now();
  const outcome = await context.store.write(async (transaction) => {
    const current = await lockUser(transaction, pool, user.username);
    return write(transaction, { context, pool, user: current.user, nowMs });
  });
  await deliverAfterCommit(context);
  return outcome;
}

/**
 * It proves no contact: an administrator only says that the user may come in. Where several have registered the name nobody knows whose
 * password it would be, and there is none.
 */
async function confirmSignUp(
  transaction: PoolTransaction,
  { context, pool, user, nowMs }: AccountInWrite,
): Promise<void> {
  if (user.status !== 'UNCONFIRMED') {
    throw new ProviderError('NotAuthorizedException', `User cannot be confirmed. Current status is ${user.status}`);
  }
  const registration = await transaction.registrations.byUsername(pool.id, user.username);
  if (registration?.isContested) await transaction.users.deleteProofs(pool.id, user.username);
  const confirmed = { ...user, status: 'CONFIRMED' as const };
  await transaction.users.update(pool.id, user.username, { status: confirmed.status, modifiedAtMs: nowMs });
  await transaction.codes.delete(pool.id, user.username, 'sign_up');
  await claimNames(transaction, pool, confirmed, ['preferred_username']);
  await recordEvent(context, transaction, { type: 'user.confirmed', pool, user });
}

async function deleteUser(transaction: PoolTransaction, { context, pool, user, nowMs }: AccountInWrite): Promise<void> {
  await deleteUserAndLogins(transaction, user, nowMs);
  await recordEvent(context, transaction, { type: 'user.deleted', pool, user });
}

async function disable(transaction: PoolTransaction, { context, pool, user, nowMs }: AccountInWrite): Promise<void> {
  await transaction.users.update(pool.id, user.username, { enabled: false, modifiedAtMs: nowMs });
  await revokeLoginsOfUser(transaction, user, nowMs);
  await recordEvent(context, transaction, { type: 'user.disabled', pool, user });
}

/** What was ended when the user was disabled stays ended; what waits after many wrong codes does not wait any more. */
async function enable(transaction: PoolTransaction, { context, pool, user, nowMs }: AccountInWrite): Promise<void> {
  await transaction.users.update(pool.id, user.username, { enabled: true, modifiedAtMs: nowMs });
  await releaseLockouts(context, transaction, pool, user.username);
  await recordEvent(context, transaction, { type: 'user.enabled', pool, user });
}

async function signOut(transaction: PoolTransaction, { context, pool, user, nowMs }: AccountInWrite): Promise<void> {
  await revokeLoginsOfUser(transaction, user, nowMs);
  await recordEvent(context, transaction, { type: 'login.all_ended', pool, user });
}

/** States in which there is no password that could be reset, or none of the user's own. */
const NOTHING_TO_RESET: ReadonlySet<UserRecord['status']> = new Set(['FORCE_CHANGE_PASSWORD', 'UNCONFIRMED']);

/** As Cognito: whoever could not go on by a code is left as before. */
async function resetPassword(transaction: PoolTransaction, account: AccountInWrite): Promise<void> {
  const { context, pool, user } = account;
  const wanted = requireRecovery(context, pool.settings);
  if (!user.enabled) throw userDisabled();
  if (NOTHING_TO_RESET.has(user.status)) throw notResettable();
  if (verifiedContact(user.attributes, wanted) === undefined) throw noVerifiedContact();
  await forceReset(transaction, account);
}

/**
 * From any state: the password leads nowhere until it is replaced. Where the user has a verified contact, a code goes there;
 * where none can be sent, or too many were, the user is reset all the same.
 * @returns whether a code was sent
 */
async function forceReset(
  transaction: PoolTransaction,
  { context, pool, user, nowMs }: AccountInWrite,
): Promise<boolean> {
  const { username } = user;
  await transaction.users.update(pool.id, username, { status: 'RESET_REQUIRED', modifiedAtMs: nowMs });
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.devices.forgetTrust(pool.id, username, nowMs);
  await releaseLockouts(context, transaction, pool, username);
  await recordEvent(context, transaction, { type: 'password.reset_requested', pool, user });
  const contact = verifiedContact(user.attributes, recoveryAttributes(context, pool.settings));
  if (contact === undefined) return false;
  const { locale } = user.attributes;
  const message = {
    username,
    shownName: displayName(pool.settings, user),
    locale,
    limitedAs: 'reset_by_administrator',
  } as const;
  const refusal = await sendCode(context, transaction, pool, { purpose: 'forgot_password', contact, ...message });
  return refusal === undefined;
}

/** Orders a reset from any state. */
export const forcedResetExtensions: ExtensionTable<'force_password_reset'> = {
  async force_password_reset(context, input) {
    const CodeSent = await changeAccount(context, input, forceReset);
    return { CodeSent };
  },
};
