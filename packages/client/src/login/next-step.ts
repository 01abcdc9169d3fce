import type { ChallengeName } from '@poolgate/contract';
import type { LoginResponse } from '../transport/login-responses.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';
import { finishLogin } from './finish-login.ts';
import { createSelectFactorStep, createSelectMfaStep } from './steps/choice-steps.ts';
import { createSentCodeStep, createTotpStep } from './steps/code-steps.ts';
import { proveDevice, startDeviceSrp } from './steps/device-step.ts';
import { type LoginRun, type PendingChallenge, toPendingChallenge } from './steps/login-run.ts';
import type { LoginStep } from './steps/login-steps.ts';
import { createNewPasswordStep } from './steps/new-password-step.ts';
import { createPasskeyStep } from './steps/passkey-step.ts';
import { createPasswordSrpStep, createPasswordStep, provePassword } from './steps/password-step.ts';
import { createQuestionStep, startAuthenticatorSetup } from './steps/setup-and-custom-steps.ts';

/** Turns a challenge into a step for the user, or lets the client answer it automatically. */
export type StepBuilder = (run: LoginRun, challenge: PendingChallenge) => LoginStep | Promise<LoginStep>;

/** The step for each challenge. If a challenge of the contract is missing here, the code does not compile. */
const STEPS: { readonly [Name in ChallengeName]: StepBuilder } = {
  CUSTOM_CHALLENGE: (run, challenge) => createQuestionStep(run, challenge),
  DEVICE_PASSWORD_VERIFIER: proveDevice,
  DEVICE_SRP_AUTH: startDeviceSrp,
  EMAIL_OTP: createSentCodeStep('email'),
  MFA_SETUP: startAuthenticatorSetup,
  NEW_PASSWORD_REQUIRED: (run, challenge) => createNewPasswordStep(run, challenge),
  // The password itself is never sent. It is proven in a separate login.
  PASSWORD: (run) => createPasswordStep(run),
  PASSWORD_SRP: createPasswordSrpStep,
  PASSWORD_VERIFIER: provePassword,
  SELECT_CHALLENGE: createSelectFactorStep,
  SELECT_MFA_TYPE: (run, challenge) => createSelectMfaStep(run, challenge),
  SMS_MFA: createSentCodeStep('sms'),
  SMS_OTP: createSentCodeStep('sms'),
  SOFTWARE_TOKEN_MFA: (run, challenge) => createTotpStep(run, challenge),
  WEB_AUTHN: (run, challenge) => createPasskeyStep(run, challenge),
};

/** Returns the step that follows a response. @throws {PoolgateError} */
export async function toNextStep(run: LoginRun, answer: LoginResponse | PendingChallenge): Promise<LoginStep> {
  if (!('status' in answer)) return buildStep(run, answer);
  return answer.status === 'success' ? finishLogin(run, answer) : buildStep(run, toPendingChallenge(answer));
}

async function buildStep(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  if (!isKnownChallenge(challenge.name)) throw new PoolgateError({ code: 'unexpected_answer', detail: challenge.name });
  return STEPS[challenge.name](run, challenge);
}

function isKnownChallenge(name: string): name is ChallengeName {
  return Object.hasOwn(STEPS, name);
}
