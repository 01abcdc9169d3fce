import type { GuessCounter } from './lockout.ts';

const WRONG_CODES = 10;
const WINDOW_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;

/** Wrong codes of one kind that are accepted for a user in a day, from all networks together. */
const CODES_PER_DAY = 1_000;

/** After this many wrong codes without a session, a reset code works only with its session. */
const GUESSES_OF_NEWEST_RESET_CODE = 100;

/** The kinds of codes that can be guessed. */
export type GuessableCode =
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
  /** How many codes are valid at a time. */
  readonly validAtOnce: number;
  /** Whether only a caller with a proven first factor can try one. */
  readonly isBehindFirstFactor: boolean;
}

/** Codes that anyone who knows a name can try have two more digits, because only the waits protect them. */
const ANONYMOUS_LIMIT: CodeLimit = { digits: 8, validAtOnce: 1, isBehindFirstFactor: false };

const BEHIND_FIRST_FACTOR_LIMIT: CodeLimit = { digits: 6, validAtOnce: 1, isBehindFirstFactor: true };

/** An authenticator's codes of the previous and next time steps are valid too. */
const AUTHENTICATOR_LIMIT: CodeLimit = { ...BEHIND_FIRST_FACTOR_LIMIT, validAtOnce: 3 };

/** The limits of all codes, which define the number of digits and the counters of wrong codes. */
export const CODE_LIMITS: Readonly<Record<GuessableCode, CodeLimit>> = {
  EMAIL_MFA: BEHIND_FIRST_FACTOR_LIMIT,
  EMAIL_OTP: ANONYMOUS_LIMIT,
  EMAIL_SETUP: BEHIND_FIRST_FACTOR_LIMIT,
  ENROLMENT: AUTHENTICATOR_LIMIT,
  SMS_MFA: BEHIND_FIRST_FACTOR_LIMIT,
  SMS_OTP: ANONYMOUS_LIMIT,
  SOFTWARE_TOKEN_MFA: AUTHENTICATOR_LIMIT,
  forgot_password: ANONYMOUS_LIMIT,
  // If several people register one name, the code of each is valid; this is the maximum.
  sign_up: { ...ANONYMOUS_LIMIT, validAtOnce: 3 },
  verify_email: BEHIND_FIRST_FACTOR_LIMIT,
  verify_phone_number: BEHIND_FIRST_FACTOR_LIMIT,
};

/**
 * Wrong codes, counted separately for each kind: ten, then none for a quarter of an hour. Kinds that anyone can try count for each user and
 * network. Kinds that follow a first factor count for each user, so exhausting the former does not affect the latter.
 */
export const CODE_GUESS_COUNTERS: Readonly<Record<GuessableCode, GuessCounter>> = {
  EMAIL_MFA: createCodeGuessCounter('EMAIL_MFA'),
  EMAIL_OTP: createCodeGuessCounter('EMAIL_OTP'),
  EMAIL_SETUP: createCodeGuessCounter('EMAIL_SETUP'),
  ENROLMENT: createCodeGuessCounter('ENROLMENT'),
  SMS_MFA: createCodeGuessCounter('SMS_MFA'),
  SMS_OTP: createCodeGuessCounter('SMS_OTP'),
  SOFTWARE_TOKEN_MFA: createCodeGuessCounter('SOFTWARE_TOKEN_MFA'),
  forgot_password: createCodeGuessCounter('forgot_password'),
  sign_up: createCodeGuessCounter('sign_up'),
  verify_email: createCodeGuessCounter('verify_email'),
  verify_phone_number: createCodeGuessCounter('verify_phone_number'),
};

/**
 * Wrong codes with one session of `/password/forgot`. Ten invalidate the code of that session. Only the browser that requested the code can
 * send them.
 */
export const RESET_SESSION_GUESS_COUNTER: GuessCounter = {
  ...withoutDailyLimit(CODE_GUESS_COUNTERS.forgot_password),
  name: 'code.forgot_password.session',
  lockMs: (failures) => (failures < WRONG_CODES ? 0 : HOUR_MS),
  resetAfterMs: HOUR_MS,
};

/** Wrong reset codes without a session from all networks, since the newest code was sent. */
export const NEWEST_RESET_CODE_GUESS_COUNTER: GuessCounter = {
  ...withoutDailyLimit(CODE_GUESS_COUNTERS.forgot_password),
  name: 'code.forgot_password.newest',
  lockMs: (failures) => (failures < GUESSES_OF_NEWEST_RESET_CODE ? 0 : HOUR_MS),
  resetAfterMs: HOUR_MS,
};

function withoutDailyLimit({ perUserAndDay: _, ...counter }: GuessCounter): GuessCounter {
  return counter;
}

function createCodeGuessCounter(name: GuessableCode): GuessCounter {
  const { isBehindFirstFactor } = CODE_LIMITS[name];
  return {
    name: `code.${name.toLowerCase()}`,
    lockMs: (failures) => (failures < WRONG_CODES ? 0 : WINDOW_MS),
    resetAfterMs: WINDOW_MS,
    isBehindFirstFactor,
    ...(isBehindFirstFactor ? {} : { perUserAndDay: CODES_PER_DAY }),
    lockedMessage: 'Attempt limit exceeded, please try after some time.',
  };
}
