import type { Input, Output } from '@poolgate/provider';
import type { StorePort } from '../../kernel/ports.ts';
import { deliverAfterCommit, requireSender } from '../../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../../messages/delivery-ports.ts';
import type { OperationTable } from '../../operation-table.ts';
import { requirePool } from '../../pools/pools.ts';
import type { SettingsPorts } from '../../pools/settings-ports.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import { type AttributeChange, adminChange } from '../attribute-changes.ts';
import { attributesFrom, checkAttributes, checkRemoval, checkRequired } from '../attributes.ts';
import { lockUser, requireUser } from '../users.ts';
import { writeAttributes } from './attribute-writes.ts';
import { sendContactCode } from './attributes.ts';

type AdminAttributeOperation = 'adminDeleteUserAttributes' | 'adminUpdateUserAttributes';

/** The operations by which administrators change attributes of a user. The caller of them was checked before. */
export const adminAttributeOperations: OperationTable<AdminAttributeOperation> = {
  adminDeleteUserAttributes: deleteAttributes,
  adminUpdateUserAttributes: updateAttributes,
};

function updateAttributes(
  ports: NotificationPorts & SettingsPorts & DeliveryPorts & StorePort,
  input: Input<'AdminUpdateUserAttributes'>,
): Promise<Output<'AdminUpdateUserAttributes'>> {
  return writeAdminChange(ports, input, (pool, { attributes }) => {
    const requested = attributesFrom(pool, input.UserAttributes);
    checkAttributes(pool, 'admin', requested, attributes);
    checkRequired(pool, { ...attributes, ...requested });
    return adminChange(pool.settings, attributes, requested);
  });
}

function deleteAttributes(
  ports: NotificationPorts & SettingsPorts & DeliveryPorts & StorePort,
  input: Input<'AdminDeleteUserAttributes'>,
): Promise<Output<'AdminDeleteUserAttributes'>> {
  const names = input.UserAttributeNames;
  return writeAdminChange(ports, input, (pool, { attributes }) => {
    checkRemoval(pool, 'admin', names, attributes);
    return adminChange(pool.settings, attributes, Object.fromEntries(names.map((name) => [name, ''])));
  });
}

async function writeAdminChange(
  ports: NotificationPorts & SettingsPorts & DeliveryPorts & StorePort,
  input: Pick<Input<'AdminUpdateUserAttributes'>, 'UserPoolId' | 'Username'>,
  changeOf: (pool: PoolRecord, user: UserRecord) => AttributeChange,
): Promise<Readonly<Record<never, never>>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user: before } = await requireUser(ports, pool, input.Username);
  const nowMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    const { user } = await lockUser(transaction, pool, before.username);
    const change = changeOf(pool, user);
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
