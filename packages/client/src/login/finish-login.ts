import type { LoginSuccess, NewDeviceMetadata } from '../transport/login-responses.ts';
import { forgetDevice } from './steps/device-step.ts';
import type { LoginRun } from './steps/login-run.ts';
import type { DoneStep } from './steps/login-steps.ts';

/** Processes a finished login. @throws {PoolgateError} */
export async function finishLogin(run: LoginRun, success: LoginSuccess): Promise<DoneStep> {
  const user = await run.keeper.accept(success);
  const { username } = user;
  const { new_device_metadata: offered } = success;
  // The service offers to remember a device if it does not know the one that the login named.
  if (offered !== undefined && run.device !== undefined) await forgetDevice(run);
  const isAsked = offered !== undefined && !(await isDeviceRemembered(run, username));
  return {
    kind: 'done',
    username,
    user,
    rememberDevice: isAsked ? (name) => rememberDevice(run, { username, offered, name }) : null,
  };
}

/** A passwordless login names no device, even if the user has one here, so the service offers to remember it again. */
async function isDeviceRemembered({ devices, parameters }: LoginRun, username: string): Promise<boolean> {
  const { provider } = await parameters();
  return (await devices.find({ userPoolId: provider.user_pool_id, username })) !== undefined;
}

interface DeviceOffer {
  readonly username: string;
  readonly offered: NewDeviceMetadata;
  readonly name: string | undefined;
}

async function rememberDevice(run: LoginRun, { username, offered, name }: DeviceOffer): Promise<void> {
  const { transport, devices, keeper } = run;
  const names = { deviceKey: offered.device_key, deviceGroupKey: offered.device_group_key };
  const { devicePassword, config } = await run.srp('device', names);
  await transport.send('deviceCreate', {
    body: {
      device_key: names.deviceKey,
      device_config: JSON.stringify({ DeviceSecretVerifierConfig: config }),
      ...(name === undefined ? {} : { device_name: name }),
    },
  });
  await keeper.setDevice(names.deviceKey);
  const { provider } = await run.parameters();
  await devices.save({ userPoolId: provider.user_pool_id, username }, { ...names, devicePassword });
  await transport.send('deviceUpdate', { params: { device_key: names.deviceKey }, body: { remembered_status: true } });
}
