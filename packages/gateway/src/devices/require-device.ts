import type { CallContext } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { LocalDeviceRecord } from '../records/index.ts';
import { DEVICE_ERRORS, type DeviceDetails, type ProviderDevice } from '../remembered-devices/present-device.ts';
import { findRememberedStatus } from '../remembered-devices/remembered-status.ts';

/** A device with the data of provider and gateway. */
export interface FoundDevice {
  readonly device: ProviderDevice;
  readonly details: DeviceDetails;
}

/**
 * Returns a device of the caller. Another user's device gets the same error as one that does not exist.
 * @throws {GatewayError} device_not_found
 */
export async function requireDevice(
  deps: GatewayDeps,
  caller: UserCaller,
  deviceKey: string,
  call: CallContext,
): Promise<FoundDevice> {
  const { Device: device } = await mapProviderErrors(
    deps.provider.operations.getDevice({ AccessToken: caller.accessToken, DeviceKey: deviceKey }, call),
    DEVICE_ERRORS,
  );
  const [local, remembered] = await Promise.all([
    findLocalDevice(deps, caller, deviceKey),
    findRememberedStatus(deps, caller, deviceKey, call),
  ]);
  return { device, details: { local, remembered } };
}

/** The local data about one device of the caller. */
async function findLocalDevice(
  { records, userPoolId }: GatewayDeps,
  { sub }: UserCaller,
  deviceKey: string,
): Promise<LocalDeviceRecord | undefined> {
  const [local] = await records.localDevices.listByKeys(userPoolId, sub, [deviceKey]);
  return local;
}

/** Stores local data about a device. Omitted members stay unchanged. */
export async function updateLocalDevice(
  deps: GatewayDeps,
  caller: UserCaller,
  deviceKey: string,
  change: Partial<Pick<LocalDeviceRecord, 'name' | 'remembered'>>,
): Promise<LocalDeviceRecord> {
  const nowMs = deps.clock.now();
  const { userPoolId } = deps;
  const { sub } = caller;
  const before = await findLocalDevice(deps, caller, deviceKey);
  const blank = { userPoolId, sub, deviceKey, name: null, remembered: null, createdAtMs: nowMs };
  const localRecord = { ...(before ?? blank), ...change, updatedAtMs: nowMs };
  await deps.records.localDevices.put(localRecord);
  return localRecord;
}
