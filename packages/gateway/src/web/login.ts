import type { CallContext } from '@poolgate/provider';
import type { OutcomeBody } from '../challenges/outcome.ts';
import { answerChallenge } from '../login/answer.ts';
import { logIn } from '../login/password.ts';
import type { GatewayRuntime } from '../runtime.ts';
import type { Browser } from './browser.ts';
import { digestOf } from './digest.ts';
import { openSession } from './open-session.ts';
import { pendingOf } from './pre-login.ts';
import { presentSignedIn } from './present.ts';
import { factorOf, type Proof } from './proofs.ts';
import type { WebHandler } from './web-handler.ts';

/** POST /cognito/login. */
export const logInBrowser: WebHandler<'webLogin'> = async (runtime, request) => {
  const { browser, body, context } = request;
  const { body: outcome } = await logIn(runtime, request);
  const step = { outcome, proofs: provenNow(runtime, 'PASSWORD'), staysSignedIn: body.stay_signed_in === true };
  return { status: 200, body: await finishStep(runtime, browser, step, context) };
};

/** POST /cognito/login/auth-challenge, /cognito/challenge and /cognito/login/challenge. */
export const answerBrowserChallenge: WebHandler<'webLoginAnswer'> = async (runtime, request) => {
  const { browser, body, context } = request;
  const before = pendingOf(browser.preLogin, body.session);
  const { body: outcome } = await answerChallenge(runtime, request);
  const factor = factorOf(body.challenge_name);
  const step = {
    outcome,
    proofs: [...(before?.proofs ?? []), ...(factor === undefined ? [] : provenNow(runtime, factor))],
    staysSignedIn: body.stay_signed_in ?? before?.staysSignedIn ?? false,
  };
  return { status: 200, body: await finishStep(runtime, browser, step, context) };
};

/** A factor that was proven just now. */
export function provenNow({ clock }: Pick<GatewayRuntime, 'clock'>, factor: string): readonly Proof[] {
  return [{ factor, atMs: clock.now() }];
}

/** A step of a login that the provider has answered. */
export interface AnsweredStep {
  readonly outcome: OutcomeBody;
  /** What the login has proven so far. */
  readonly proofs: readonly Proof[];
  readonly staysSignedIn: boolean;
}

async function finishStep(runtime: GatewayRuntime, browser: Browser, step: AnsweredStep, context: CallContext) {
  const { outcome } = step;
  if (outcome.status === 'challenge') return rememberStep(browser, { ...step, outcome });
  const session = await openSession(runtime, browser, { ...step, tokens: outcome }, context);
  return presentSignedIn(session, outcome.new_device_metadata);
}

/** A login that goes on: what was shown so far goes with the browser to the next step. */
export function rememberStep<Challenge extends { readonly session: string }>(
  browser: Browser,
  { outcome, proofs, staysSignedIn }: Omit<AnsweredStep, 'outcome'> & { readonly outcome: Challenge },
): Challenge {
  if (proofs.length > 0 || staysSignedIn) {
    browser.rememberPending({ sessionDigestHex: digestOf(outcome.session), proofs, staysSignedIn });
  }
  return outcome;
}
