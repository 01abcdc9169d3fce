import { deviceIdentity } from '../../srp/srp-tasks.ts';
import { PoolgateError } from '../../transport/poolgate-error.ts';
import { answerChallenge, type LoginRun, type PendingChallenge } from './login-run.ts';
import type { LoginStep } from './login-steps.ts';
import { signPasswordClaim } from './password-step.ts';

/** DEVICE_SRP_AUTH: starts the device's proof. */
export async function startDeviceSrp(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const { device } = run;
  if (device === undefined) throw new PoolgateError({ code: 'unexpected_answer' });
  const { deviceKey } = device;
  run.options.onDevice?.({ kind: 'device', deviceKey });
  const start = await run.srp('start', null);
  const next = { ...run, proof: { password: device.devicePassword, start } };
  return retryWithoutDevice(run, () =>
    answerChallenge(next, challenge, { DEVICE_KEY: deviceKey, SRP_A: start.srpAHex }),
  );
}

/** DEVICE_PASSWORD_VERIFIER: the device proves its secret. */
export async function proveDevice(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const { device, proof } = run;
  if (device === undefined || proof === undefined) throw new PoolgateError({ code: 'unexpected_answer' });
  const claim = await signPasswordClaim(run, challenge, {
    ...proof.start,
    identity: deviceIdentity(device),
    password: proof.password,
  });
  return answerChallenge(run, challenge, { ...claim, DEVICE_KEY: device.deviceKey });
}

/** If the service no longer accepts the device, the client forgets it and the login continues without it. */
async function retryWithoutDevice(run: LoginRun, prove: () => Promise<LoginStep>): Promise<LoginStep> {
  try {
    return await prove();
  } catch (error) {
    const isRefused = error instanceof PoolgateError && error.code === 'invalid_credentials';
    if (!isRefused || run.repeat === undefined) throw error;
    await forgetDevice(run);
    return run.repeat({ withoutDevice: true });
  }
}

/** Forgets the device of this login's user. */
export async function forgetDevice({ devices, parameters, userIdForSrp }: LoginRun): Promise<void> {
  const { provider } = await parameters();
  if (userIdForSrp !== undefined) await devices.forget({ userPoolId: provider.user_pool_id, username: userIdForSrp });
}
