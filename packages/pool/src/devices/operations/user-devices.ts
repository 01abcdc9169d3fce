import type { Input, Output } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import type { ClockPort, EventPorts, MacPorts, StoreReads, StoreWrites } from '../../kernel/ports.ts';
import { arnAccount } from '../../pools/arns.ts';
import type { AccountPort } from '../../pools/settings-ports.ts';
import { missingParameter } from '../../shared/login-errors.ts';
import { cursorFromToken, pageSize, pageToken } from '../../shared/page-tokens.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import type { AuthorizedUser } from '../../tokens/access.ts';
import { revokeLoginsOfDevice } from '../../tokens/revocations.ts';
import { deviceView, type Viewer } from '../device-view.ts';
import { deviceNotFound, findDevice } from '../devices.ts';

/** The devices of one user, and who looks at them. */
export interface UserDevices {
  readonly pool: PoolRecord;
  readonly user: Pick<UserRecord, 'sub' | 'username'>;
  readonly viewer: Viewer;
  /** The login that asks; undefined where an administrator does. */
  readonly from?: Pick<AuthorizedUser, 'loginId' | 'deviceKey'>;
}

type PageOfDevices = Pick<Input<'ListDevices'>, 'Limit' | 'PaginationToken'>;

/** @throws {ProviderError} `ResourceNotFoundException`: not a confirmed device of this user */
export async function getDevice(
  ports: AccountPort & StoreReads<'devices'>,
  { pool, user, viewer }: UserDevices,
  key: string,
): Promise<Output<'GetDevice'>> {
  const device = await findDevice(ports.store, pool, user.username, key);
  if (device === undefined) throw deviceNotFound();
  return { Device: deviceView(device, viewer, arnAccount(ports)) };
}

/** Oldest first. @throws {ProviderError} `InvalidParameterException`: the limit, or a token of another list */
export async function listDevices(
  ports: MacPorts & ClockPort & AccountPort & StoreReads<'devices'>,
  devices: UserDevices,
  input: PageOfDevices,
): Promise<Output<'ListDevices'>> {
  return (await pageOfDevices(ports, devices, input)).output;
}

/** As {@link listDevices}, and which of them are remembered, whoever looks. */
export async function listRememberedDevices(
  ports: MacPorts & ClockPort & AccountPort & StoreReads<'devices'>,
  devices: UserDevices,
  input: PageOfDevices,
): Promise<Output<'ListDevices'> & { readonly Remembered: Readonly<Record<string, boolean>> }> {
  const { rows, output } = await pageOfDevices(ports, devices, input);
  return { ...output, Remembered: Object.fromEntries(rows.map(({ key, remembered }) => [key, remembered])) };
}

async function pageOfDevices(
  ports: MacPorts & ClockPort & AccountPort & StoreReads<'devices'>,
  { pool, user: { username }, viewer }: UserDevices,
  { Limit, PaginationToken }: PageOfDevices,
) {
  const query = `devices\n${viewer}\n${username}`;
  const cursor = PaginationToken === undefined ? undefined : cursorFromToken(ports, pool, query, PaginationToken);
  const page = await ports.store.devices.listOf(pool.id, username, pageSize(Limit), cursor);
  const output: Output<'ListDevices'> = {
    Devices: page.rows.map((device) => deviceView(device, viewer, arnAccount(ports))),
    ...(page.nextCursor === undefined ? {} : { PaginationToken: pageToken(ports, pool, query, page.nextCursor) }),
  };
  return { rows: page.rows, output };
}

/** @throws {ProviderError} `ResourceNotFoundException`: not a confirmed device of this user */
export async function updateDeviceStatus(
  ports: EventPorts & StoreReads<'devices'> & StoreWrites<'devices' | 'events'>,
  { pool, user }: UserDevices,
  { DeviceKey, DeviceRememberedStatus }: Pick<Input<'UpdateDeviceStatus'>, 'DeviceKey' | 'DeviceRememberedStatus'>,
): Promise<Output<'UpdateDeviceStatus'>> {
  if (DeviceRememberedStatus === undefined) throw missingParameter('DeviceRememberedStatus');
  const device = await findDevice(ports.store, pool, user.username, DeviceKey);
  if (device === undefined) throw deviceNotFound();
  const change = { remembered: DeviceRememberedStatus === 'remembered', modifiedAtMs: ports.clock.now() };
  const details = { device: device.key, status: DeviceRememberedStatus };
  const isThere = await ports.store.write(async (transaction) => {
    if (!(await transaction.devices.update(pool.id, user.username, device.key, change))) return false;
    await recordEvent(ports, transaction, { type: 'device.updated', pool, user, details });
    return true;
  });
  if (!isThere) throw deviceNotFound();
  return {};
}

/**
 * Takes a device away, and with it every login from it. The login that asks is not cut off in the middle: where it is from
 * this device itself, it loses its refreshes, and its access tokens live out their time as they do on Cognito.
 * @throws {ProviderError} `ResourceNotFoundException`: not a confirmed device of this user
 */
export async function forgetDevice(
  ports: EventPorts & StoreReads<'devices'> & StoreWrites<'devices' | 'events' | 'logins' | 'revocations'>,
  { pool, user, from }: UserDevices,
  key: string,
): Promise<Output<'ForgetDevice'>> {
  const { username } = user;
  const device = await findDevice(ports.store, pool, username, key);
  if (device === undefined) throw deviceNotFound();
  const wasThere = await ports.store.write(async (transaction) => {
    if (!(await transaction.devices.delete(pool.id, username, device.key))) return false;
    const nowMs = ports.clock.now();
    if (from?.loginId !== undefined && from.deviceKey === device.key)
      await transaction.logins.detachDevice(from.loginId, nowMs);
    await revokeLoginsOfDevice(transaction, { poolId: pool.id, username }, device.key, nowMs);
    const details = { device: device.key };
    await recordEvent(ports, transaction, { type: 'device.forgotten', pool, user, details });
    return true;
  });
  if (!wasThere) throw deviceNotFound();
  return {};
}
