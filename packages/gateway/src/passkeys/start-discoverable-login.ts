import { presentChoice } from '../challenges/choice-login.ts';
import { requirePasskeys } from '../challenges/require-passkeys.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** POST /login/passkey/discoverable: without a username, the authenticator shows its passkeys. */
export const startDiscoverableLogin: Handler<'passkeyDiscoverable'> = async (deps, { call }) => {
  const { start_discoverable_login: start } = deps.provider.extensions;
  if (start === undefined) throw new GatewayError('feature_disabled');
  await requirePasskeys(deps);
  const { Session, CredentialRequestOptions } = await start({ ClientId: deps.clientId }, call);
  const ChallengeParameters = { CREDENTIAL_REQUEST_OPTIONS: CredentialRequestOptions };
  return { status: 200, body: presentChoice({ ChallengeName: 'WEB_AUTHN', Session, ChallengeParameters }) };
};
