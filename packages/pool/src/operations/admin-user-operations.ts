import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { chooseInvitedContacts, queueInvitation } from '../delivery/invitation.ts';
import { queueNotice } from '../delivery/notices.ts';
import {
  checkAttributes,
  checkRequiredAttributes,
  parseAttributes,
  removeEmptyAttributes,
  toAttributeList,
} from '../identity/attributes.ts';
import { toCognitoUserFields } from '../identity/cognito-user.ts';
import { type Contact, listContacts } from '../identity/contacts.ts';
import { claimSignInNames, insertUser, lockUser, releaseAliases, requireUser } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { StorePort, StoreReads } from '../kernel/ports.ts';
import { canLoginByCode } from '../proofs/first-factors.ts';
import { releaseLockouts } from '../proofs/lockouts/lockout-release.ts';
import { createPlainPassword, listPasswordUserNames } from '../proofs/passwords/new-password.ts';
import {
  computeTemporaryPasswordExpiryMs,
  createCredential,
  replacePassword,
} from '../proofs/passwords/password-credentials.ts';
import type { NewCredentialPorts, NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import { temporaryPassword } from '../proofs/passwords/temporary-password.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import { toCognitoMfaFields } from '../settings/second-factors.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord, PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { createUserIdentity, createUserRecord } from '../users/create-user-record.ts';
import { invokePreSignUp } from '../users/pre-sign-up-trigger.ts';
import { refuseProviderNames } from '../users/provider-usernames.ts';
import type { AdminAccountPorts } from './account-ports.ts';
import type { OperationTable } from './operation-table.ts';

type AdminUserOperation = 'adminCreateUser' | 'adminSetUserPassword' | 'adminGetUser';

/** Operations with which administrators manage users. The caller was already authorized. */
export const adminUserOperations: OperationTable<AdminUserOperation> = {
  adminCreateUser,
  adminSetUserPassword,
  adminGetUser,
};

async function adminCreateUser(
  ports: AdminAccountPorts & NewPasswordPorts & TriggerPorts,
  input: Input<'AdminCreateUser'>,
): Promise<Output<'AdminCreateUser'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const given = input.TemporaryPassword;
  if (given) await createPlainPassword(ports, pool, given).check();
  const user =
    input.MessageAction === 'RESEND' ? await renewInvitation(ports, pool, input) : await createUser(ports, pool, input);
  await deliverAfterCommit(ports);
  return { User: { ...toCognitoUserFields(user), Attributes: toAttributeList(user) } };
}

