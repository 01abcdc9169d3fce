import type { LocalDeviceRecord, LocalDeviceRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import { createListPlaceholders, type ListParameters, memoizeByKey, toListParameters } from '../sql/list-parameters.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

const upsertDevice = defineStatement((db, p: Placeholders<LocalDeviceRecord>) =>
  db
    .insertInto('local_devices')
    .values({
      user_pool_id: p.userPoolId,
      sub: p.sub,
      device_key: p.deviceKey,
      name: p.name,
      remembered: p.remembered,
      created_at_ms: p.createdAtMs,
      updated_at_ms: p.updatedAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_pool_id', 'sub', 'device_key']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        remembered: eb.ref('excluded.remembered'),
        created_at_ms: eb.ref('excluded.created_at_ms'),
        updated_at_ms: eb.ref('excluded.updated_at_ms'),
      })),
    ),
);

// The gateway reads the devices of a page.
const selectDevices = memoizeByKey((count: number) =>
  defineStatement((db, p: Placeholders<ListParameters & { readonly userPoolId: string; readonly sub: string }>) =>
    db
      .selectFrom('local_devices')
      .select([
        'user_pool_id as userPoolId',
        'sub',
        'device_key as deviceKey',
        'name',
        'remembered',
        'created_at_ms as createdAtMs',
        'updated_at_ms as updatedAtMs',
      ])
      .where('user_pool_id', '=', p.userPoolId)
      .where('sub', '=', p.sub)
      .where('device_key', 'in', createListPlaceholders(p, count))
      .orderBy('device_key'),
  ),
);

const deleteDevice = defineStatement((db, p: Placeholders<{ userPoolId: string; sub: string; deviceKey: string }>) =>
  db
    .deleteFrom('local_devices')
    .where('user_pool_id', '=', p.userPoolId)
    .where('sub', '=', p.sub)
    .where('device_key', '=', p.deviceKey)
    .returning('device_key'),
);

type Row = Omit<LocalDeviceRecord, 'remembered'> & { readonly remembered: boolean | 0 | 1 | null };

function toLocalDevice(row: Row): LocalDeviceRecord {
  return { ...row, remembered: row.remembered === null ? null : Boolean(row.remembered) };
}

/** Stores the gateway's data about devices. */
export function createLocalDeviceRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): LocalDeviceRecords {
  return {
    async put(device) {
      await writes.run(upsertDevice, device);
    },
    async listByKeys(userPoolId, sub, deviceKeys) {
      if (deviceKeys.length === 0) return [];
      const parameters = { ...toListParameters(deviceKeys), userPoolId, sub };
      return (await reads.run(selectDevices(deviceKeys.length), parameters)).rows.map(toLocalDevice);
    },
    async delete(userPoolId, sub, deviceKey) {
      return (await writes.run(deleteDevice, { userPoolId, sub, deviceKey })).rows.length === 1;
    },
  };
}
