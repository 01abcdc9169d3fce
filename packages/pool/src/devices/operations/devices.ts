import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import type { StorePort, StoreReads } from '../../kernel/ports.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../../messages/delivery-ports.ts';
import { queueNotice } from '../../messages/notices.ts';
import type { ExtensionTable, OperationTable } from '../../operation-table.ts';
import { checkFriendlyName } from '../../passkeys/friendly-names.ts';
import { requirePool } from '../../pools/pools.ts';
import type { SettingsCachePort } from '../../pools/settings-ports.ts';
import { isConflict } from '../../store/conflict.ts';
import type { DeviceRecord } from '../../store/records.ts';
import { type AuthorizedUser, claimAccess, requireAccessToken } from '../../tokens/access.ts';
import type { AccessTokenPorts } from '../../tokens/token-ports.ts';
import { requireUser } from '../../users/users.ts';
import { MAX_DEVICES, newDevice } from '../devices.ts';
import {
  forgetDevice,
  getDevice,
  listDevices,
  listRememberedDevices,
  type UserDevices,
  updateDeviceStatus,
} from './user-devices.ts';

type DeviceOperation = 'confirmDevice' | 'forgetDevice' | 'getDevice' | 'listDevices' | 'updateDeviceStatus';
type AdminDeviceOperation = 'adminForgetDevice' | 'adminGetDevice' | 'adminListDevices' | 'adminUpdateDeviceStatus';

/** The operations of a user on the own devices. */
export const deviceOperations: OperationTable<DeviceOperation> = {
  confirmDevice,
  async forgetDevice(ports, input) {
    return forgetDevice(ports, await ownDevices(ports, input), input.DeviceKey);
  },
  async getDevice(ports, input) {
    return getDevice(ports, await ownDevices(ports, input), input.DeviceKey);
  },
  async listDevices(ports, input) {
    return listDevices(ports, await ownDevices(ports, input), input);
  },
  async updateDeviceStatus(ports, input) {
    return updateDeviceStatus(ports, await ownDevices(ports, input), input);
  },
};

/** What a user learns of devices beyond Cognito's operations. */
export const deviceExtensions: ExtensionTable<'list_remembered_devices'> = {
  async list_remembered_devices(ports, input) {
    return listRememberedDevices(ports, await ownDevices(ports, input), input);
  },
};

async function ownDevices(ports: AccessTokenPorts, input: { readonly AccessToken?: string }): Promise<UserDevices> {
  const { pool, user, loginId, deviceKey } = await requireAccessToken(ports, input.AccessToken ?? '');
  return { pool, user, viewer: 'user', from: { loginId, deviceKey } };
}

/** The operations of an administrator on the devices of users. The caller of them was checked before. */
export const adminDeviceOperations: OperationTable<AdminDeviceOperation> = {
  async adminForgetDevice(ports, input) {
    return forgetDevice(ports, await devicesOfUser(ports, input), input.DeviceKey);
  },
  async adminGetDevice(ports, input) {
    return getDevice(ports, await devicesOfUser(ports, input), input.DeviceKey);
  },
  async adminListDevices(ports, input) {
    return listDevices(ports, await devicesOfUser(ports, input), input);
  },
  async adminUpdateDeviceStatus(ports, input) {
    return updateDeviceStatus(ports, await devicesOfUser(ports, input), input);
  },
};

async function devicesOfUser(
  ports: SettingsCachePort & StoreReads<'pools' | 'users'>,
  input: { readonly UserPoolId: string; readonly Username: string },
): Promise<UserDevices> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  return { pool, user, viewer: 'admin' };
}

/**
 * Makes the device of a login known. Only the key that this login was given can be confirmed, and only once:
 * who confirms it again could put another secret in place of the device's.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmDevice.html
 */
async function confirmDevice(
  ports: NotificationPorts & AccessTokenPorts & DeliveryPorts & StorePort,
  input: Input<'ConfirmDevice'>,
): Promise<Output<'ConfirmDevice'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const { pool, user, deviceKey } = access;
  const tracking = pool.settings.deviceTracking;
  if (tracking === null) {
    throw new ProviderError('InvalidUserPoolConfigurationException', 'Device tracking is not enabled for the pool.');
  }
  if (input.DeviceKey !== deviceKey) throw invalidParameter('Invalid device key given.');
  const { DeviceName: name, DeviceSecretVerifierConfig: config } = input;
  if (name !== undefined) checkFriendlyName('deviceName', name);
  const registration = { key: deviceKey, name: name ?? null, config, sourceAddress: ports.call.sourceAddress };
  await registerDevice(ports, access, newDevice(ports, pool, user.username, registration));
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
      await claimAccess(transaction, access);
      if (count >= MAX_DEVICES) throw invalidParameter(`A user can have ${MAX_DEVICES} devices at most.`);
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
    if (!isConflict(cause)) throw cause;
    throw new ProviderError('DeviceKeyExistsException', 'Device already exists.', { cause });
  }
}

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
