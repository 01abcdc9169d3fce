import { ProviderError } from '@poolgate/provider';

/** Cognito's only response to a wrong password proof, whatever the username. */
export function incorrectPasswordError(cause?: unknown): ProviderError {
  return notAuthorizedError('Incorrect username or password.', 'invalid_credentials', cause);
}

/** The password of the session's registration is correct, but the registration is not confirmed yet. */
export function unconfirmedRegistrationError(): ProviderError {
  return new ProviderError('UserNotConfirmedException', 'User is not confirmed.', {
    reason: 'registration_unconfirmed',
  });
}

/** The session is unknown, or belongs to another pool, client or user. */
export function invalidSessionError(): ProviderError {
  return notAuthorizedError('Invalid session for the user.', 'invalid_session');
}

/** The session has expired. */
export function expiredSessionError(): ProviderError {
  return notAuthorizedError('Invalid session for the user, session is expired.', 'invalid_session');
}

/** The session was already used. */
export function spentSessionError(): ProviderError {
  return notAuthorizedError('Invalid session for the user, session can only be used once.', 'invalid_session');
}

/** The secret block is unusable. Cognito reports this like a wrong password. */
export function unusableSecretBlockError(): ProviderError {
  return notAuthorizedError('Incorrect username or password.', 'invalid_session');
}

/** The response is for another challenge than the pending one. */
export function wrongChallengeError(): ProviderError {
  return new ProviderError('InvalidParameterException', 'ChallengeName does not match the pending challenge.', {
    reason: 'challenge_mismatch',
  });
}

/**
 * No user can start a login with this factor.
 * @param offered the factors that can start a login instead
 */
export function factorNotOfferedError(offered: readonly string[]): ProviderError {
  const message = `The chosen challenge is not offered by the user pool. It offers: ${offered.join(', ')}.`;
  return new ProviderError('InvalidParameterException', message, { reason: 'challenge_mismatch' });
}

/** The pool or client does not allow this way to start a login. */
export function flowNotAllowedError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message, { reason: 'flow_disabled' });
}

/** A member, or a key of a string map, is missing or empty. */
export function missingParameterError(name: string): ProviderError {
  return new ProviderError('InvalidParameterException', `Missing required parameter ${name}`);
}

function notAuthorizedError(message: string, reason: 'invalid_credentials' | 'invalid_session', cause?: unknown) {
  return new ProviderError('NotAuthorizedException', message, cause === undefined ? { reason } : { reason, cause });
}
