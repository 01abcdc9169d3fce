import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { ALREADY_IN_USE, linkIdentity } from '../federation/link-identity.ts';
import {
  countUsableIdentities,
  SUBJECT_ATTRIBUTE,
  updateIdentitiesAttribute,
} from '../identity/federated-identities.ts';
import { lockUser, requireUser, userNotFoundError } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StorePort, StoreReads } from '../kernel/ports.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { FederatedIdentityKey } from '../store/federated-identity-repository.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { OperationTable } from './operation-table.ts';

type LinkOperation = 'adminDisableProviderForUser' | 'adminLinkProviderForUser';
type LinkPorts = EventPorts & SettingsPorts & StorePort;
type ProviderUser = Input<'AdminLinkProviderForUser'>['SourceUser'];

/** With this limit, the value fits into an index key together with the other columns. */
const MAX_VALUE_BYTES = 2_048;

/** The operations that link users with accounts at other identity providers. Their caller is already authorized. */
export const providerLinkOperations: OperationTable<LinkOperation> = {
  adminDisableProviderForUser,
  adminLinkProviderForUser,
};

async function adminLinkProviderForUser(
  ports: LinkPorts,
  { UserPoolId, DestinationUser, SourceUser }: Input<'AdminLinkProviderForUser'>,
): Promise<Output<'AdminLinkProviderForUser'>> {
  const pool = await requirePool(ports, UserPoolId);
  const username = await findDestination(ports, pool, DestinationUser);
  const key = parseSource(pool, SourceUser);
  try {
    await ports.store.write(async (transaction) => {
      const { user } = await lockUser(transaction, pool, username);
      await linkIdentity(ports, transaction, { pool, user, key });
    });
  } catch (cause) {
    // The account was linked, or signed in for the first time, at the same time.
    throw isConflictError(cause) ? invalidParameterError(ALREADY_IN_USE) : cause;
  }
  return {};
}

/** Returns the username of a user of the pool, or of the user of an account at a provider. */
async function findDestination(
  ports: StoreReads<'federatedIdentities' | 'users'>,
  pool: PoolRecord,
  { ProviderName = 'Cognito', ProviderAttributeValue = '' }: ProviderUser,
): Promise<string> {
  if (isLocal(ProviderName)) return (await requireUser(ports, pool, ProviderAttributeValue)).user.username;
  const key = { providerName: ProviderName, attribute: SUBJECT_ATTRIBUTE, value: ProviderAttributeValue };
  checkKey(pool, key, 'DestinationUser');
  const identity = await ports.store.federatedIdentities.byKey(pool.id, key);
  if (identity === undefined) throw userNotFoundError();
  return identity.username;
}

const isLocal = (providerName: string): boolean => providerName.toUpperCase() === 'COGNITO';

function parseSource(pool: PoolRecord, source: ProviderUser): FederatedIdentityKey {
  const {
    ProviderName: providerName = '',
    ProviderAttributeName: attribute = '',
    ProviderAttributeValue: value = '',
  } = source;
  if (providerName === '' || attribute === '' || value === '') {
    throw invalidParameterError(
      'ProviderName, ProviderAttributeName and ProviderAttributeValue of SourceUser are required.',
    );
  }
  if (isLocal(providerName)) {
    throw invalidParameterError(
      'Invalid SourceUser: Cognito users with a username/password may not be passed in as a SourceUser, only as a DestinationUser',
    );
  }
  const key = { providerName, attribute, value };
  checkKey(pool, key, 'SourceUser');
  return key;
}

function checkKey(pool: PoolRecord, { providerName, attribute, value }: FederatedIdentityKey, member: string): void {
  const members = { ProviderName: providerName, ProviderAttributeName: attribute, ProviderAttributeValue: value };
  const wrong = Object.entries(members).find(([, text]) => !isStorable(text));
  if (wrong === undefined) return;
  throw invalidParameterError(`${wrong[0]} of ${member} is not valid in user pool ${pool.id}.`);
}

function isStorable(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_VALUE_BYTES && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

async function adminDisableProviderForUser(
  ports: LinkPorts,
  { UserPoolId, User }: Input<'AdminDisableProviderForUser'>,
): Promise<Output<'AdminDisableProviderForUser'>> {
  const pool = await requirePool(ports, UserPoolId);
  const { ProviderName = 'Cognito', ProviderAttributeName = SUBJECT_ATTRIBUTE, ProviderAttributeValue = '' } = User;
  if (isLocal(ProviderName)) await disablePassword(ports, pool, ProviderAttributeValue);
  else {
    const key = { providerName: ProviderName, attribute: ProviderAttributeName, value: ProviderAttributeValue };
    checkKey(pool, key, 'User');
    await unlinkIdentity(ports, pool, key);
  }
  return {};
}

/** From then on, the user signs in only with a linked identity. */
async function disablePassword(ports: LinkPorts, pool: PoolRecord, typed: string): Promise<void> {
  const { user: found } = await requireUser(ports, pool, typed);
  await ports.store.write(async (transaction) => {
    const nowMs = ports.clock.now();
    const { user } = await lockUser(transaction, pool, found.username);
    if ((await countUsableIdentities(transaction, pool, user.username)) === 0) {
      throw invalidParameterError('User has no linked identity to sign in with. Disable the user instead.');
    }
    await transaction.users.deleteProofs(pool.id, user.username);
    await transaction.users.update(pool.id, user.username, { status: 'EXTERNAL_PROVIDER', modifiedAtMs: nowMs });
    await transaction.users.replaceNames(pool.id, user.username, [...new Set([user.username, user.sub])]);
    await revokeLoginsOfUser(transaction, user, nowMs);
    const details = { attributes: 'password', identity_provider: 'Cognito' };
    await recordEvent(ports, transaction, { type: 'user.updated', pool, user, details });
  });
}

async function unlinkIdentity(ports: LinkPorts, pool: PoolRecord, key: FederatedIdentityKey): Promise<void> {
  const found = await ports.store.federatedIdentities.byKey(pool.id, key);
  if (found === undefined) throw userNotFoundError();
  await ports.store.write(async (transaction) => {
    const nowMs = ports.clock.now();
    const { user } = await lockUser(transaction, pool, found.username);
    await deleteLink(transaction, pool, user, key);
    await updateIdentitiesAttribute(transaction, pool, user, nowMs);
    // Logins do not record how they began, so those through the identity cannot be distinguished from the others.
    await revokeLoginsOfUser(transaction, user, nowMs);
    const details = { attributes: 'identities', identity_provider: key.providerName };
    await recordEvent(ports, transaction, { type: 'user.updated', pool, user, details });
  });
}

/** Deletes a link of the locked user, unless the user could not sign in without it. */
async function deleteLink(
  transaction: PoolTransaction,
  pool: PoolRecord,
  { username, status }: UserRecord,
  key: FederatedIdentityKey,
): Promise<void> {
  const identity = await transaction.federatedIdentities.byKey(pool.id, key);
  if (identity?.username !== username) throw userNotFoundError();
  if (identity.isPrimary) {
    throw invalidParameterError('User was created from this identity. Disable or delete the user instead.');
  }
  await transaction.federatedIdentities.delete(pool.id, key);
  if (status !== 'EXTERNAL_PROVIDER' || (await countUsableIdentities(transaction, pool, username)) > 0) return;
  throw invalidParameterError('User has no other linked identity to sign in with. Disable or delete the user instead.');
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
