import type { Input, Output, ProviderOperations } from '@poolgate/provider';
import { type AttributeChange, adminChange } from '../domain/attribute-changes.ts';
import { attributesFrom, checkAttributes, checkRemoval, checkRequired } from '../domain/attributes.ts';
import { poolOf } from '../domain/pools.ts';
import { claimUser, requireUser } from '../domain/users.ts';
import { afterCommit, requireSender } from '../messages/deliver.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { writeAttributes } from './attribute-writes.ts';
import { prove } from './attributes.ts';

type AdminAttributeOperation = 'adminDeleteUserAttributes' | 'adminUpdateUserAttributes';

/** The operations by which administrators change attributes of a user. Who calls them was checked at the door. */
export function adminAttributeOperations(runtime: PoolRuntime): Pick<ProviderOperations, AdminAttributeOperation> {
  return {
    adminDeleteUserAttributes: (input, call) => deleteAttributes(duringCall(runtime, call), input),
    adminUpdateUserAttributes: (input, call) => updateAttributes(duringCall(runtime, call), input),
  };
}

function updateAttributes(
  context: PoolRuntime,
  input: Input<'AdminUpdateUserAttributes'>,
): Promise<Output<'AdminUpdateUserAttributes'>> {
  return write(context, input, (pool, { attributes }) => {
    const wishes = attributesFrom(pool, input.UserAttributes);
    checkAttributes(pool, 'admin', wishes, attributes);
    checkRequired(pool, { ...attributes, ...wishes });
    return adminChange(pool.settings, attributes, wishes);
  });
}

function deleteAttributes(
  context: PoolRuntime,
  input: Input<'AdminDeleteUserAttributes'>,
): Promise<Output<'AdminDeleteUserAttributes'>> {
  const names = input.UserAttributeNames;
  return write(context, input, (pool, { attributes }) => {
    checkRemoval(pool, 'admin', names, attributes);
    return adminChange(pool.settings, attributes, Object.fromEntries(names.map((name) => [name, ''])));
  });
}

async function write(
  context: PoolRuntime,
  input: Pick<Input<'AdminUpdateUserAttributes'>, 'UserPoolId' | 'Username'>,
  changeOf: (pool: PoolRecord, user: UserRecord) => AttributeChange,
): Promise<Readonly<Record<never, never>>> {
  const pool = await poolOf(context, input.UserPoolId);
  const { user: before } = await requireUser(context, pool, input.Username);
  const nowMs = context.clock.now();
  await context.store.write(async (transaction) => {
    const { user } = await claimUser(transaction, pool, before.username);
    const change = changeOf(pool, user);
    for (const { channel } of change.toProve) requireSender(context, channel);
    await writeAttributes(context, transaction, { pool, user, change, isReversible: false, nowMs });
    const changed = { ...user, attributes: change.attributes };
    for (const contact of change.toProve) {
      await prove(context, transaction, pool, changed, contact, 'verification_by_administrator');
    }
  });
  await afterCommit(context);
  return {};
}
