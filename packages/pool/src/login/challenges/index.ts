import type { ChallengeName } from '@poolgate/provider';
import type { PoolSettings } from '../../settings.ts';
import type { Challenge, PoolChallengeName } from './challenge.ts';
import { customChallenge } from './custom-challenge.ts';
import { devicePasswordVerifier } from './device-password-verifier.ts';
import { deviceSrpAuth } from './device-srp-auth.ts';
import { emailSetup } from './email-setup.ts';
import { emailOtp, smsOtp } from './first-factor-code.ts';
import { emailMfa, smsMfa } from './message-mfa.ts';
import { mfaSetup } from './mfa-setup.ts';
import { newPasswordRequired } from './new-password-required.ts';
import { password } from './password.ts';
import { passwordSrp } from './password-srp.ts';
import { passwordVerifier } from './password-verifier.ts';
import { registrationVerifier } from './registration-verifier.ts';
import { selectChallenge } from './select-challenge.ts';
import { selectMfaType } from './select-mfa-type.ts';
import { softwareTokenMfa } from './software-token-mfa.ts';
import { webAuthn } from './web-authn.ts';

/** The challenges that this pool can issue, by name. */
export const POOL_CHALLENGES: Readonly<Record<PoolChallengeName, Challenge>> = {
  CUSTOM_CHALLENGE: customChallenge,
  DEVICE_PASSWORD_VERIFIER: devicePasswordVerifier,
  DEVICE_SRP_AUTH: deviceSrpAuth,
  EMAIL_MFA: emailMfa,
  EMAIL_OTP: emailOtp,
  EMAIL_SETUP: emailSetup,
  MFA_SETUP: mfaSetup,
  NEW_PASSWORD_REQUIRED: newPasswordRequired,
  PASSWORD: password,
  PASSWORD_SRP: passwordSrp,
  PASSWORD_VERIFIER: passwordVerifier,
  REGISTRATION_VERIFIER: registrationVerifier,
  SELECT_CHALLENGE: selectChallenge,
  SELECT_MFA_TYPE: selectMfaType,
  SMS_MFA: smsMfa,
  SMS_OTP: smsOtp,
  SOFTWARE_TOKEN_MFA: softwareTokenMfa,
  WEB_AUTHN: webAuthn,
};

/** Every challenge that a Cognito name can stand for; none where this pool never issues it. All of them travel alike. */
export function challengesByCognitoName(name: string): readonly Challenge[] {
  return Object.values(POOL_CHALLENGES).filter(({ cognitoName }) => cognitoName === name);
}

/** The Cognito name of the challenges that a login on a pool can meet. */
export function cognitoChallengeNames(settings: PoolSettings): readonly ChallengeName[] {
  const met = Object.values(POOL_CHALLENGES).filter(({ isOffered }) => isOffered?.(settings) ?? true);
  return [...new Set(met.map(({ cognitoName }) => cognitoName))];
}
