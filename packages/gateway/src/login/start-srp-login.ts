import { presentLoginStep } from '../challenges/present-login-step.ts';
import { startCustomAtProvider, startSrpAtProvider } from '../challenges/start-at-provider.ts';
import type { Handler } from '../runtime/handler.ts';
import { retryWithoutUnknownDevice } from './device-key.ts';
import { findProviderRegistrationSession } from './provider-registration-session.ts';
import { createSrpStart, issueSrpSessionHandle } from './srp-session-handle.ts';
import { toSrpCall } from './stateless-srp.ts';

/** POST /login/srp: the first step of SRP. The client's own token is echoed with its challenge. */
export const startSrpLogin: Handler<'loginSrp'> = async (deps, { body, call }) => {
  const { username, session_token: sessionToken, device_key: deviceKey } = body;
  const session = findProviderRegistrationSession(deps, body);
  const start = await createSrpStart(deps, body.srp_a, 'srp_a');
  const srpCall = toSrpCall(call, start, sessionToken);
  const first = await retryWithoutUnknownDevice(deviceKey, (device) => {
    const parameters = { USERNAME: username, SRP_A: start.srpAHex, ...device };
    return body.custom === true
      ? startCustomAtProvider(deps, { ...parameters, CHALLENGE_NAME: 'SRP_A' }, srpCall)
      : startSrpAtProvider(deps, parameters, srpCall, session);
  });
  const step = await issueSrpSessionHandle(deps, first, { username, start, sessionToken });
  const isVerifier = step.ChallengeName === 'PASSWORD_VERIFIER';
  return {
    status: 200,
    body: presentLoginStep(step, { username, sessionToken: isVerifier ? sessionToken : undefined }),
  };
};
