import type { Handler } from '../handler.ts';
import { unlessDeviceUnknown } from './device-key.ts';
import { presentOutcome } from './outcome.ts';
import { startAtProvider } from './srp-start.ts';
import { startedWith, withHandle } from './started-srp.ts';

/** POST /login/srp: the first step of SRP. The client's own token is echoed with the challenge that it is good for. */
export const startSrp: Handler<'loginSrp'> = async (deps, { body, context }) => {
  const { username, session_token: sessionToken, device_key: deviceKey } = body;
  const start = startedWith(deps, body.srp_a, 'srp_a');
  const first = await unlessDeviceUnknown(deviceKey, (device) =>
    startAtProvider(deps, { USERNAME: username, SRP_A: start.srpAHex, ...device }, context),
  );
  const step = await withHandle(deps, first, { username, start, sessionToken });
  const isVerifier = step.ChallengeName === 'PASSWORD_VERIFIER';
  return { status: 200, body: presentOutcome(step, { username, sessionToken: isVerifier ? sessionToken : undefined }) };
};
