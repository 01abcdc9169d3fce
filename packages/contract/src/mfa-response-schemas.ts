import { texts } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';
import { mfa } from './user-response-schemas.ts';

/** Whether the change ended other logins; part of the response to a change of login factors. */
export const loginEnded = {
  login_ended: {
    type: 'boolean',
    description:
      'True if the provider could not end the other sessions alone, so this one has ended too. Otherwise missing.',
  },
} as const;

/** A success response after the caller's other sessions ended. */
export const otherSessionsEnded = createSuccessSchema({}, loginEnded);

/** A new authenticator app that the user has not verified yet. */
export const mfaActivation = createSuccessSchema(
  {
    SecretCode: { type: 'string', description: 'Base32. Shown this once.' },
    SecretCodeQR: { type: 'string', description: 'URL of a QR image of TotpUri: the image itself, unless configured.' },
    TotpUri: { type: 'string', description: 'otpauth://totp/…' },
  },
  { session: { type: 'string', description: 'Where a session was sent: the one to verify with.' } },
);

/** A verified authenticator app. */
export const mfaVerification = createSuccessSchema(
  {},
  {
    ...loginEnded,
    session: { type: 'string', description: 'Where a session was sent: the one to answer MFA_SETUP with.' },
  },
);

/** New recovery codes. */
export const recoveryCodes = createSuccessSchema(
  { recovery_codes: { ...texts, description: 'Shown this once.' } },
  loginEnded,
);

/** The login factors that a user has set up. */
export const userFactors = createSuccessSchema({
  factors: { ...texts, description: 'Everything that the user can prove.' },
  mfa,
  recovery_codes_left: {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'Null if the provider has no recovery codes.',
  },
});
