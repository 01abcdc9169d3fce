import type { CallContext } from '@poolgate/provider';
import type { LoginStepBody } from '../challenges/present-login-step.ts';
import { answerChallenge } from '../login/answer-challenge.ts';
import { logIn } from '../login/log-in.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type FactorProof, findProvenFactor } from '../web-sessions/factor-proofs.ts';
import type { Browser } from './browser.ts';
import { toDigestHex } from './digest-hex.ts';
import { openSession } from './open-session.ts';
import { findPendingLogin } from './pre-login.ts';
import { presentSignedIn } from './present-signed-in.ts';
import type { WebHandler } from './web-handler.ts';

/** POST /cognito/login. */
export const logInBrowser: WebHandler<'webLogin'> = async (runtime, request) => {
  const { browser, body, call } = request;
  const { body: outcome } = await logIn(runtime, request);
  const step = { outcome, proofs: createProofs(runtime, 'PASSWORD'), staysSignedIn: body.stay_signed_in === true };
  return { status: 200, body: await finishLoginStep(runtime, browser, step, call) };
};

/** POST /cognito/login/auth-challenge, /cognito/challenge and /cognito/login/challenge. */
export const answerBrowserChallenge: WebHandler<'webLoginAnswer'> = async (runtime, request) => {
  const { browser, body, call } = request;
  const before = findPendingLogin(browser.preLogin, body.session);
  const { body: outcome } = await answerChallenge(runtime, request);
  const factor = findProvenFactor(body.challenge_name, body.challenge_value);
  const step = {
    outcome,
    proofs: [...(before?.proofs ?? []), ...(factor === undefined ? [] : createProofs(runtime, factor))],
    staysSignedIn: body.stay_signed_in ?? before?.staysSignedIn ?? false,
  };
  return { status: 200, body: await finishLoginStep(runtime, browser, step, call) };
};

/** A factor that was just proven. */
export function createProofs({ clock }: Pick<GatewayRuntime, 'clock'>, factor: string): readonly FactorProof[] {
  return [{ factor, atMs: clock.now() }];
}

/** A login step with the provider's response. */
export interface LoginStepResult {
  readonly outcome: LoginStepBody;
  /** The proofs of the login so far. */
  readonly proofs: readonly FactorProof[];
  readonly staysSignedIn: boolean;
}

/** Opens the session of a finished login, or remembers a login that continues. */
export async function finishLoginStep(
  runtime: GatewayRuntime,
  browser: Browser,
  step: LoginStepResult,
  call: CallContext,
) {
  const { outcome } = step;
  if (outcome.status === 'challenge') return rememberLoginStep(browser, { ...step, outcome });
  const session = await openSession(runtime, browser, { ...step, tokens: outcome }, call);
  return presentSignedIn(session, outcome.new_device_metadata);
}

/** For a login that continues: the browser keeps the proofs so far for the next step. */
export function rememberLoginStep<Challenge extends { readonly session: string }>(
  browser: Browser,
  { outcome, proofs, staysSignedIn }: Omit<LoginStepResult, 'outcome'> & { readonly outcome: Challenge },
): Challenge {
  if (proofs.length > 0 || staysSignedIn) {
    browser.rememberPendingLogin({ sessionDigestHex: toDigestHex(outcome.session), proofs, staysSignedIn });
  }
  return outcome;
}
