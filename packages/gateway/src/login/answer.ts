import { isChallengeName } from '@poolgate/provider';
import { GatewayError, invalidField } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { CHALLENGE_ANSWERS } from './challenge-answers.ts';
import { presentOutcome } from './outcome.ts';
import { isHandle } from './started-srp.ts';

/** POST /login/auth-challenge, /challenge and /login/challenge: one route for every pending challenge. */
export const answerChallenge: Handler<'loginAnswer'> = async (deps, { body, context }) => {
  const name = body.challenge_name.toUpperCase();
  if (!isChallengeName(name)) throw invalidField('challenge_name', 'not_allowed', 'is no challenge that is known');
  const respond = CHALLENGE_ANSWERS[name];
  if (respond === undefined) throw new GatewayError('challenge_mismatch');
  const { username, session } = body;
  if (name !== 'PASSWORD_VERIFIER' && isHandle(session)) throw new GatewayError('challenge_mismatch');
  const step = await respond(
    deps,
    { username, session, value: body.challenge_value, params: body.challenge_params },
    context,
  );
  return { status: 200, body: presentOutcome(step, { username }) };
};
