import { type CallContext, type ChallengeName, isChallengeName } from '@poolgate/provider';
import { type ProviderLoginStep, presentLoginStep } from '../challenges/present-login-step.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { recordRequiredReset } from '../users/password-reset-flag.ts';
import type { ChallengeAnswer } from './challenge-responder.ts';
import { CHALLENGE_RESPONDERS, USERNAMELESS_RESPONDERS } from './challenge-responders.ts';
import { offerOtherFirstFactors } from './other-first-factors.ts';
import { isSrpSessionHandle } from './srp-session-handle.ts';

/** POST /login/auth-challenge, /challenge and /login/challenge: one route for every pending challenge. */
export const answerChallenge: Handler<'loginAnswer'> = async (runtime, { body, call }) => {
  const name = body.challenge_name.toUpperCase();
  if (!isChallengeName(name)) throw invalidFieldError('challenge_name', 'not_allowed', 'is not a supported challenge');
  const { username, session, challenge_value: value, challenge_params: params } = body;
  const answer = { session, value, params };
  const step =
    username === undefined
      ? await respondWithoutUsername(runtime, name, answer, call)
      : await recordRequiredReset(
          runtime,
          username,
          respondToChallenge(runtime, name, { ...answer, username }, call),
          call,
        );
  return { status: 200, body: presentLoginStep(step, { username }) };
};

function respondToChallenge(
  runtime: GatewayRuntime,
  name: ChallengeName,
  answer: ChallengeAnswer,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const row = CHALLENGE_RESPONDERS[name];
  if (row === undefined) throw new GatewayError('challenge_mismatch');
  if (name !== 'PASSWORD_VERIFIER' && isSrpSessionHandle(answer.session)) throw new GatewayError('challenge_mismatch');
  const step = row(runtime, answer, call);
  return PROVES_PASSWORD.has(name) ? offerOtherFirstFactors(runtime, step) : step;
}

/** Challenges whose answer proves a password. */
const PROVES_PASSWORD: ReadonlySet<ChallengeName> = new Set(['PASSWORD', 'PASSWORD_SRP', 'PASSWORD_VERIFIER']);

function respondWithoutUsername(
  runtime: GatewayRuntime,
  name: ChallengeName,
  answer: Omit<ChallengeAnswer, 'username'>,
  call: CallContext,
): Promise<ProviderLoginStep> {
  const row = USERNAMELESS_RESPONDERS[name];
  if (row === undefined) throw invalidFieldError('username', 'required', 'is required');
  return row(runtime, answer, call);
}
