import type { Input, Output } from '@poolgate/provider';
import { deliverAfterCommit, requireSender } from '../delivery/deliver-after-commit.ts';
import { checkAttributes, checkRemoval, checkRequiredAttributes, parseAttributes } from '../identity/attributes.ts';
import { lockUser, requireUser } from '../identity/user-records.ts';
import { listCachedProviders } from '../settings/identity-providers.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type AttributeChange, computeAdminAttributeChange } from '../users/attribute-changes.ts';
import { checkProviderNames } from '../users/provider-usernames.ts';
import type { AdminAccountPorts } from './account-ports.ts';
import type { OperationTable } from './operation-table.ts';
import { sendContactCode } from './user-attribute-operations.ts';
import { writeAttributes } from './write-user-attributes.ts';

type AdminAttributeOperation = 'adminDeleteUserAttributes' | 'adminUpdateUserAttributes';

/** Operations with which administrators change a user's attributes. The caller was already authorized. */
export const adminAttributeOperations: OperationTable<AdminAttributeOperation> = {
  adminDeleteUserAttributes: deleteAttributes,
  adminUpdateUserAttributes: updateAttributes,
};

async function updateAttributes(
  ports: AdminAccountPorts,
  input: Input<'AdminUpdateUserAttributes'>,
): Promise<Output<'AdminUpdateUserAttributes'>> {
  const providers = await listCachedProviders(ports, { id: input.UserPoolId });
  return writeAdminAttributeChange(ports, input, (pool, { attributes }) => {
    const requested = parseAttributes(pool, input.UserAttributes);
    checkAttributes(pool, 'admin', requested, attributes);
    checkProviderNames(providers, pool, { attributes: requested });
    checkRequiredAttributes(pool, { ...attributes, ...requested });
    return computeAdminAttributeChange(pool.settings, attributes, requested);
  });
}

function deleteAttributes(
  ports: AdminAccountPorts,
  input: Input<'AdminDeleteUserAttributes'>,
): Promise<Output<'AdminDeleteUserAttributes'>> {
  const names = input.UserAttributeNames;
  return writeAdminAttributeChange(ports, input, (pool, { attributes }) => {
    checkRemoval(pool, 'admin', names, attributes);
    return computeAdminAttributeChange(pool.settings, attributes, Object.fromEntries(names.map((name) => [name, ''])));
  });
}

async function writeAdminAttributeChange(
  ports: AdminAccountPorts,
  input: Pick<Input<'AdminUpdateUserAttributes'>, 'UserPoolId' | 'Username'>,
  computeChange: (pool: PoolRecord, user: UserRecord) => AttributeChange,
): Promise<Readonly<Record<never, never>>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user: before } = await requireUser(ports, pool, input.Username);
  const nowMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    const { user } = await lockUser(transaction, pool, before.username);
    const change = computeChange(pool, user);
    for (const { channel } of change.contactsToVerify) requireSender(ports, channel);
    await writeAttributes(ports, transaction, { pool, user, change, isReversible: false, nowMs });
    const changed = { ...user, attributes: change.attributes };
    const about = {
      limitedAs: 'verification_by_administrator',
      source: 'CustomMessage_UpdateUserAttribute',
    } as const;
    for (const contact of change.contactsToVerify) {
      await sendContactCode(ports, transaction, pool, changed, contact, about);
    }
  });
  await deliverAfterCommit(ports);
  return {};
}
