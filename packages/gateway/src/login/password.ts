import type { CallContext } from '@poolgate/provider';
import { type ProviderStep, presentOutcome } from '../challenges/outcome.ts';
import { logInBySrp } from '../challenges/srp-login.ts';
import type { GatewayDeps, GatewaySettings } from '../deps.ts';
import type { Handler } from '../handler.ts';
import { recordingReset } from '../users/reset-flag.ts';
import { type DeviceKeyParameter, retryWithoutUnknownDevice } from './device-key.ts';
import { offeringOtherWays } from './other-ways.ts';
import { registeredSession } from './registered-session.ts';

interface Credentials extends DeviceKeyParameter {
  readonly username: string;
  readonly password: string;
  /** The provider's session of a registration. */
  readonly session?: string | undefined;
}

type LoginFlow = (deps: GatewayDeps, credentials: Credentials, context: CallContext) => Promise<ProviderStep>;

/** How a password reaches the provider; which one is used is a setting. */
const LOGIN_FLOWS: Readonly<Record<GatewaySettings['loginFlow'], LoginFlow>> = {
  password: logInByPassword,
  srp: logInKeepingPassword,
};

/** POST /login. */
export const logIn: Handler<'login'> = async (deps, request) => {
  const flow = LOGIN_FLOWS[deps.settings.loginFlow];
  const { username, password, device_key: deviceKey } = request.body;
  const { context } = request;
  const session = registeredSession(deps, request.body);
  const step = retryWithoutUnknownDevice(deviceKey, (device) =>
    flow(deps, { username, password, session, ...device }, context),
  );
  const offered = offeringOtherWays(deps, step);
  return { status: 200, body: presentOutcome(await recordingReset(deps, username, offered, context), { username }) };
};

function logInByPassword(deps: GatewayDeps, credentials: Credentials, context: CallContext): Promise<ProviderStep> {
  const { username, password, session, ...device } = credentials;
  return deps.provider.operations.initiateAuth(
    {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: deps.clientId,
      ...(session === undefined ? {} : { Session: session }),
      AuthParameters: { USERNAME: username, PASSWORD: password, ...device },
    },
    context,
  );
}

/** A provider in this process checks the password itself; towards any other the service speaks SRP. */
function logInKeepingPassword(
  deps: GatewayDeps,
  credentials: Credentials,
  context: CallContext,
): Promise<ProviderStep> {
  const { log_in_with_password: logInWithPassword } = deps.provider.extensions;
  const { session, ...typed } = credentials;
  if (logInWithPassword === undefined) return logInBySrp(deps, typed, context);
  const { username: Username, password: Password, DEVICE_KEY } = typed;
  const device = DEVICE_KEY === undefined ? {} : { DeviceKey: DEVICE_KEY };
  const registered = session === undefined ? {} : { Session: session };
  return logInWithPassword({ ClientId: deps.clientId, Username, Password, ...device, ...registered }, context);
}
