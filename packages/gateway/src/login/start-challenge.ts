import { isChallengeName } from '@poolgate/provider';
import {
  type ChoiceChallenge,
  isChoiceChallenge,
  presentChoice,
  startChoiceLogin,
} from '../challenges/choice-login.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

const FIELD = 'challenge_name';

/** GET and POST /login/passkey/challenge/{challenge_name}: starts a challenge, which may send a code. */
export const startChallenge: Handler<'passkeyChallenge'> = async (deps, { params, body, call }) => {
  const name = requireChoiceChallenge(params.challenge_name);
  if (body.challenge_name !== undefined && body.challenge_name.toUpperCase() !== name) {
    throw invalidFieldError(FIELD, 'mismatch', 'has different values in the path and the rest of the request');
  }
  const step = await startChoiceLogin(deps, { USERNAME: body.username, PREFERRED_CHALLENGE: name }, call, body.session);
  // A provider that does not offer the factor asks for another choice.
  if (step.ChallengeName !== name) throw new GatewayError('challenge_mismatch');
  return { status: 200, body: presentChoice(step) };
};

/** @throws {GatewayError} validation_failed for an unknown challenge; challenge_mismatch for one that cannot start a login here */
function requireChoiceChallenge(text: string): ChoiceChallenge {
  const name = text.toUpperCase();
  if (isChoiceChallenge(name)) return name;
  if (isChallengeName(name)) throw new GatewayError('challenge_mismatch');
  throw invalidFieldError(FIELD, 'not_allowed', 'is not a supported challenge');
}
