import { presentDevice } from '../remembered-devices/present-device.ts';
import type { Handler } from '../runtime/handler.ts';
import { requireDevice, updateLocalDevice } from './require-device.ts';

/** PATCH /device/{device_key}: the name is stored here, because a provider accepts one only at registration. */
export const renameDevice: Handler<'deviceRename'> = async (deps, { params, body, caller, call }) => {
  const { device, details } = await requireDevice(deps, caller, params.device_key, call);
  const local = await updateLocalDevice(deps, caller, params.device_key, { name: body.device_name });
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The device was renamed.',
      data: {},
      device: presentDevice(device, { ...details, local }),
    },
  };
};
