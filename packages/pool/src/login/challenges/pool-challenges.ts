import type { ChallengeName } from '@poolgate/provider';
import type { PoolSettings } from '../../store/pool-and-client-settings.ts';
import type { Challenge, PoolChallengeName } from './challenge.ts';
import { customChallenge } from './custom-challenge.ts';
import { devicePasswordVerifierChallenge } from './device-password-verifier-challenge.ts';
import { deviceSrpAuthChallenge } from './device-srp-auth-challenge.ts';
import { emailSetupChallenge } from './email-setup-challenge.ts';
import { emailOtpChallenge, smsOtpChallenge } from './first-factor-code-challenge.ts';
import { keepAccountChallenge } from './keep-account-challenge.ts';
import { emailMfaChallenge, smsMfaChallenge } from './message-mfa-challenge.ts';
import { mfaSetupChallenge } from './mfa-setup-challenge.ts';
import { newPasswordRequiredChallenge } from './new-password-required-challenge.ts';
import { passwordChallenge } from './password-challenge.ts';
import { passwordSrpChallenge } from './password-srp-challenge.ts';
import { passwordVerifierChallenge } from './password-verifier-challenge.ts';
import { registrationVerifierChallenge } from './registration-verifier-challenge.ts';
import { selectChallengeChallenge } from './select-challenge.ts';
import { selectMfaTypeChallenge } from './select-mfa-type-challenge.ts';
import { softwareTokenMfaChallenge } from './software-token-mfa-challenge.ts';
import { webAuthnChallenge } from './web-authn-challenge.ts';

/** The challenges that this pool can issue, by name. */
export const POOL_CHALLENGES: Readonly<Record<PoolChallengeName, Challenge>> = {
  CUSTOM_CHALLENGE: customChallenge,
  DEVICE_PASSWORD_VERIFIER: devicePasswordVerifierChallenge,
  DEVICE_SRP_AUTH: deviceSrpAuthChallenge,
  EMAIL_MFA: emailMfaChallenge,
  EMAIL_OTP: emailOtpChallenge,
  EMAIL_SETUP: emailSetupChallenge,
  KEEP_ACCOUNT: keepAccountChallenge,
  MFA_SETUP: mfaSetupChallenge,
  NEW_PASSWORD_REQUIRED: newPasswordRequiredChallenge,
  PASSWORD: passwordChallenge,
  PASSWORD_SRP: passwordSrpChallenge,
  PASSWORD_VERIFIER: passwordVerifierChallenge,
  REGISTRATION_VERIFIER: registrationVerifierChallenge,
  SELECT_CHALLENGE: selectChallengeChallenge,
  SELECT_MFA_TYPE: selectMfaTypeChallenge,
  SMS_MFA: smsMfaChallenge,
  SMS_OTP: smsOtpChallenge,
  SOFTWARE_TOKEN_MFA: softwareTokenMfaChallenge,
  WEB_AUTHN: webAuthnChallenge,
};

/** Lists the challenges that a Cognito name can mean; empty if this pool never issues one. All of them are sent in the same way. */
export function listChallengesByCognitoName(name: string): readonly Challenge[] {
  return Object.values(POOL_CHALLENGES).filter(({ cognitoName }) => cognitoName === name);
}

/** Lists the Cognito names of the challenges that a login to a pool can return. */
export function listCognitoChallengeNames(settings: PoolSettings): readonly ChallengeName[] {
  const met = Object.values(POOL_CHALLENGES).filter(({ isOffered }) => isOffered?.(settings) ?? true);
  return [...new Set(met.map(({ cognitoName }) => cognitoName))];
}
