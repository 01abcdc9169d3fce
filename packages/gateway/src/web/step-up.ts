import type { CallContext } from '@poolgate/provider';
import type { LoginStepBody } from '../challenges/present-login-step.ts';
import { invalidFieldError } from '../kernel/gateway-errors.ts';
import { answerChallenge } from '../login/answer-challenge.ts';
import { logIn } from '../login/log-in.ts';
import type { RouteRequest } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { findProvenFactor } from '../web-sessions/factor-proofs.ts';
import { sessionEndedError } from './browser-guard.ts';
import { createProofs, rememberLoginStep } from './browser-login.ts';
import { renewSession } from './open-session.ts';
import { findPendingLogin } from './pre-login.ts';
import { presentSignedIn } from './present-signed-in.ts';
import type { WebHandler } from './web-handler.ts';

type StepUpBody = RouteRequest<'webStepUp'>['body'];

/**
 * POST /cognito/session/step-up. The signed-in user reauthenticates with the password, or with the last answer of a login from any of the
 * login routes. The session continues with a new id, a new CSRF token and the tokens of that login.
 */
export const stepUp: WebHandler<'webStepUp'> = async (runtime, { browser, body, call }) => {
  const { session } = browser;
  if (session === undefined) throw sessionEndedError();
  const before = findPendingLogin(browser.preLogin, body.session);
  const { outcome, factor } = await verifyStepUp(runtime, session.caller.username, body, call);
  const proofs = [...(before?.proofs ?? []), ...(factor === undefined ? [] : createProofs(runtime, factor))];
  if (outcome.status === 'challenge') {
    return { status: 200, body: rememberLoginStep(browser, { outcome, proofs, staysSignedIn: false }) };
  }
  const renewed = await renewSession(runtime, browser, session, { tokens: outcome, proofs }, call);
  return { status: 200, body: presentSignedIn(renewed, outcome.new_device_metadata) };
};

interface StepUpResult {
  readonly outcome: LoginStepBody;
  readonly factor: string | undefined;
}

async function verifyStepUp(
  runtime: GatewayRuntime,
  username: string,
  body: StepUpBody,
  call: CallContext,
): Promise<StepUpResult> {
  const { password, device_key: deviceKey, challenge_name: challengeName, session } = body;
  const shared = {
    params: undefined,
    query: undefined,
    caller: { kind: 'public' },
    call,
    acceptLanguage: undefined,
  } as const;
  if (password !== undefined) {
    if (challengeName !== undefined)
      throw invalidFieldError('challenge_name', 'not_allowed', 'is only allowed without a password');
    const device = deviceKey === undefined ? {} : { device_key: deviceKey };
    const answer = await logIn(runtime, { ...shared, body: { username, password, ...device } });
    return { outcome: answer.body, factor: 'PASSWORD' };
  }
  if (challengeName === undefined)
    throw invalidFieldError('challenge_name', 'required', 'is required without a password');
  if (session === undefined) throw invalidFieldError('session', 'required', 'is required without a password');
  const answer = await answerChallenge(runtime, {
    ...shared,
    body: { ...body, challenge_name: challengeName, session },
  });
  return { outcome: answer.body, factor: findProvenFactor(challengeName) };
}
