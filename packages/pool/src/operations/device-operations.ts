import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueNotice } from '../delivery/notices.ts';
import { requireUser } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { StorePort, StoreReads } from '../kernel/ports.ts';
import { createDeviceRecord, MAX_DEVICES } from '../proofs/devices/device-registration.ts';
import { checkFriendlyName } from '../proofs/passkeys/friendly-names.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { DeviceRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { type AuthorizedUser, lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import type { ExtensionTable, OperationTable } from './operation-table.ts';
import {
  type DeviceAccess,
  forgetDevice,
  getDevice,
  listDevices,
  listRememberedDevices,
  updateDeviceStatus,
} from './user-devices.ts';

type DeviceOperation = 'confirmDevice' | 'forgetDevice' | 'getDevice' | 'listDevices' | 'updateDeviceStatus';
type AdminDeviceOperation = 'adminForgetDevice' | 'adminGetDevice' | 'adminListDevices' | 'adminUpdateDeviceStatus';

/** Operations with which users manage their own devices. */
export const deviceOperations: OperationTable<DeviceOperation> = {
  confirmDevice,
  async forgetDevice(ports, input) {
    return forgetDevice(ports, await authorizeOwnDevices(ports, input), input.DeviceKey);
  },
  async getDevice(ports, input) {
    return getDevice(ports, await authorizeOwnDevices(ports, input), input.DeviceKey);
  },
  async listDevices(ports, input) {
    return listDevices(ports, await authorizeOwnDevices(ports, input), input);
  },
  async updateDeviceStatus(ports, input) {
    return updateDeviceStatus(ports, await authorizeOwnDevices(ports, input), input);
  },
};

/** Device information for users beyond Cognito's operations. */
export const deviceExtensions: ExtensionTable<'list_remembered_devices'> = {
  async list_remembered_devices(ports, input) {
    return listRememberedDevices(ports, await authorizeOwnDevices(ports, input), input);
  },
};

async function authorizeOwnDevices(
  ports: AccessTokenPorts,
  input: { readonly AccessToken?: string },
): Promise<DeviceAccess> {
  const { pool, user, loginId, deviceKey } = await requireAccessToken(ports, input.AccessToken ?? '');
  return { pool, user, viewer: 'user', callerLogin: { loginId, deviceKey } };
}

/** Operations with which administrators manage users' devices. The caller was already authorized. */
export const adminDeviceOperations: OperationTable<AdminDeviceOperation> = {
  async adminForgetDevice(ports, input) {
    return forgetDevice(ports, await findDevicesAsAdmin(ports, input), input.DeviceKey);
  },
  async adminGetDevice(ports, input) {
    return getDevice(ports, await findDevicesAsAdmin(ports, input), input.DeviceKey);
  },
  async adminListDevices(ports, input) {
    return listDevices(ports, await findDevicesAsAdmin(ports, input), input);
  },
  async adminUpdateDeviceStatus(ports, input) {
    return updateDeviceStatus(ports, await findDevicesAsAdmin(ports, input), input);
  },
};

async function findDevicesAsAdmin(
  ports: SettingsCachePort & StoreReads<'pools' | 'users'>,
  input: { readonly UserPoolId: string; readonly Username: string },
): Promise<DeviceAccess> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  return { pool, user, viewer: 'admin' };
}

/**
 * Registers the device of a login. Only the key of this login can be confirmed, and only once, because a second confirmation could replace
 * the device's secret.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmDevice.html
 */
async function confirmDevice(ports: OwnAccountPorts, input: Input<'ConfirmDevice'>): Promise<Output<'ConfirmDevice'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool, user, deviceKey } = access;
  const tracking = pool.settings.deviceTracking;
  if (tracking === null) {
    throw new ProviderError('InvalidUserPoolConfigurationException', 'Device tracking is not enabled for the pool.');
  }
  if (input.DeviceKey !== deviceKey) throw invalidParameterError('Invalid device key given.');
  const { DeviceName: name, DeviceSecretVerifierConfig: config } = input;
  if (name !== undefined) checkFriendlyName('deviceName', name);
  const registration = { key: deviceKey, name: name ?? null, config, sourceAddress: ports.call.sourceAddress };
  await registerDevice(ports, access, createDeviceRecord(ports, pool, user.username, registration));
  await deliverAfterCommit(ports);
  return { UserConfirmationNecessary: tracking.onlyRememberedOnUserPrompt };
}

async function registerDevice(
  ports: NotificationPorts & StorePort,
  access: AuthorizedUser,
  device: DeviceRecord,
): Promise<void> {
  const { pool, client, user } = access;
  try {
    await ports.store.write(async (transaction) => {
      const count = await transaction.devices.lockAndCount(device.poolId, device.username);
      await lockAuthorizedUser(transaction, access);
      if (count >= MAX_DEVICES) throw invalidParameterError(`A user can have ${MAX_DEVICES} devices at most.`);
      await transaction.devices.insert(device);
      await recordEvent(ports, transaction, {
        type: 'device.registered',
        pool,
        user,
        clientId: client.id,
        details: { device: device.key },
      });
      await queueNotice(ports, transaction, pool, user, 'new_device');
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw new ProviderError('DeviceKeyExistsException', 'Device already exists.', { cause });
  }
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
