import { type Input, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { claimSignInNames, lockUser, requireUser } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { Transaction } from '../kernel/ports.ts';
import { sendCode } from '../proofs/codes/send-code.ts';
import { releaseLockouts } from '../proofs/lockouts/lockout-release.ts';
import {
  noVerifiedContactError,
  passwordNotResettableError,
  userDisabledError,
} from '../recovery/password-reset-errors.ts';
import {
  findVerifiedRecoveryContact,
  listRecoveryAttributes,
  requireRecoveryAttributes,
} from '../recovery/recovery-contact.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import { chooseDisplayName } from '../settings/sign-in-names.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { deleteUserAndLogins, revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { invokePostConfirmation } from '../users/post-confirmation-trigger.ts';
import type { AdminAccountPorts } from './account-ports.ts';
import type { ExtensionTable, OperationTable } from './operation-table.ts';

type AdminAccountOperation =
  | 'adminConfirmSignUp'
  | 'adminDeleteUser'
  | 'adminDisableUser'
  | 'adminEnableUser'
  | 'adminResetUserPassword'
  | 'adminUserGlobalSignOut';

/** Operations with which administrators change what a user may do. The caller was already authorized. */
export const adminAccountOperations: OperationTable<AdminAccountOperation> = {
  adminConfirmSignUp,
  adminDeleteUser: createAccountOperation(deleteUser),
  adminDisableUser: createAccountOperation(disableUser),
  adminEnableUser: createAccountOperation(enableUser),
  adminResetUserPassword: createAccountOperation(resetPassword),
  adminUserGlobalSignOut: createAccountOperation(signOutUser),
};

function createAccountOperation(write: AccountChange<void>) {
  return async (ports: AdminAccountPorts, input: UserReference): Promise<Record<string, never>> => {
    await changeAccount(ports, input, write);
    return {};
  };
}

async function adminConfirmSignUp(
  ports: AdminAccountPorts & TriggerPorts,
  input: Input<'AdminConfirmSignUp'>,
): Promise<Record<string, never>> {
  const { pool, user } = await changeAccount(ports, input, async (transaction, account) => {
    await confirmSignUp(transaction, account);
    return account;
  });
  const confirmed = { ...user, status: 'CONFIRMED' as const };
  const about = { pool, clientId: undefined, user: confirmed, clientMetadata: input.ClientMetadata };
  await invokePostConfirmation(ports, { ...about, source: 'PostConfirmation_ConfirmSignUp' });
  return {};
}

/** A user as read in the write that changes it. */
interface LockedAccount {
  readonly ports: NotificationPorts;
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly nowMs: number;
}

type UserReference = Pick<Input<'AdminDeleteUser'>, 'UserPoolId' | 'Username'>;
type AccountChange<Outcome> = (transaction: PoolTransaction, account: LockedAccount) => Promise<Outcome>;

async function changeAccount<Outcome>(
  ports: AdminAccountPorts,
  input: UserReference,
  write: AccountChange<Outcome>,
): Promise<Outcome> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  const nowMs = ports.clock.now();
  const outcome = await ports.store.write(async (transaction) => {
    const current = await lockUser(transaction, pool, user.username);
    return write(transaction, { ports, pool, user: current.user, nowMs });
  });
  await deliverAfterCommit(ports);
  return outcome;
}

/**
 * It verifies no contact: an administrator only admits the user. If several people registered the name, the owner of the password is
 * unknown, so the user gets none.
 */
async function confirmSignUp(
  transaction: Transaction<'codes' | 'events' | 'registrations' | 'users'>,
  { ports, pool, user, nowMs }: LockedAccount,
): Promise<void> {
  if (user.status !== 'UNCONFIRMED') {
    throw new ProviderError('NotAuthorizedException', `User cannot be confirmed. Current status is ${user.status}`);
  }
  const registration = await transaction.registrations.byUsername(pool.id, user.username);
  if (registration?.isContested) await transaction.users.deleteProofs(pool.id, user.username);
  const confirmed = { ...user, status: 'CONFIRMED' as const };
  await transaction.users.update(pool.id, user.username, { status: confirmed.status, modifiedAtMs: nowMs });
  await transaction.codes.delete(pool.id, user.username, 'sign_up');
  await claimSignInNames(transaction, pool, confirmed, ['preferred_username']);
  await recordEvent(ports, transaction, { type: 'user.confirmed', pool, user });
}

async function deleteUser(
  transaction: Transaction<'events' | 'localUsers' | 'logins' | 'revocations' | 'users'>,
  { ports, pool, user, nowMs }: LockedAccount,
): Promise<void> {
  await deleteUserAndLogins(transaction, user, nowMs);
  await recordEvent(ports, transaction, { type: 'user.deleted', pool, user });
}

async function disableUser(
  transaction: Transaction<'events' | 'logins' | 'revocations' | 'users'>,
  { ports, pool, user, nowMs }: LockedAccount,
): Promise<void> {
  await transaction.users.update(pool.id, user.username, { enabled: false, modifiedAtMs: nowMs });
  await revokeLoginsOfUser(transaction, user, nowMs);
  await recordEvent(ports, transaction, { type: 'user.disabled', pool, user });
}

/**
 * Enables a user. Logins that ended when the user was disabled stay ended. A requested deletion is canceled, and lockouts after wrong
 * guesses are lifted.
 */
async function enableUser(
  transaction: Transaction<'events' | 'lockouts' | 'users'>,
  { ports, pool, user, nowMs }: LockedAccount,
): Promise<void> {
  await transaction.users.update(pool.id, user.username, { enabled: true, deletionAtMs: null, modifiedAtMs: nowMs });
  await releaseLockouts(ports, transaction, pool, user.username);
  await recordEvent(ports, transaction, { type: 'user.enabled', pool, user });
}

async function signOutUser(
  transaction: Transaction<'events' | 'logins' | 'revocations'>,
  { ports, pool, user, nowMs }: LockedAccount,
): Promise<void> {
  await revokeLoginsOfUser(transaction, user, nowMs);
  await recordEvent(ports, transaction, { type: 'login.all_ended', pool, user });
}

/** States in which the user has no password to reset, or has not chosen one yet. */
const NOTHING_TO_RESET: ReadonlySet<UserRecord['status']> = new Set([
  'EXTERNAL_PROVIDER',
  'FORCE_CHANGE_PASSWORD',
  'UNCONFIRMED',
]);

/** As in Cognito, nothing changes for a user who cannot receive a code. */
async function resetPassword(transaction: PoolTransaction, account: LockedAccount): Promise<void> {
  const { ports, pool, user } = account;
  const wanted = requireRecoveryAttributes(ports, pool.settings);
  if (!user.enabled) throw userDisabledError();
  if (NOTHING_TO_RESET.has(user.status)) throw passwordNotResettableError();
  if (findVerifiedRecoveryContact(user.attributes, wanted) === undefined) throw noVerifiedContactError();
  await forcePasswordReset(transaction, account);
}

/**
 * Works in any state: the password is unusable until it is replaced. A code is sent to a verified contact, if any. Without such a contact,
 * or over the limit, the password is still reset.
 * @returns whether a code was sent
 */
async function forcePasswordReset(
  transaction: PoolTransaction,
  { ports, pool, user, nowMs }: LockedAccount,
): Promise<boolean> {
  // A user who signs in with another provider must not get a password through a code.
  if (user.status === 'EXTERNAL_PROVIDER') throw passwordNotResettableError();
  const { username } = user;
  await transaction.users.update(pool.id, username, { status: 'RESET_REQUIRED', modifiedAtMs: nowMs });
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.devices.forgetTrust(pool.id, username, nowMs);
  await releaseLockouts(ports, transaction, pool, username);
  await recordEvent(ports, transaction, { type: 'password.reset_requested', pool, user });
  const contact = findVerifiedRecoveryContact(user.attributes, listRecoveryAttributes(ports, pool.settings));
  if (contact === undefined) return false;
  const { locale } = user.attributes;
  const message = {
    username,
    shownName: chooseDisplayName(pool.settings, user),
    locale,
    limitedAs: 'reset_by_administrator',
  } as const;
  const refusal = await sendCode(ports, transaction, pool, { purpose: 'forgot_password', contact, ...message });
  return refusal === undefined;
}

/** Requires a password reset in any state. */
export const forcePasswordResetExtensions: ExtensionTable<'force_password_reset'> = {
  async force_password_reset(ports, input) {
    const CodeSent = await changeAccount(ports, input, forcePasswordReset);
    return { CodeSent };
  },
};
