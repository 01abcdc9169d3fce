/** A key that is part of the configuration, but whose feature this version does not have. */
export interface UnavailableSetting {
  readonly env: string;
  /** The feature that it belongs to. */
  readonly feature: string;
}

const COGNITO = 'Amazon Cognito as the provider';
const DEVICES = 'trusted devices';
const FACTORS = 'multi-factor authentication';
const PASSKEYS = 'passkeys';
const SENDERS = 'senders of mail and SMS';
const ACCOUNTS = 'self-service of accounts';

/**
 * Setting one of these is a fault: to accept and ignore it would promise something that does not happen.
 * A key moves from here to its slice together with its feature.
 */
export const UNAVAILABLE: readonly UnavailableSetting[] = [
  { env: 'IDP_CLIENT_SECRET', feature: 'app clients with a secret behind the routes' },
  { env: 'IDP_ENDPOINT', feature: COGNITO },
  { env: 'IDP_JWKS_URL', feature: COGNITO },
  { env: 'IDP_DEVICE_TRACKING', feature: DEVICES },
  { env: 'IDP_FIRST_FACTORS', feature: PASSKEYS },
  { env: 'IDP_RECOVERY', feature: ACCOUNTS },
  { env: 'IDP_MFA_TYPE', feature: FACTORS },
  { env: 'IDP_MFA_QR_LIBRARY', feature: FACTORS },
  { env: 'IDP_ALLOW_PASSKEYS', feature: PASSKEYS },
  { env: 'IDP_RP_ID', feature: PASSKEYS },
  { env: 'IDP_ORIGINS', feature: PASSKEYS },
  { env: 'IDP_ADMIN_GROUPS', feature: FACTORS },
  { env: 'IDP_FRESH_PROOF_SECONDS', feature: FACTORS },
  { env: 'POOLGATE_WEB_PREFIX', feature: 'web pages and sessions' },
  { env: 'POOLGATE_METRICS_PORT', feature: 'metrics' },
  { env: 'POOLGATE_SMTP_URL', feature: SENDERS },
  { env: 'POOLGATE_MAIL_FROM', feature: SENDERS },
  { env: 'POOLGATE_SMS', feature: SENDERS },
];
