import { assertedCredential } from '@poolgate/contract';
import { requirePasskeys } from '../challenges/require-passkeys.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { type ObjectOrJson, readObjectOrJson } from '../kernel/object-or-json.ts';
import {
  type ChallengeResponder,
  hideFailureReason,
  respondAtProvider,
  type UsernamelessResponder,
} from './challenge-responder.ts';

/**
 * Converts the proof of a passkey, an object or its JSON text, to the provider's form: JSON text without duplicate members.
 * @throws {GatewayError} validation_failed
 */
function readPasskeyProof(value: ObjectOrJson): string {
  return JSON.stringify(readObjectOrJson(assertedCredential, 'challenge_value', value));
}

/** Answers WEB_AUTHN in a login with a username. An unknown passkey fails like any other wrong one. */
export const answerPasskey: ChallengeResponder = (deps, answer, call) => {
  const responses = { CREDENTIAL: readPasskeyProof(answer.value) };
  return hideFailureReason(
    'passkey_not_found',
    respondAtProvider(deps, answer, { name: 'WEB_AUTHN', responses }, call),
  );
};

/**
 * Answers WEB_AUTHN in a login without a username: the passkey identifies the user.
 * @throws {GatewayError} passkey_not_found, only here, so that a page can make the browser forget the passkey
 */
export const answerPasskeyWithoutUsername: UsernamelessResponder = async (deps, { session, value }, call) => {
  const { finish_discoverable_login: finish } = deps.provider.extensions;
  if (finish === undefined) throw new GatewayError('feature_disabled');
  await requirePasskeys(deps);
  const input = { ClientId: deps.clientId, Session: session, Credential: readPasskeyProof(value) };
  return finish(input, call);
};
