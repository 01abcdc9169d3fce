import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { type DeviceBody, keyOf, type ProviderDevice, presentDevice } from '../devices/device.ts';
import { rememberedStatus } from '../devices/remembered.ts';
import { type Refusals, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';
import { wrongCursor } from './paging.ts';

const DEVICE_REFUSALS: Refusals = { ...USER_REFUSALS, ResourceNotFoundException: 'device_not_found' };

/** As GET /device of the user itself. */
const DEFAULT_LIMIT = '10';

/** GET /admin/users/{username}/devices. */
export const listUserDevices: Handler<'adminUserDevices'> = async (deps, { params, query, context }) => {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const { named, sub } = await findUser(deps, params.username, context);
  const input = { ...named, Limit: Number(limit), ...(cursor === undefined ? {} : { PaginationToken: cursor }) };
  const page = await refusing(deps.provider.operations.adminListDevices(input, context), {
    ...USER_REFUSALS,
    InvalidParameterException: wrongCursor,
  });
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The devices.',
      data: {},
      devices: await presentAll(deps, sub, page.Devices ?? []),
      next_cursor: page.PaginationToken ?? null,
    },
  };
};

/** GET /admin/users/{username}/devices/{device_key}. */
export const showUserDevice: Handler<'adminUserDevice'> = async (deps, { params, context }) => {
  const { named, sub } = await findUser(deps, params.username, context);
  const { Device } = await getDevice(deps, { ...named, DeviceKey: params.device_key }, context);
  const [device] = await presentAll(deps, sub, [Device]);
  return { status: 200, body: { status: 'success', message: 'The device.', data: {}, device: device as DeviceBody } };
};

/** DELETE /admin/users/{username}/devices/{device_key}. */
export const forgetUserDevice: Handler<'adminUserDeviceForget'> = async (deps, { params, context }) => {
  const { named, sub } = await findUser(deps, params.username, context);
  const input = { ...named, DeviceKey: params.device_key };
  await refusing(deps.provider.operations.adminForgetDevice(input, context), DEVICE_REFUSALS);
  await deps.records.deleteLocalDevice(deps.userPoolId, sub, params.device_key);
  return { status: 200, body: { status: 'success', message: 'The device was removed.', data: {} } };
};

type NamedDevice = Parameters<GatewayDeps['provider']['operations']['adminGetDevice']>[0];

function getDevice({ provider }: GatewayDeps, input: NamedDevice, context: CallContext) {
  return refusing(provider.operations.adminGetDevice(input, context), DEVICE_REFUSALS);
}

async function presentAll(
  { records, userPoolId }: GatewayDeps,
  sub: string,
  devices: readonly ProviderDevice[],
): Promise<readonly DeviceBody[]> {
  const locals = await records.localDevices(userPoolId, sub, devices.map(keyOf));
  const localByKey = new Map(locals.map((local) => [local.deviceKey, local]));
  return devices.map((device) =>
    presentDevice(device, { local: localByKey.get(keyOf(device)), remembered: rememberedStatus(device) }),
  );
}
