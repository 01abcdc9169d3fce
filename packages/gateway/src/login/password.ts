import type { CallContext } from '@poolgate/provider';
import { drawPrivateValue, formatTimestamp, passwordHash } from '@poolgate/srp';
import { type ProviderStep, presentOutcome } from '../challenges/outcome.ts';
import type { GatewayDeps, GatewaySettings } from '../deps.ts';
import type { Handler } from '../handler.ts';
import { mapProviderSrpErrors, poolNameOf } from '../srp-fields.ts';
import { recordingReset } from '../users/reset-flag.ts';
import { type DeviceKeyParameter, retryWithoutUnknownDevice } from './device-key.ts';
import { offeringOtherWays } from './other-ways.ts';
import { readVerifierChallenge, startSrpAtProvider } from './srp-start.ts';

interface Credentials extends DeviceKeyParameter {
  readonly username: string;
  readonly password: string;
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
  const step = retryWithoutUnknownDevice(deviceKey, (device) => flow(deps, { username, password, ...device }, context));
  const offered = offeringOtherWays(deps, step);
  return { status: 200, body: presentOutcome(await recordingReset(deps, username, offered, context), { username }) };
};

function logInByPassword(deps: GatewayDeps, credentials: Credentials, context: CallContext): Promise<ProviderStep> {
  const { username, password, ...device } = credentials;
  return deps.provider.operations.initiateAuth(
    {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: deps.clientId,
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
  if (logInWithPassword === undefined) return logInBySrp(deps, credentials, context);
  const { username: Username, password: Password, DEVICE_KEY } = credentials;
  const device = DEVICE_KEY === undefined ? {} : { DeviceKey: DEVICE_KEY };
  return logInWithPassword({ ClientId: deps.clientId, Username, Password, ...device }, context);
}

/** The service is the SRP client, so that the password goes no further than here. */
async function logInBySrp(deps: GatewayDeps, credentials: Credentials, context: CallContext): Promise<ProviderStep> {
  const { username, password, ...device } = credentials;
  const { engine, random, srp } = deps;
  const start = await srp.startClient({ aHex: drawPrivateValue(random) });
  const step = await startSrpAtProvider(deps, { USERNAME: username, SRP_A: start.srpAHex, ...device }, context);
  if (step.ChallengeName !== 'PASSWORD_VERIFIER') return step;
  const challenge = readVerifierChallenge(step);
  const identity = { poolName: poolNameOf(deps), userIdForSrp: challenge.userIdForSrp };
  const timestamp = formatTimestamp(deps.clock.now());
  const { srpBHex, saltHex, secretBlockB64 } = challenge;
  const signature = await mapProviderSrpErrors(() =>
    srp.passwordClaim({
      ...start,
      srpBHex,
      saltHex,
      secretBlockB64,
      identity,
      timestamp,
      passwordHash: passwordHash(engine, identity, password),
    }),
  );
  return deps.provider.operations.respondToAuthChallenge(
    {
      ClientId: deps.clientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      ...(step.Session === undefined ? {} : { Session: step.Session }),
      ChallengeResponses: {
        USERNAME: challenge.userIdForSrp,
        PASSWORD_CLAIM_SECRET_BLOCK: secretBlockB64,
        PASSWORD_CLAIM_SIGNATURE: signature,
        TIMESTAMP: timestamp,
        ...device,
      },
    },
    context,
  );
}
