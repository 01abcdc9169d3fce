import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import { queueNotice } from '../../messages/notices.ts';
import type { ExtensionTable, OperationTable } from '../../operation-table.ts';
import { checkFriendlyName } from '../../passkeys/friendly-names.ts';
import { requirePool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { isConflict } from '../../store/conflict.ts';
import type { DeviceRecord } from '../../store/records.ts';
import { type AuthorizedUser, claimAccess, requireAccessToken } from '../../tokens/access.ts';
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
  async forgetDevice(context, input) {
    return forgetDevice(context, await ownDevices(context, input), input.DeviceKey);
  },
  async getDevice(context, input) {
    return getDevice(context, await ownDevices(context, input), input.DeviceKey);
  },
  async listDevices(context, input) {
    return listDevices(context, await ownDevices(context, input), input);
  },
  async updateDeviceStatus(context, input) {
    return updateDeviceStatus(context, await ownDevices(context, input), input);
  },
};

/** What a user learns of devices beyond Cognito's operations. */
export const deviceExtensions: ExtensionTable<'list_remembered_devices'> = {
  async list_remembered_devices(context, input) {
    return listRememberedDevices(context, await ownDevices(context, input), input);
  },
};

async function ownDevices(context: PoolRuntime, input: { readonly AccessToken?: string }): Promise<UserDevices> {
  const { pool, user, loginId, deviceKey } = await requireAccessToken(context, input.AccessToken ?? '');
  return { pool, user, viewer: 'user', from: { loginId, deviceKey } };
}

/** The operations of an administrator on the devices of users. The caller of them was checked before. */
export const adminDeviceOperations: OperationTable<AdminDeviceOperation> = {
  async adminForgetDevice(context, input) {
    return forgetDevice(context, await devicesOfUser(context, input), input.DeviceKey);
  },
  async adminGetDevice(context, input) {
    return getDevice(context, await devicesOfUser(context, input), input.DeviceKey);
  },
  async adminListDevices(context, input) {
    return listDevices(context, await devicesOfUser(context, input), input);
  },
  async adminUpdateDeviceStatus(context, input) {
    return updateDeviceStatus(context, await devicesOfUser(context, input), input);
  },
};

async function devicesOfUser(
  context: PoolRuntime,
  input: { readonly UserPoolId: string; readonly Username: string },
): Promise<UserDevices> {
  const pool = await requirePool(context, input.UserPoolId);
  const { user } = await requireUser(context, pool, input.Username);
  return { pool, user, viewer: 'admin' };
}

/**
 * Makes the device of a login known. Only the key that this login was given can be confirmed, and only once:
 * who confirms it again could put another secret in place of the device's.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmDevice.html
 */
async function confirmDevice(context: PoolRuntime, input: Input<'ConfirmDevice'>): Promise<Output<'ConfirmDevice'>> {
  const access = await requireAccessToken(context, input.AccessToken);
  const { pool, user, deviceKey } = access;
  const tracking = pool.settings.deviceTracking;
  if (tracking === null) {
    throw new ProviderError('InvalidUserPoolConfigurationException', 'Device tracking is not enabled for the pool.');
  }
  if (input.DeviceKey !== deviceKey) throw invalidParameter('Invalid device key given.');
  const { DeviceName: name, DeviceSecretVerifierConfig: config } = input;
  if (name !== undefined) checkFriendlyName('deviceName', name);
  const registration = { key: deviceKey, name: name ?? null, config, sourceAddress: context.call.sourceAddress };
  await registerDevice(context, access, newDevice(context, pool, user.username, registration));
  await deliverAfterCommit(context);
  return { UserConfirmationNecessary: tracking.onlyRememberedOnUserPrompt };
}

async function registerDevice(context: PoolRuntime, access: AuthorizedUser, device: DeviceRecord): Promise<void> {
  const { pool, client, user } = access;
  try {
    await context.store.write(async (transaction) => {
      const count = await transaction.devices.lockAndCount(device.poolId, device.username);
      await claimAccess(transaction, access);
      if (count >= MAX_DEVICES) throw invalidParameter(`A user can have ${MAX_DEVICES} devices at most.`);
      await transaction.devices.insert(device);
      await recordEvent(context, transaction, {
        type: 'device.registered',
        pool,
        user,
        clientId: client.id,
        details: { device: device.key },
      });
      await queueNotice(context, transaction, pool, user, 'new_device');
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw new ProviderError('DeviceKeyExistsException', 'Device already exists.', { cause });
  }
}

function invalidParameter(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
