import type { Input, Output } from '@poolgate/provider';
import { missingParameterError } from '../identity/login-errors.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { type DeviceViewer, toCognitoDevice } from '../proofs/devices/cognito-device.ts';
import { deviceNotFoundError, findDevice } from '../proofs/devices/device-registration.ts';
import { resolveArnAccount } from '../settings/arns.ts';
import { createPageToken, parsePageSize, verifyPageToken } from '../settings/page-tokens.ts';
import type { AccountPort } from '../settings/settings-ports.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import type { AuthorizedUser } from '../tokens/access-tokens.ts';
import { revokeLoginsOfDevice } from '../tokens/login-revocations.ts';

/** The devices of a user, and who views them. */
export interface DeviceAccess {
  readonly pool: PoolRecord;
  readonly user: Pick<UserRecord, 'sub' | 'username'>;
  readonly viewer: DeviceViewer;
  /** The login of the caller; undefined for an administrator. */
  readonly callerLogin?: Pick<AuthorizedUser, 'loginId' | 'deviceKey'>;
}

type DevicePageRequest = Pick<Input<'ListDevices'>, 'Limit' | 'PaginationToken'>;

/** @throws {ProviderError} `ResourceNotFoundException`: not a confirmed device of this user */
export async function getDevice(
  ports: AccountPort & StoreReads<'devices'>,
  { pool, user, viewer }: DeviceAccess,
  key: string,
): Promise<Output<'GetDevice'>> {
  const device = await findDevice(ports.store, pool, user.username, key);
  if (device === undefined) throw deviceNotFoundError();
  return { Device: toCognitoDevice(device, viewer, resolveArnAccount(ports)) };
}

/** Oldest first. @throws {ProviderError} `InvalidParameterException`: the limit, or a token of another list */
export async function listDevices(
  ports: MacPorts & ClockPort & AccountPort & StoreReads<'devices'>,
  devices: DeviceAccess,
  input: DevicePageRequest,
): Promise<Output<'ListDevices'>> {
  return (await readDevicePage(ports, devices, input)).output;
}

/** Like {@link listDevices}, with the information which devices are remembered, for any viewer. */
export async function listRememberedDevices(
  ports: MacPorts & ClockPort & AccountPort & StoreReads<'devices'>,
  devices: DeviceAccess,
  input: DevicePageRequest,
): Promise<Output<'ListDevices'> & { readonly Remembered: Readonly<Record<string, boolean>> }> {
  const { rows, output } = await readDevicePage(ports, devices, input);
  return { ...output, Remembered: Object.fromEntries(rows.map(({ key, remembered }) => [key, remembered])) };
}

async function readDevicePage(
  ports: MacPorts & ClockPort & AccountPort & StoreReads<'devices'>,
  { pool, user: { username }, viewer }: DeviceAccess,
  { Limit, PaginationToken }: DevicePageRequest,
) {
  const query = `devices\n${viewer}\n${username}`;
  const cursor = PaginationToken === undefined ? undefined : verifyPageToken(ports, pool, query, PaginationToken);
  const page = await ports.store.devices.listOf(pool.id, username, parsePageSize(Limit), cursor);
  const output: Output<'ListDevices'> = {
    Devices: page.rows.map((device) => toCognitoDevice(device, viewer, resolveArnAccount(ports))),
    ...(page.nextCursor === undefined ? {} : { PaginationToken: createPageToken(ports, pool, query, page.nextCursor) }),
  };
  return { rows: page.rows, output };
}

/** @throws {ProviderError} `ResourceNotFoundException`: not a confirmed device of this user */
export async function updateDeviceStatus(
  ports: EventPorts & StoreReads<'devices'> & StoreWrites<'devices' | 'events'>,
  { pool, user }: DeviceAccess,
  { DeviceKey, DeviceRememberedStatus }: Pick<Input<'UpdateDeviceStatus'>, 'DeviceKey' | 'DeviceRememberedStatus'>,
): Promise<Output<'UpdateDeviceStatus'>> {
  if (DeviceRememberedStatus === undefined) throw missingParameterError('DeviceRememberedStatus');
  const device = await findDevice(ports.store, pool, user.username, DeviceKey);
  if (device === undefined) throw deviceNotFoundError();
  const change = { remembered: DeviceRememberedStatus === 'remembered', modifiedAtMs: ports.clock.now() };
  const details = { device: device.key, status: DeviceRememberedStatus };
  const isThere = await ports.store.write(async (transaction) => {
    if (!(await transaction.devices.update(pool.id, user.username, device.key, change))) return false;
    await recordEvent(ports, transaction, { type: 'device.updated', pool, user, details });
    return true;
  });
  if (!isThere) throw deviceNotFoundError();
  return {};
}

/**
 * Removes a device and ends every login from it. If the caller's login is from this device, it only loses its refreshes, and its access
 * tokens stay valid until they expire, as in Cognito.
 * @throws {ProviderError} `ResourceNotFoundException`: not a confirmed device of this user
 */
export async function forgetDevice(
  ports: EventPorts & StoreReads<'devices'> & StoreWrites<'devices' | 'events' | 'logins' | 'revocations'>,
  { pool, user, callerLogin }: DeviceAccess,
  key: string,
): Promise<Output<'ForgetDevice'>> {
  const { username } = user;
  const device = await findDevice(ports.store, pool, username, key);
  if (device === undefined) throw deviceNotFoundError();
  const wasThere = await ports.store.write(async (transaction) => {
    if (!(await transaction.devices.delete(pool.id, username, device.key))) return false;
    const nowMs = ports.clock.now();
    if (callerLogin?.loginId !== undefined && callerLogin.deviceKey === device.key)
      await transaction.logins.detachDevice(callerLogin.loginId, nowMs);
    await revokeLoginsOfDevice(transaction, { poolId: pool.id, username }, device.key, nowMs);
    const details = { device: device.key };
    await recordEvent(ports, transaction, { type: 'device.forgotten', pool, user, details });
    return true;
  });
  if (!wasThere) throw deviceNotFoundError();
  return {};
}
