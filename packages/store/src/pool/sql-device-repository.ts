import type { DeviceChange, DeviceReads, DeviceRecord, DeviceRepository, DeviceUse, Page } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { memoizeByKey } from '../sql/list-parameters.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineChange, defineStatement, setOrUnchanged, type Writer } from '../sql/statement.ts';
import { lockUser } from './lock-user.ts';

const COLUMNS = [
  'pool_id as poolId',
  'username',
  'device_key as key',
  'group_key as groupKey',
  'name',
  'salt_hex as saltHex',
  'verifier_sealed as verifierEncrypted',
  'remembered',
  'last_ip as lastIp',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
  'last_authenticated_at_ms as lastAuthenticatedAtMs',
] as const;

interface DeviceId {
  readonly poolId: string;
  readonly username: string;
  readonly key: string;
}

/** A device's position in the user's list. */
interface Position {
  readonly createdAtMs: number;
  readonly key: string;
}

const selectDevice = defineStatement((db, p: Placeholders<DeviceId>) =>
  db
    .selectFrom('devices')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('device_key', '=', p.key),
);

// One statement for each of the few limits, because SQLite would plan a statement with a parameter again each time.
const selectDevices = memoizeByKey((limit: number) =>
  defineStatement((db, p: Placeholders<Omit<DeviceId, 'key'> & Position>) =>
    db
      .selectFrom('devices')
      .select(COLUMNS)
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where((eb) => eb(eb.refTuple('created_at_ms', 'device_key'), '>', eb.tuple(p.createdAtMs, p.key)))
      .orderBy('created_at_ms')
      .orderBy('device_key')
      .limit(sql.lit(limit)),
  ),
);

const countDevices = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
  db
    .selectFrom('devices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

const insertDevice = defineStatement((db, p: Placeholders<DeviceRecord>) =>
  db.insertInto('devices').values({
    pool_id: p.poolId,
    username: p.username,
    device_key: p.key,
    group_key: p.groupKey,
    name: p.name,
    salt_hex: p.saltHex,
    verifier_sealed: p.verifierEncrypted,
    remembered: p.remembered,
    last_ip: p.lastIp,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
    last_authenticated_at_ms: p.lastAuthenticatedAtMs,
  }),
);

interface ChangeRow extends DeviceId {
  readonly setsName: boolean;
  readonly name: string | null;
  readonly remembered: boolean | null;
  readonly setsLastIp: boolean;
  readonly lastIp: string | null;
  readonly lastAuthenticatedAtMs: number | null;
  readonly modifiedAtMs: number;
}

const updateDevice = defineStatement((db, p: Placeholders<ChangeRow>) =>
  db
    .updateTable('devices')
    .set((eb) => ({
      name: setOrUnchanged(p.setsName, p.name, 'name'),
      remembered: eb.fn.coalesce(p.remembered, 'remembered').$castTo<boolean>(),
      last_ip: setOrUnchanged(p.setsLastIp, p.lastIp, 'last_ip'),
      last_authenticated_at_ms: eb.fn.coalesce(p.lastAuthenticatedAtMs, 'last_authenticated_at_ms'),
      modified_at_ms: p.modifiedAtMs,
    }))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('device_key', '=', p.key)
    .returning('device_key'),
);

const recordDeviceUse = defineChange((db, p: Placeholders<DeviceId & DeviceUse>) =>
  db
    .updateTable('devices')
    .set({ last_ip: p.lastIp, last_authenticated_at_ms: p.lastAuthenticatedAtMs })
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('device_key', '=', p.key)
    .where('created_at_ms', '=', p.createdAtMs)
    .returning('device_key'),
);

const deleteDevice = defineStatement((db, p: Placeholders<DeviceId>) =>
  db
    .deleteFrom('devices')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('device_key', '=', p.key)
    .returning('device_key'),
);

const forgetTrustInDevices = defineStatement(
  (db, p: Placeholders<{ poolId: string; username: string; nowMs: number }>) =>
    db
      .updateTable('devices')
      .set({ remembered: false, modified_at_ms: p.nowMs })
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('remembered', '=', true),
);

type Row = Omit<DeviceRecord, 'remembered'> & { readonly remembered: boolean | 0 | 1 };

function toDevice(row: Row): DeviceRecord {
  return { ...row, remembered: Boolean(row.remembered) };
}

// Before every device, because times are not negative and keys are not empty.
const START: Position = { createdAtMs: 0, key: '' };

function toCursor({ createdAtMs, key }: Position): string {
  return `${createdAtMs}:${key}`;
}

function toPosition(cursor: string): Position {
  const [, time, key = ''] = /^(\d{1,15}):(.*)$/s.exec(cursor) ?? [];
  if (time === undefined) throw new RangeError('cursor must come from the page before');
  return { createdAtMs: Number(time), key };
}

/** Reads confirmed devices of users. */
export class SqlDeviceReads extends SqlRepository implements DeviceReads {
  async byKey(poolId: string, username: string, key: string): Promise<DeviceRecord | undefined> {
    return (await this.executor.run(selectDevice, { poolId, username, key })).rows.map(toDevice)[0];
  }

  /** @throws RangeError for a limit below 1 or an invalid cursor */
  async listOf(
    poolId: string,
    username: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<DeviceRecord>> {
    const statement = selectDevices(toRowLimit(limit));
    const after = cursor === undefined ? START : toPosition(cursor);
    const { rows } = await this.executor.run(statement, { poolId, username, ...after });
    return toPage(rows.map(toDevice), limit, toCursor);
  }
}

/** Reads and writes confirmed devices of users. */
export class SqlDeviceRepository extends SqlDeviceReads implements DeviceRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  /** Until this write ends, no other write that counted the devices can add one, so a limit holds. */
  async lockAndCount(poolId: string, username: string): Promise<number> {
    await lockUser(this.executor, poolId, username);
    return this.readCount(countDevices, { poolId, username });
  }

  async insert(device: DeviceRecord): Promise<void> {
    await this.executor.run(insertDevice, device);
  }

  async update(poolId: string, username: string, key: string, change: DeviceChange): Promise<boolean> {
    const { rows } = await this.executor.run(updateDevice, {
      poolId,
      username,
      key,
      setsName: change.name !== undefined,
      name: change.name ?? null,
      remembered: change.remembered ?? null,
      setsLastIp: change.lastIp !== undefined,
      lastIp: change.lastIp ?? null,
      lastAuthenticatedAtMs: change.lastAuthenticatedAtMs ?? null,
      modifiedAtMs: change.modifiedAtMs,
    });
    return rows.length === 1;
  }

  async recordUse(poolId: string, username: string, key: string, use: DeviceUse): Promise<void> {
    void this.executor.enqueueChange(recordDeviceUse, { poolId, username, key, ...use });
  }

  async delete(poolId: string, username: string, key: string): Promise<boolean> {
    return (await this.executor.run(deleteDevice, { poolId, username, key })).rows.length === 1;
  }

  /** Devices that are not remembered stay unchanged. */
  async forgetTrust(poolId: string, username: string, nowMs: number): Promise<void> {
    await this.executor.run(forgetTrustInDevices, { poolId, username, nowMs });
  }
}
