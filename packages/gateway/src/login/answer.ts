import { type CallContext, type ChallengeName, isChallengeName } from '@poolgate/provider';
import { recordingReset } from '../account/reset-flag.ts';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError, invalidField } from '../errors.ts';
import type { Handler } from '../handler.ts';
import type { ChallengeAnswer } from './challenge-responder.ts';
import { CHALLENGE_RESPONDERS, USERNAMELESS_RESPONDERS } from './challenge-responders.ts';
import { type ProviderStep, presentOutcome } from './outcome.ts';
import { isHandle } from './started-srp.ts';

/** POST /login/auth-challenge, /challenge and /login/challenge: one route for every pending challenge. */
export const answerChallenge: Handler<'loginAnswer'> = async (deps, { body, context }) => {
  const name = body.challenge_name.toUpperCase();
  if (!isChallengeName(name)) throw invalidField('challenge_name', 'not_allowed', 'is no challenge that is known');
  const { username, session, challenge_value: value, challenge_params: params } = body;
  const answer = { session, value, params };
  const step =
    username === undefined
      ? await respondWithoutUsername(deps, name, answer, context)
      : await recordingReset(deps, username, respond(deps, name, { ...answer, username }, context), context);
  return { status: 200, body: presentOutcome(step, { username }) };
};

function respond(
  deps: GatewayDeps,
  name: ChallengeName,
  answer: ChallengeAnswer,
  context: CallContext,
): Promise<ProviderStep> {
  const row = CHALLENGE_RESPONDERS[name];
  if (row === undefined) throw new GatewayError('challenge_mismatch');
  if (name !== 'PASSWORD_VERIFIER' && isHandle(answer.session)) throw new GatewayError('challenge_mismatch');
  return row(deps, answer, context);
}

function respondWithoutUsername(
  deps: GatewayDeps,
  name: ChallengeName,
  answer: Omit<ChallengeAnswer, 'username'>,
  context: CallContext,
): Promise<ProviderStep> {
  const row = USERNAMELESS_RESPONDERS[name];
  if (row === undefined) throw invalidField('username', 'required', 'is required');
  return row(deps, answer, context);
}
