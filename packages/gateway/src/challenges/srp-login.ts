import type { CallContext } from '@poolgate/provider';
import { drawPrivateValue, formatTimestamp, hashPassword } from '@poolgate/srp';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { ProviderLoginStep } from './present-login-step.ts';
import { mapProviderSrpErrors, toPoolName } from './srp-fields.ts';
import { readVerifierChallenge, startSrpAtProvider } from './start-at-provider.ts';

/** A password with its user, and the device that the login names. */
export interface SrpCredentials {
  readonly username: string;
  readonly password: string;
  readonly DEVICE_KEY?: string;
}

/** The service is the SRP client, so the password is not passed on. */
export async function logInBySrp(
  deps: GatewayDeps,
  { username, password, ...device }: SrpCredentials,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const { engine, random, srp } = deps;
  const start = await srp.startClient({ aHex: drawPrivateValue(random) });
  const step = await startSrpAtProvider(deps, { USERNAME: username, SRP_A: start.srpAHex, ...device }, call);
  if (step.ChallengeName !== 'PASSWORD_VERIFIER') return step;
  const challenge = readVerifierChallenge(step);
  const identity = { poolName: toPoolName(deps), userIdForSrp: challenge.userIdForSrp };
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
      passwordHash: hashPassword(engine, identity, password),
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
    call,
  );
}
