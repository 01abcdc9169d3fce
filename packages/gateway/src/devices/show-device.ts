import { presentDevice } from '../remembered-devices/present-device.ts';
import type { Handler } from '../runtime/handler.ts';
import { requireDevice } from './require-device.ts';

/** GET /device/{device_key}. */
export const showDevice: Handler<'deviceShow'> = async (deps, { params, caller, call }) => {
  const { device, details } = await requireDevice(deps, caller, params.device_key, call);
  return {
    status: 200,
    body: { status: 'success', message: 'The device.', data: {}, device: presentDevice(device, details) },
  };
};
