import { presentLoginStep } from '../challenges/present-login-step.ts';
import { startCustomAtProvider } from '../challenges/start-at-provider.ts';
import type { Handler } from '../runtime/handler.ts';
import { retryWithoutUnknownDevice } from './device-key.ts';

/** POST /login/custom: the first challenge from the pool's triggers. */
export const startCustomLogin: Handler<'loginCustom'> = async (deps, { body, call }) => {
  const { username, device_key: deviceKey } = body;
  const step = await retryWithoutUnknownDevice(deviceKey, (device) =>
    startCustomAtProvider(deps, { USERNAME: username, ...device }, call),
  );
  return { status: 200, body: presentLoginStep(step, { username }) };
};
