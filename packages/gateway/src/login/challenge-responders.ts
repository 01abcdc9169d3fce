import type { ChallengeName } from '@poolgate/provider';
import { answerChoice } from './answer-choice.ts';
import { answerDeviceSrp } from './answer-device-srp.ts';
import { answerDeviceVerifier } from './answer-device-verifier.ts';
import { answerNewPassword } from './answer-new-password.ts';
import { answerPasskey, answerPasskeyWithoutUsername } from './answer-passkey.ts';
import { answerPasswordSrp } from './answer-password-srp.ts';
import { answerPasswordVerifier } from './answer-password-verifier.ts';
import { type ChallengeResponder, createRelayResponder, type UsernamelessResponder } from './challenge-responder.ts';
import { createChoiceReader, createCodeReader, readAnswer, readMfaSetup, readPassword } from './challenge-value.ts';

/** The responder for each challenge of a login. */
export const CHALLENGE_RESPONDERS: { readonly [Name in ChallengeName]?: ChallengeResponder } = {
  CUSTOM_CHALLENGE: createRelayResponder('CUSTOM_CHALLENGE', readAnswer),
  DEVICE_PASSWORD_VERIFIER: answerDeviceVerifier,
  DEVICE_SRP_AUTH: answerDeviceSrp,
  EMAIL_OTP: createRelayResponder('EMAIL_OTP', createCodeReader('EMAIL_OTP_CODE')),
  MFA_SETUP: createRelayResponder('MFA_SETUP', readMfaSetup),
  NEW_PASSWORD_REQUIRED: answerNewPassword,
  PASSWORD: createRelayResponder('PASSWORD', readPassword),
  PASSWORD_SRP: answerPasswordSrp,
  PASSWORD_VERIFIER: answerPasswordVerifier,
  SELECT_CHALLENGE: answerChoice,
  SELECT_MFA_TYPE: createRelayResponder('SELECT_MFA_TYPE', createChoiceReader('SELECT_MFA_TYPE')),
  SMS_MFA: createRelayResponder('SMS_MFA', createCodeReader('SMS_MFA_CODE')),
  SMS_OTP: createRelayResponder('SMS_OTP', createCodeReader('SMS_OTP_CODE')),
  SOFTWARE_TOKEN_MFA: createRelayResponder('SOFTWARE_TOKEN_MFA', createCodeReader('SOFTWARE_TOKEN_MFA_CODE')),
  WEB_AUTHN: answerPasskey,
};

/** The responders for challenges without a username. For all others, a missing username is an error. */
export const USERNAMELESS_RESPONDERS: { readonly [Name in ChallengeName]?: UsernamelessResponder } = {
  WEB_AUTHN: answerPasskeyWithoutUsername,
};
