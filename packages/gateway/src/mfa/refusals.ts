import type { Refusals } from '../errors.ts';

/** What a provider's refusals mean on the routes that a user calls with a token. */
export const TOKEN_REFUSALS: Refusals = {
  NotAuthorizedException: 'unauthenticated',
  UserNotFoundException: 'unauthenticated',
  UserNotConfirmedException: 'unauthenticated',
  PasswordResetRequiredException: 'unauthenticated',
};

/** The same inside a login, where a session stands in for the token. */
export const SESSION_REFUSALS: Refusals = {
  NotAuthorizedException: 'invalid_session',
  UserNotFoundException: 'invalid_session',
};
