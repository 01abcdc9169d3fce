import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEVICE_ERRORS } from '../remembered-devices/present-device.ts';
import type { Handler } from '../runtime/handler.ts';

/** DELETE /device/{device_key}. */
export const forgetDevice: Handler<'deviceForget'> = async (deps, { params, caller, call }) => {
  const { device_key: deviceKey } = params;
  await mapProviderErrors(
    deps.provider.operations.forgetDevice({ AccessToken: caller.accessToken, DeviceKey: deviceKey }, call),
    DEVICE_ERRORS,
  );
  await deps.records.localDevices.delete(deps.userPoolId, caller.sub, deviceKey);
  return { status: 200, body: { status: 'success', message: 'The device was removed.', data: {} } };
};
