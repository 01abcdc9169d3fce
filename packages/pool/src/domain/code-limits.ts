import type { GuessCounter } from './lockout.ts';

const WRONG_CODES = 10;
const WINDOW_MS = 15 * 60_000;

/** What a code can be guessed at for. */
export type GuessedCode =
  | 'EMAIL_MFA'
  | 'EMAIL_OTP'
  | 'EMAIL_SETUP'
  | 'ENROLMENT'
  | 'SMS_MFA'
  | 'SMS_OTP'
  | 'SOFTWARE_TOKEN_MFA'
  | 'forgot_password'
  | 'sign_up'
  | 'verify_email'
  | 'verify_phone_number';

/** How hard a code is to guess. */
export interface CodeLimit {
  readonly digits: number;
  /** How many codes are right at a time. */
  readonly rightAtOnce: number;
  /** Whether only who has proven a first factor can try one. */
  readonly isBehindFirstFactor: boolean;
}

/** What anybody can try who knows a name: two digits more, since nothing but the waits stands in the way. */
const OPEN: CodeLimit = { digits: 8, rightAtOnce: 1, isBehindFirstFactor: false };

const BEHIND: CodeLimit = { digits: 6, rightAtOnce: 1, isBehindFirstFactor: true };

/** An authenticator's code of the time step before and after is good too. */
const AUTHENTICATOR: CodeLimit = { ...BEHIND, rightAtOnce: 3 };

/** The table of limits of codes: from it come the digits that are drawn, and the counters of wrong ones. */
export const CODE_LIMITS: Readonly<Record<GuessedCode, CodeLimit>> = {
  EMAIL_MFA: BEHIND,
  EMAIL_OTP: OPEN,
  EMAIL_SETUP: BEHIND,
  ENROLMENT: AUTHENTICATOR,
  SMS_MFA: BEHIND,
  SMS_OTP: OPEN,
  SOFTWARE_TOKEN_MFA: AUTHENTICATOR,
  forgot_password: OPEN,
  // Of several registrations of one name the code of each is good: of so many.
  sign_up: { ...OPEN, rightAtOnce: 3 },
  verify_email: BEHIND,
  verify_phone_number: BEHIND,
};

/**
 * Wrong codes of a user, each kind for itself: ten, then a quarter of an hour without any. So who spends the ones that anybody
 * can try, spends nothing of what lies behind a first factor.
 */
export const CODE_GUESSES: Readonly<Record<GuessedCode, GuessCounter>> = {
  EMAIL_MFA: counterOf('EMAIL_MFA'),
  EMAIL_OTP: counterOf('EMAIL_OTP'),
  EMAIL_SETUP: counterOf('EMAIL_SETUP'),
  ENROLMENT: counterOf('ENROLMENT'),
  SMS_MFA: counterOf('SMS_MFA'),
  SMS_OTP: counterOf('SMS_OTP'),
  SOFTWARE_TOKEN_MFA: counterOf('SOFTWARE_TOKEN_MFA'),
  forgot_password: counterOf('forgot_password'),
  sign_up: counterOf('sign_up'),
  verify_email: counterOf('verify_email'),
  verify_phone_number: counterOf('verify_phone_number'),
};

function counterOf(name: GuessedCode): GuessCounter {
  return {
    name: `code.${name.toLowerCase()}`,
    lockMs: (failures) => (failures < WRONG_CODES ? 0 : WINDOW_MS),
    quietMs: WINDOW_MS,
    isBehindFirstFactor: CODE_LIMITS[name].isBehindFirstFactor,
    lockedMessage: 'Attempt limit exceeded, please try after some time.',
  };
}
