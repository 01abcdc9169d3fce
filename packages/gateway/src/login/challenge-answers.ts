import type { ChallengeName } from '@poolgate/provider';
import { type Respond, type RespondNameless, relay } from './challenge-answer.ts';
import { readChoice, readCode, readPassword, readSetUp } from './challenge-value.ts';
import { answerChoice } from './choice-answer.ts';
import { answerDeviceSrp } from './device-srp.ts';
import { answerDeviceVerifier } from './device-verifier.ts';
import { readNewPassword } from './new-password.ts';
import { answerPasskey, answerPasskeyNameless } from './passkey-proof.ts';
import { answerPasswordSrp } from './password-srp.ts';
import { answerVerifier } from './password-verifier.ts';

/** How each challenge that a login can meet is answered. */
export const CHALLENGE_ANSWERS: { readonly [Name in ChallengeName]?: Respond } = {
  DEVICE_PASSWORD_VERIFIER: answerDeviceVerifier,
  DEVICE_SRP_AUTH: answerDeviceSrp,
  EMAIL_OTP: relay('EMAIL_OTP', readCode('EMAIL_OTP_CODE')),
  MFA_SETUP: relay('MFA_SETUP', readSetUp),
  NEW_PASSWORD_REQUIRED: relay('NEW_PASSWORD_REQUIRED', readNewPassword),
  PASSWORD: relay('PASSWORD', readPassword),
  PASSWORD_SRP: answerPasswordSrp,
  PASSWORD_VERIFIER: answerVerifier,
  SELECT_CHALLENGE: answerChoice,
  SELECT_MFA_TYPE: relay('SELECT_MFA_TYPE', readChoice('SELECT_MFA_TYPE')),
  SMS_MFA: relay('SMS_MFA', readCode('SMS_MFA_CODE')),
  SMS_OTP: relay('SMS_OTP', readCode('SMS_OTP_CODE')),
  SOFTWARE_TOKEN_MFA: relay('SOFTWARE_TOKEN_MFA', readCode('SOFTWARE_TOKEN_MFA_CODE')),
  WEB_AUTHN: answerPasskey,
};

/** How a challenge is answered without a user name. For those that are not in here a missing name is a fault. */
export const NAMELESS_ANSWERS: { readonly [Name in ChallengeName]?: RespondNameless } = {
  WEB_AUTHN: answerPasskeyNameless,
};
