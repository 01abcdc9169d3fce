import { assertedCredential } from '@poolgate/contract';
import { GatewayError } from '../errors.ts';
import { requirePasskeys } from '../passkeys/offered.ts';
import { type Respond, type RespondNameless, respondAtProvider, withoutTelling } from './challenge-answer.ts';
import { readStringified, type Stringified } from './stringified.ts';

/**
 * The proof of a passkey, an object or its JSON text, as the provider takes it: JSON text that names no member twice.
 * @throws {GatewayError} validation_failed
 */
function readProof(value: Stringified): string {
  return JSON.stringify(readStringified(assertedCredential, 'challenge_value', value));
}

/** Answers WEB_AUTHN of a login with a user name. A passkey that nobody has proves nothing, like any other wrong one. */
export const answerPasskey: Respond = (deps, answer, context) => {
  const responses = { CREDENTIAL: readProof(answer.value) };
  return withoutTelling(
    'passkey_not_found',
    respondAtProvider(deps, answer, { name: 'WEB_AUTHN', responses }, context),
  );
};

/**
 * Answers WEB_AUTHN of a login without a user name: the passkey tells whose it is.
 * @throws {GatewayError} passkey_not_found here alone, so that a browser may be told to forget the passkey
 */
export const answerPasskeyNameless: RespondNameless = async (deps, { session, value }, context) => {
  const { finish_discoverable_login: finish } = deps.provider.extensions;
  if (finish === undefined) throw new GatewayError('feature_disabled');
  await requirePasskeys(deps);
  const input = { ClientId: deps.clientId, Session: session, Credential: readProof(value) };
  return finish(input, context);
};
