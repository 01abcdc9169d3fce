import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { type ErrorMapping, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { invalidCursorError } from '../kernel/list-cursors.ts';
import {
  type DeviceBody,
  type ProviderDevice,
  presentDevice,
  requireDeviceKey,
} from '../remembered-devices/present-device.ts';
import { readRememberedStatus } from '../remembered-devices/remembered-status.ts';
import type { Handler } from '../runtime/handler.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';

const ADMIN_DEVICE_ERRORS: ErrorMapping = { ...NAMED_USER_ERRORS, ResourceNotFoundException: 'device_not_found' };

/** As in the user's own GET /device. */
const DEFAULT_LIMIT = '10';

/** GET /admin/users/{username}/devices. */
export const listUserDevices: Handler<'adminUserDevices'> = async (deps, { params, query, call }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const { identifiers, sub } = await requireUser(deps, params.username, call);
  const input = { ...identifiers, Limit: Number(limit), ...(cursor === undefined ? {} : { PaginationToken: cursor }) };
  const page = await mapProviderErrors(deps.provider.operations.adminListDevices(input, call), {
    ...NAMED_USER_ERRORS,
    InvalidParameterException: invalidCursorError,
  });
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The devices.',
      data: {},
      devices: await presentDevices(deps, sub, page.Devices ?? []),
      next_cursor: page.PaginationToken ?? null,
    },
  };
};

/** GET /admin/users/{username}/devices/{device_key}. */
export const showUserDevice: Handler<'adminUserDevice'> = async (deps, { params, call }) => {
  const { identifiers, sub } = await requireUser(deps, params.username, call);
  const { Device } = await getDevice(deps, { ...identifiers, DeviceKey: params.device_key }, call);
  const [device] = await presentDevices(deps, sub, [Device]);
  return { status: 200, body: { status: 'success', message: 'The device.', data: {}, device: device as DeviceBody } };
};

/** DELETE /admin/users/{username}/devices/{device_key}. */
export const forgetUserDevice: Handler<'adminUserDeviceForget'> = async (deps, { params, call }) => {
  const { identifiers, sub } = await requireUser(deps, params.username, call);
  const input = { ...identifiers, DeviceKey: params.device_key };
  await mapProviderErrors(deps.provider.operations.adminForgetDevice(input, call), ADMIN_DEVICE_ERRORS);
  await deps.records.localDevices.delete(deps.userPoolId, sub, params.device_key);
  return { status: 200, body: { status: 'success', message: 'The device was removed.', data: {} } };
};

type DeviceIdentifiers = Parameters<GatewayDeps['provider']['operations']['adminGetDevice']>[0];

function getDevice({ provider }: GatewayDeps, input: DeviceIdentifiers, call: CallContext) {
  return mapProviderErrors(provider.operations.adminGetDevice(input, call), ADMIN_DEVICE_ERRORS);
}

async function presentDevices(
  { records, userPoolId }: GatewayDeps,
  sub: string,
  devices: readonly ProviderDevice[],
): Promise<readonly DeviceBody[]> {
  const locals = await records.localDevices.listByKeys(userPoolId, sub, devices.map(requireDeviceKey));
  const localByKey = new Map(locals.map((local) => [local.deviceKey, local]));
  return devices.map((device) =>
    presentDevice(device, {
      local: localByKey.get(requireDeviceKey(device)),
      remembered: readRememberedStatus(device),
    }),
  );
}
