import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEVICE_ERRORS } from '../remembered-devices/present-device.ts';
import type { Handler } from '../runtime/handler.ts';
import { updateLocalDevice } from './require-device.ts';

/** PUT /device/{device_key}: sets whether the device is remembered. */
export const updateDevice: Handler<'deviceUpdate'> = async (deps, { params, body, caller, call }) => {
  const { remembered_status: remembered } = body;
  await mapProviderErrors(
    deps.provider.operations.updateDeviceStatus(
      {
        AccessToken: caller.accessToken,
        DeviceKey: params.device_key,
        DeviceRememberedStatus: remembered ? 'remembered' : 'not_remembered',
      },
      call,
    ),
    DEVICE_ERRORS,
  );
  await updateLocalDevice(deps, caller, params.device_key, { remembered });
  const message = remembered ? 'The device is remembered.' : 'The device is not remembered.';
  return { status: 200, body: { status: 'success', message, data: {} } };
};
