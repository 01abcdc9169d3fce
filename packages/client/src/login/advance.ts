import type { ChallengeName } from '@poolgate/contract';
import type { LoginAnswer } from '../answers.ts';
import { PoolgateError } from '../errors.ts';
import { finish } from './finish.ts';
import { challengeIn, type LoginRun, type PendingChallenge } from './run.ts';
import { selectFactorStep, selectMfaStep } from './steps/choices.ts';
import { sentCodeStep, totpStep } from './steps/codes.ts';
import { proveDevice, startDevice } from './steps/device.ts';
import { newPasswordStep } from './steps/new-password.ts';
import { passkeyStep } from './steps/passkey.ts';
import { passwordSrpStep, passwordStep, provePassword } from './steps/password.ts';
import { customStep, startSetUp } from './steps/set-up.ts';
import type { LoginStep } from './steps.ts';

/** What a challenge leads to: a step that waits for the user, or an answer that the client gives by itself. */
export type StepBuilder = (run: LoginRun, challenge: PendingChallenge) => LoginStep | Promise<LoginStep>;

/** The step of each challenge. A challenge that the contract has and this table does not is a compile error. */
const STEPS: { readonly [Name in ChallengeName]: StepBuilder } = {
  CUSTOM_CHALLENGE: (run, challenge) => customStep(run, challenge),
  DEVICE_PASSWORD_VERIFIER: proveDevice,
  DEVICE_SRP_AUTH: startDevice,
  EMAIL_OTP: sentCodeStep('email'),
  MFA_SETUP: startSetUp,
  NEW_PASSWORD_REQUIRED: (run, challenge) => newPasswordStep(run, challenge),
  // The password itself is never sent: it is proven in a login of its own.
  PASSWORD: (run) => passwordStep(run),
  PASSWORD_SRP: passwordSrpStep,
  PASSWORD_VERIFIER: provePassword,
  SELECT_CHALLENGE: selectFactorStep,
  SELECT_MFA_TYPE: (run, challenge) => selectMfaStep(run, challenge),
  SMS_MFA: sentCodeStep('sms'),
  SMS_OTP: sentCodeStep('sms'),
  SOFTWARE_TOKEN_MFA: (run, challenge) => totpStep(run, challenge),
  WEB_AUTHN: (run, challenge) => passkeyStep(run, challenge),
};

/** What an answer of the service leads to. @throws {PoolgateError} */
export async function advance(run: LoginRun, answer: LoginAnswer | PendingChallenge): Promise<LoginStep> {
  if (!('status' in answer)) return stepOf(run, answer);
  return answer.status === 'success' ? finish(run, answer) : stepOf(run, challengeIn(answer));
}

async function stepOf(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  if (!isKnown(challenge.name)) throw new PoolgateError({ code: 'unexpected_answer', detail: challenge.name });
  return STEPS[challenge.name](run, challenge);
}

function isKnown(name: string): name is ChallengeName {
  return Object.hasOwn(STEPS, name);
}
