import { COGNITO_GROUP, hexFromInteger, parsePublicValue, startClient, toBase64 } from '@poolgate/srp';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { unlessDeviceUnknown } from './device-key.ts';
import { presentOutcome } from './outcome.ts';
import { putPending, sessionDigest } from './pending.ts';
import { onClientValues } from './srp-fields.ts';
import { readVerifierChallenge, startAtProvider } from './srp-start.ts';

const HANDLE_BYTES = 32;

/**
 * POST /login/srp: the first step of SRP. Cognito gives no session with PASSWORD_VERIFIER, and any SECRET_BLOCK can be
 * answered by whoever has it; so the gateway makes a handle and remembers to whom the secret block was given.
 */
export const startSrp: Handler<'loginSrp'> = async (deps, { body, context }) => {
  const { username, session_token: sessionToken, device_key: deviceKey } = body;
  const start = body.srp_a === undefined ? startForClient(deps) : { srpAHex: canonicalSrpA(body.srp_a) };
  const step = await unlessDeviceUnknown(deviceKey, (device) =>
    startAtProvider(deps, { USERNAME: username, SRP_A: start.srpAHex, ...device }, context),
  );
  if (step.ChallengeName !== 'PASSWORD_VERIFIER') return { status: 200, body: presentOutcome(step, { username }) };

  const { secretBlockB64, userIdForSrp } = readVerifierChallenge(step);
  // Base64 of 32 bytes ends in "=", so a handle is never mistaken for a hexadecimal private value.
  const session = toBase64(deps.random(HANDLE_BYTES));
  await putPending(deps, secretBlockB64, {
    username,
    userIdForSrp,
    ...start,
    sessionDigestsHex: [session, sessionToken]
      .filter((token) => token !== undefined)
      .map((token) => sessionDigest(deps, token)),
    ...(step.Session === undefined ? {} : { providerSession: step.Session }),
  });
  return { status: 200, body: presentOutcome(step, { username, session, sessionToken }) };
};

/** The service makes the private value itself, for clients that cannot. */
function startForClient({ engine, random, settings }: GatewayDeps): {
  readonly aHex: string;
  readonly srpAHex: string;
} {
  if (!settings.srpAssisted) throw new GatewayError('feature_disabled', 'Send srp_a: the service makes none.');
  return startClient({ engine, random });
}

function canonicalSrpA(srpA: string): string {
  const value = onClientValues(() => parsePublicValue(srpA, 'SRP_A', COGNITO_GROUP), { SRP_A: 'srp_a' });
  return hexFromInteger(value);
}
