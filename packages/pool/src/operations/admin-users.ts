import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { attributeList, attributesFrom, checkAttributes, checkRequired, withoutEmpty } from '../domain/attributes.ts';
import { contactsOf } from '../domain/contacts.ts';
import { mfaFacts } from '../domain/mfa-settings.ts';
import { newIdentity, newUser } from '../domain/new-user.ts';
import { checkPolicy, makeCredential, replacePassword, temporaryUntilMs } from '../domain/passwords.ts';
import { poolOf } from '../domain/pools.ts';
import { temporaryPassword } from '../domain/temporary-password.ts';
import { insertUser, releaseAliases, renewNames, requireUser } from '../domain/users.ts';
import { recordEvent } from '../events.ts';
import { afterCommit } from '../messages/deliver.ts';
import { invite, invitedContacts } from '../messages/invitation.ts';
import { noticeOwner } from '../messages/notices.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

type AdminUserOperation = 'adminCreateUser' | 'adminSetUserPassword' | 'adminGetUser';

/** The operations by which administrators keep users. Who calls them was checked at the door. */
export function adminUserOperations(context: PoolRuntime): Pick<ProviderOperations, AdminUserOperation> {
  return {
    adminCreateUser: (input, call) => adminCreateUser(duringCall(context, call), input),
    adminSetUserPassword: (input, call) => adminSetUserPassword(duringCall(context, call), input),
    adminGetUser: (input) => adminGetUser(context, input),
  };
}

async function adminCreateUser(
  context: PoolRuntime,
  input: Input<'AdminCreateUser'>,
): Promise<Output<'AdminCreateUser'>> {
  const pool = await poolOf(context, input.UserPoolId);
  const { passwordPolicy } = pool.settings;
  const password = input.TemporaryPassword ?? temporaryPassword(context.random, passwordPolicy);
  checkPolicy(passwordPolicy, password);
  const user =
    input.MessageAction === 'RESEND'
      ? await renewInvitation(context, pool, input, password)
      : await createUser(context, pool, input, password);
  await afterCommit(context);
  return { User: { ...userFacts(user), Attributes: attributeList(user) } };
}

async function createUser(
  context: PoolRuntime,
  pool: PoolRecord,
  input: Input<'AdminCreateUser'>,
  password: string,
): Promise<UserRecord> {
  const typed = attributesFrom(input.UserAttributes);
  checkAttributes(pool, 'admin', typed);
  const identity = newIdentity(context, pool, input.Username, withoutEmpty(typed));
  checkRequired(pool, identity.attributes);
  const attributes = withVerification(identity.attributes);
  const user = newUser(context, pool, { ...identity, attributes }, 'FORCE_CHANGE_PASSWORD');
  const contacts = invitedContacts(context, user, input);
  const untilMs = temporaryUntilMs(context, pool);
  const credential = makeCredential(context, pool, user.username, password, untilMs);
  try {
    await context.store.write(async (transaction) => {
      if (input.ForceAliasCreation) await releaseAliases(transaction, pool, user, user.createdAtMs);
      await insertUser(transaction, pool, user, input.Username);
      await transaction.putCredential(credential);
      await recordEvent(context, transaction, { type: 'user.created', pool, user });
      await invite(context, transaction, pool, { user, contacts, typedName: input.Username, password, untilMs });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw new ProviderError('UsernameExistsException', 'User account already exists', { cause });
  }
  return user;
}

/** An address that an administrator gives counts as verified unless said otherwise; a telephone number does not. */
const VERIFIED_BY_ADMIN: Readonly<Record<'email' | 'phone_number', string>> = { email: 'true', phone_number: 'false' };

function withVerification(attributes: UserRecord['attributes']): UserRecord['attributes'] {
  const defaults = contactsOf(attributes).map(({ attribute }) => [
    `${attribute}_verified`,
    VERIFIED_BY_ADMIN[attribute],
  ]);
  return { ...Object.fromEntries(defaults), ...attributes };
}

/** Only who was invited and never came can be invited again; the password of the first invitation ends. */
async function renewInvitation(
  context: PoolRuntime,
  pool: PoolRecord,
  input: Input<'AdminCreateUser'>,
  password: string,
): Promise<UserRecord> {
  const { user } = await requireUser(context, pool, input.Username);
  if (user.status !== 'FORCE_CHANGE_PASSWORD') {
    throw new ProviderError(
      'UnsupportedUserStateException',
      'Resend not possible. The status of the user is not FORCE_CHANGE_PASSWORD',
    );
  }
  const contacts = invitedContacts(context, user, input);
  const untilMs = temporaryUntilMs(context, pool);
  const credential = makeCredential(context, pool, user.username, password, untilMs);
  const modifiedAtMs = context.clock.now();
  await context.store.write(async (transaction) => {
    await replacePassword(transaction, credential, modifiedAtMs);
    await transaction.updateUser(pool.id, user.username, { modifiedAtMs });
    const details = { how: 'invitation' };
    await recordEvent(context, transaction, { type: 'password.changed', pool, user, details });
    await invite(context, transaction, pool, { user, contacts, typedName: input.Username, password, untilMs });
  });
  return { ...user, modifiedAtMs };
}

async function adminSetUserPassword(
  context: PoolRuntime,
  input: Input<'AdminSetUserPassword'>,
): Promise<Output<'AdminSetUserPassword'>> {
  const pool = await poolOf(context, input.UserPoolId);
  const { user } = await requireUser(context, pool, input.Username);
  checkPolicy(pool.settings.passwordPolicy, input.Password);
  const untilMs = input.Permanent ? null : temporaryUntilMs(context, pool);
  const credential = makeCredential(context, pool, user.username, input.Password, untilMs);
  const status = input.Permanent ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
  const modifiedAtMs = context.clock.now();
  await context.store.write(async (transaction) => {
    await replacePassword(transaction, credential, modifiedAtMs);
    await transaction.updateUser(pool.id, user.username, { status, modifiedAtMs });
    const details = { how: input.Permanent ? 'administrator' : 'administrator_temporary' };
    await recordEvent(context, transaction, { type: 'password.changed', pool, user, details });
    await transaction.revokeLoginsOf(pool.id, user.username, modifiedAtMs);
    await noticeOwner(context, transaction, pool, user, 'password_changed');
    if (user.status === 'UNCONFIRMED') await renewNames(transaction, pool, { ...user, status });
  });
  await afterCommit(context);
  return {};
}

async function adminGetUser(context: PoolRuntime, input: Input<'AdminGetUser'>): Promise<Output<'AdminGetUser'>> {
  const pool = await poolOf(context, input.UserPoolId);
  const { user } = await requireUser(context, pool, input.Username);
  return { ...userFacts(user), UserAttributes: attributeList(user), ...mfaFacts(user) };
}

/** What both shapes of a user have in common. */
function userFacts(user: UserRecord) {
  return {
    Username: user.username,
    UserCreateDate: user.createdAtMs / 1000,
    UserLastModifiedDate: user.modifiedAtMs / 1000,
    Enabled: user.enabled,
    UserStatus: user.status,
  };
}
