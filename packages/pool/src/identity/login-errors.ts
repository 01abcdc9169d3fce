import { ProviderError } from '@poolgate/provider';

/** Cognito's one answer to every wrong proof of a password, whoever was named. */
export function incorrectPasswordError(cause?: unknown): ProviderError {
  return notAuthorizedError('Incorrect username or password.', 'invalid_credentials', cause);
}

/** The password of a registration that its session belongs to is right, and the registration waits to be confirmed. */
export function unconfirmedRegistrationError(): ProviderError {
  return new ProviderError('UserNotConfirmedException', 'User is not confirmed.', {
    reason: 'registration_unconfirmed',
  });
}

/** The session is none of ours, of another pool or client, or of another user. */
export function invalidSessionError(): ProviderError {
  return notAuthorizedError('Invalid session for the user.', 'invalid_session');
}

/** The session was good once. */
export function expiredSessionError(): ProviderError {
  return notAuthorizedError('Invalid session for the user, session is expired.', 'invalid_session');
}

/** The session has been answered. */
export function spentSessionError(): ProviderError {
  return notAuthorizedError('Invalid session for the user, session can only be used once.', 'invalid_session');
}

/** A secret block that cannot be used; in Cognito it sounds like a wrong password. */
export function unusableSecretBlockError(): ProviderError {
  return notAuthorizedError('Incorrect username or password.', 'invalid_session');
}

/** The answer is for another challenge than the pending one. */
export function wrongChallengeError(): ProviderError {
  return new ProviderError('InvalidParameterException', 'ChallengeName does not match the pending challenge.', {
    reason: 'challenge_mismatch',
  });
}

/**
 * A login cannot begin with this factor, whoever logs in.
 * @param offered what it can begin with instead
 */
export function factorNotOfferedError(offered: readonly string[]): ProviderError {
  const message = `The chosen challenge is not offered by the user pool. It offers: ${offered.join(', ')}.`;
  return new ProviderError('InvalidParameterException', message, { reason: 'challenge_mismatch' });
}

/** The pool or the client does not allow a login to begin like this. */
export function flowNotAllowedError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message, { reason: 'flow_disabled' });
}

/** A key of a string map, or a member, is absent or empty. */
export function missingParameterError(name: string): ProviderError {
  return new ProviderError('InvalidParameterException', `Missing required parameter ${name}`);
}

function notAuthorizedError(message: string, reason: 'invalid_credentials' | 'invalid_session', cause?: unknown) {
  return new ProviderError('NotAuthorizedException', message, cause === undefined ? { reason } : { reason, cause });
}
