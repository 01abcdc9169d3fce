/** Handlers of the signed-in user's remembered devices, one file for each route. */
import type { CallContext, Input, Output } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { invalidFieldError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEVICE_ERRORS, presentDevice, requireDeviceKey } from '../remembered-devices/present-device.ts';
import { listRememberedStatuses, type RememberedStatusByKey } from '../remembered-devices/remembered-status.ts';
import type { Handler } from '../runtime/handler.ts';

/** The default size of a page. */
const DEFAULT_LIMIT = 10;

/** GET /device: a page of the caller's devices. */
export const listDevices: Handler<'deviceList'> = async (deps, { query, caller, call }) => {
  const { cursor } = query;
  const input = {
    AccessToken: caller.accessToken,
    Limit: query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit),
    ...(cursor === undefined ? {} : { PaginationToken: cursor }),
  };
  const { page, told } = await mapProviderErrors(listPage(deps, input, call), {
    ...DEVICE_ERRORS,
    InvalidParameterException: (error) => invalidFieldError('cursor', 'refused', 'is not a cursor of this list', error),
  });
  const devices = page.Devices ?? [];
  const [locals, remembered] = await Promise.all([
    deps.records.localDevices.listByKeys(deps.userPoolId, caller.sub, devices.map(requireDeviceKey)),
    told ?? listRememberedStatuses(deps, caller, call),
  ]);
  const localByKey = new Map(locals.map((local) => [local.deviceKey, local]));
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The devices.',
      data: {},
      devices: devices.map((device) => {
        const key = requireDeviceKey(device);
        return presentDevice(device, { local: localByKey.get(key), remembered: remembered.get(key) });
      }),
      next_cursor: page.PaginationToken ?? null,
    },
  };
};

/** A page of the caller's devices and, if the provider tells its users, which of them are remembered. */
async function listPage(
  { provider }: GatewayDeps,
  input: Input<'ListDevices'>,
  call: CallContext,
): Promise<{ readonly page: Output<'ListDevices'>; readonly told?: RememberedStatusByKey }> {
  const list = provider.extensions.list_remembered_devices;
  if (list === undefined) return { page: await provider.operations.listDevices(input, call) };
  const { Remembered, ...page } = await list(input, call);
  return { page, told: new Map(Object.entries(Remembered)) };
}
