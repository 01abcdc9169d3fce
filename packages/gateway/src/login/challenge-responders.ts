import type { ChallengeName } from '@poolgate/provider';
import { type ChallengeResponder, relayedResponder, type UsernamelessResponder } from './challenge-responder.ts';
import { readAnswer, readChoice, readCode, readPassword, readSetUp } from './challenge-value.ts';
import { answerChoice } from './choice-answer.ts';
import { answerDeviceSrp } from './device-srp.ts';
import { answerDeviceVerifier } from './device-verifier.ts';
import { answerNewPassword } from './new-password.ts';
import { answerPasskey, answerPasskeyWithoutUsername } from './passkey-proof.ts';
import { answerPasswordSrp } from './password-srp.ts';
import { answerPasswordVerifier } from './password-verifier.ts';

/** How each challenge that a login can meet is answered. */
export const CHALLENGE_RESPONDERS: { readonly [Name in ChallengeName]?: ChallengeResponder } = {
  CUSTOM_CHALLENGE: relayedResponder('CUSTOM_CHALLENGE', readAnswer),
  DEVICE_PASSWORD_VERIFIER: answerDeviceVerifier,
  DEVICE_SRP_AUTH: answerDeviceSrp,
  EMAIL_OTP: relayedResponder('EMAIL_OTP', readCode('EMAIL_OTP_CODE')),
  MFA_SETUP: relayedResponder('MFA_SETUP', readSetUp),
  NEW_PASSWORD_REQUIRED: answerNewPassword,
  PASSWORD: relayedResponder('PASSWORD', readPassword),
  PASSWORD_SRP: answerPasswordSrp,
  PASSWORD_VERIFIER: answerPasswordVerifier,
  SELECT_CHALLENGE: answerChoice,
  SELECT_MFA_TYPE: relayedResponder('SELECT_MFA_TYPE', readChoice('SELECT_MFA_TYPE')),
  SMS_MFA: relayedResponder('SMS_MFA', readCode('SMS_MFA_CODE')),
  SMS_OTP: relayedResponder('SMS_OTP', readCode('SMS_OTP_CODE')),
  SOFTWARE_TOKEN_MFA: relayedResponder('SOFTWARE_TOKEN_MFA', readCode('SOFTWARE_TOKEN_MFA_CODE')),
  WEB_AUTHN: answerPasskey,
};

/** How a challenge is answered without a user name. For those that are not in here a missing name is a fault. */
export const USERNAMELESS_RESPONDERS: { readonly [Name in ChallengeName]?: UsernamelessResponder } = {
  WEB_AUTHN: answerPasskeyWithoutUsername,
};
