/** Every challenge that a login can return, by Cognito's name. */
export const CHALLENGE_NAMES = [
  'CUSTOM_CHALLENGE',
  'DEVICE_PASSWORD_VERIFIER',
  'DEVICE_SRP_AUTH',
  'EMAIL_OTP',
  'MFA_SETUP',
  'NEW_PASSWORD_REQUIRED',
  'PASSWORD',
  'PASSWORD_SRP',
  'PASSWORD_VERIFIER',
  'SELECT_CHALLENGE',
  'SELECT_MFA_TYPE',
  'SMS_MFA',
  'SMS_OTP',
  'SOFTWARE_TOKEN_MFA',
  'WEB_AUTHN',
] as const;

/** One of {@link CHALLENGE_NAMES}. */
export type ChallengeName = (typeof CHALLENGE_NAMES)[number];
