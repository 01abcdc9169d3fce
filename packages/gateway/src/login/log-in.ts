/**
 * Handlers of `/login/*`, with a file for each challenge that a client can answer. `challenge-responders` is the table. Between the two SRP
 * requests, the secret block carries the username and `SRP_A`, and `stateless-srp` binds the session to it. Where it cannot, `pending-srp`
 * stores one encrypted row.
 */
import type { CallContext } from '@poolgate/provider';
import { type ProviderLoginStep, presentLoginStep } from '../challenges/present-login-step.ts';
import { logInBySrp } from '../challenges/srp-login.ts';
import type { GatewayDeps, GatewaySettings } from '../kernel/deps.ts';
import type { Handler } from '../runtime/handler.ts';
import { recordRequiredReset } from '../users/password-reset-flag.ts';
import { type DeviceKeyParameter, retryWithoutUnknownDevice } from './device-key.ts';
import { offerOtherFirstFactors } from './other-first-factors.ts';
import { findProviderRegistrationSession } from './provider-registration-session.ts';

interface Credentials extends DeviceKeyParameter {
  readonly username: string;
  readonly password: string;
  /** The provider's session of a registration. */
  readonly session?: string | undefined;
}

type LoginFlow = (deps: GatewayDeps, credentials: Credentials, call: CallContext) => Promise<ProviderLoginStep>;

/** How a password reaches the provider, selected by a setting. */
const LOGIN_FLOWS: Readonly<Record<GatewaySettings['loginFlow'], LoginFlow>> = {
  password: logInByPassword,
  srp: logInKeepingPassword,
};

/** POST /login. */
export const logIn: Handler<'login'> = async (deps, request) => {
  const flow = LOGIN_FLOWS[deps.settings.loginFlow];
  const { username, password, device_key: deviceKey } = request.body;
  const { call } = request;
  const session = findProviderRegistrationSession(deps, request.body);
  const step = retryWithoutUnknownDevice(deviceKey, (device) =>
    flow(deps, { username, password, session, ...device }, call),
  );
  const offered = offerOtherFirstFactors(deps, step);
  return {
    status: 200,
    body: presentLoginStep(await recordRequiredReset(deps, username, offered, call), { username }),
  };
};

function logInByPassword(deps: GatewayDeps, credentials: Credentials, call: CallContext): Promise<ProviderLoginStep> {
  const { username, password, session, ...device } = credentials;
  return deps.provider.operations.initiateAuth(
    {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: deps.clientId,
      ...(session === undefined ? {} : { Session: session }),
      AuthParameters: { USERNAME: username, PASSWORD: password, ...device },
    },
    call,
  );
}

/** A provider in this process checks the password itself. With any other, the service uses SRP. */
function logInKeepingPassword(
  deps: GatewayDeps,
  credentials: Credentials,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const { log_in_with_password: logInWithPassword } = deps.provider.extensions;
  const { session, ...typed } = credentials;
  if (logInWithPassword === undefined) return logInBySrp(deps, typed, call);
  const { username: Username, password: Password, DEVICE_KEY } = typed;
  const device = DEVICE_KEY === undefined ? {} : { DeviceKey: DEVICE_KEY };
  const registered = session === undefined ? {} : { Session: session };
  return logInWithPassword({ ClientId: deps.clientId, Username, Password, ...device, ...registered }, call);
}