async function createUser(
  ports: NotificationPorts & TriggerPorts & NewCredentialPorts & SettingsCachePort & StorePort,
  pool: PoolRecord,
  input: Input<'AdminCreateUser'>,
): Promise<UserRecord> {
  const typed = parseAttributes(pool, input.UserAttributes);
  checkAttributes(pool, 'admin', typed);
  const identity = createUserIdentity(ports, pool, input.Username, removeEmptyAttributes(typed));
  await refuseProviderNames(ports, pool, identity);
  checkRequiredAttributes(pool, identity.attributes);
  await invokePreSignUp(ports, {
    pool,
    clientId: undefined,
    source: 'PreSignUp_AdminCreateUser',
    username: identity.username,
    attributes: identity.attributes,
    validationData: input.ValidationData,
    clientMetadata: input.ClientMetadata,
  });
  const contacts = chooseInvitedContacts(ports, identity, input);
  const hasNone = isPasswordless(pool, identity, contacts, input);
  const user = createUserRecord(ports, pool, identity, hasNone ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD');
  const invitation = hasNone ? undefined : await createInvitation(ports, { pool, user, contacts, input });
  try {
    await ports.store.write(async (transaction) => {
      if (input.ForceAliasCreation) await releaseAliases(ports, transaction, pool, user, user.createdAtMs);
      await insertUser(transaction, pool, user, input.Username);
      if (invitation) await transaction.credentials.put(invitation.credential);
      await recordEvent(ports, transaction, { type: 'user.created', pool, user });
      if (invitation) await queueInvitation(ports, transaction, pool, invitation.message);
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw new ProviderError('UsernameExistsException', 'User account already exists', { cause });
  }
  return user;
}

interface InvitedUser {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly contacts: readonly Contact[];
  readonly input: Input<'AdminCreateUser'>;
}

/** Creates the temporary password of an invitation, or takes the given one, with the functions that set and send it. */
async function createInvitation(ports: NewCredentialPorts, { pool, user, contacts, input }: InvitedUser) {
  const password = input.TemporaryPassword || temporaryPassword(ports.random, pool.settings.passwordPolicy);
  const untilMs = computeTemporaryPasswordExpiryMs(ports, pool);
  return {
    credential: await createCredential(ports, pool, user.username, password, untilMs),
    message: { user, contacts, typedName: input.Username, password, untilMs },
  };
}

/**
 * A password that no one would learn is not created if the user can log in with a code. Such a user has none, as in Cognito. A password
 * that is known, from the request or an invitation, must be changed at first login.
 */
function isPasswordless(
  { settings }: PoolRecord,
  { attributes }: Pick<UserRecord, 'attributes'>,
  contacts: readonly Contact[],
  { TemporaryPassword }: Input<'AdminCreateUser'>,
): boolean {
  if (TemporaryPassword || contacts.length > 0) return false;
  return listContacts(attributes).some(({ channel }) => canLoginByCode(settings, channel));
}

/** Only an invited user who never logged in can be invited again. The password of the first invitation becomes invalid. */
async function renewInvitation(
  ports: NotificationPorts & NewCredentialPorts & StorePort,
  pool: PoolRecord,
  input: Input<'AdminCreateUser'>,
): Promise<UserRecord> {
  const { user } = await requireUser(ports, pool, input.Username);
  if (user.status !== 'FORCE_CHANGE_PASSWORD') {
    throw new ProviderError(
      'UnsupportedUserStateException',
      'Resend not possible. The status of the user is not FORCE_CHANGE_PASSWORD',
    );
  }
  const contacts = chooseInvitedContacts(ports, user, input);
  const { credential, message } = await createInvitation(ports, { pool, user, contacts, input });
  const modifiedAtMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    await replacePassword(transaction, credential, modifiedAtMs);
    await transaction.users.update(pool.id, user.username, { modifiedAtMs });
    const details = { how: 'invitation' };
    await recordEvent(ports, transaction, { type: 'password.changed', pool, user, details });
    await queueInvitation(ports, transaction, pool, message);
  });
  return { ...user, modifiedAtMs };
}

async function adminSetUserPassword(
  ports: AdminAccountPorts & NewPasswordPorts,
  input: Input<'AdminSetUserPassword'>,
): Promise<Output<'AdminSetUserPassword'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  const password = createPlainPassword(ports, pool, input.Password);
  await password.check();
  password.checkOwner(listPasswordUserNames(user));
  const credential = await password.createCredential(
    user.username,
    input.Permanent ? null : computeTemporaryPasswordExpiryMs(ports, pool),
  );
  await ports.store.write(async (transaction) => {
    const current = await lockUser(transaction, pool, user.username);
    await writeUserPassword(ports, transaction, pool, current, credential);
  });
  await deliverAfterCommit(ports);
  return {};
}

/** A password that an administrator sets ends the logins of the old one. A user who had no own password yet gets no notice. */
async function writeUserPassword(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { user, credential: before }: UserWithCredential,
  credential: CredentialRecord,
): Promise<void> {
  const { username } = user;
  const isTemporary = credential.temporaryUntilMs !== null;
  const status = isTemporary ? 'FORCE_CHANGE_PASSWORD' : 'CONFIRMED';
  const modifiedAtMs = ports.clock.now();
  await replacePassword(transaction, credential, modifiedAtMs);
  await revokeLoginsOfUser(transaction, user, modifiedAtMs);
  await transaction.users.update(pool.id, username, { status, modifiedAtMs });
  await releaseLockouts(ports, transaction, pool, username);
  if (user.status === 'UNCONFIRMED')
    await claimSignInNames(transaction, pool, { ...user, status }, ['preferred_username']);
  const details = { how: isTemporary ? 'administrator_temporary' : 'administrator' };
  await recordEvent(ports, transaction, { type: 'password.changed', pool, user, details });
  const hadOwn = before !== undefined && user.status !== 'FORCE_CHANGE_PASSWORD';
  if (hadOwn) await queueNotice(ports, transaction, pool, user, 'password_changed');
}

async function adminGetUser(
  ports: SettingsCachePort & StoreReads<'pools' | 'users'>,
  input: Input<'AdminGetUser'>,
): Promise<Output<'AdminGetUser'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  return { ...toCognitoUserFields(user), UserAttributes: toAttributeList(user), ...toCognitoMfaFields(user) };
}
