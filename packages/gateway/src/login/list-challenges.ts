import { presentChoice, startChoiceLogin } from '../challenges/choice-login.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET and POST /login/passkey/challenge: lists the choices. An unknown user gets the same response as a known one. */
export const listChallenges: Handler<'passkeyChallenges'> = async (deps, { body, call }) => {
  const step = await startChoiceLogin(deps, { USERNAME: body.username }, call);
  return { status: 200, body: presentChoice(step) };
};
