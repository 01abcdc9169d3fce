import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { DEVICE_ERRORS } from '../remembered-devices/present-device.ts';
import type { Handler } from '../runtime/handler.ts';
import { readDeviceConfig } from './device-config.ts';

/** POST /device: registers the device whose key this login returned. */
export const createDevice: Handler<'deviceCreate'> = async (deps, { body, caller, call }) => {
  const { device_key: deviceKey, device_name: name } = body;
  const config = readDeviceConfig(body.device_config);
  const { UserConfirmationNecessary = false } = await mapProviderErrors(
    deps.provider.operations.confirmDevice(
      {
        AccessToken: caller.accessToken,
        DeviceKey: deviceKey,
        DeviceSecretVerifierConfig: config,
        ...(name === undefined ? {} : { DeviceName: name }),
      },
      call,
    ),
    // Here, a key that no login returned is an invalid parameter, not a missing device.
    { ...DEVICE_ERRORS, ResourceNotFoundException: 'invalid_parameter' },
  );
  const nowMs = deps.clock.now();
  await deps.records.localDevices.put({
    userPoolId: deps.userPoolId,
    sub: caller.sub,
    deviceKey,
    name: name ?? null,
    remembered: !UserConfirmationNecessary,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  return {
    status: 200,
    body: {
      status: 'success',
      message: UserConfirmationNecessary
        ? 'The device is registered. Ask the user whether to remember it.'
        : 'The device is registered and remembered.',
      data: { UserConfirmationNecessary },
      device_confirmed: true,
      user_confirmation_necessary: UserConfirmationNecessary,
    },
  };
};
