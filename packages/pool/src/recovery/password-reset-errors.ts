import { ProviderError } from '@poolgate/provider';

/** A disabled user cannot reset a password. */
export function userDisabledError(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'User is disabled.', { reason: 'user_disabled' });
}

/** A user who never had an own password, or was never confirmed, cannot reset one. */
export function passwordNotResettableError(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'User password cannot be reset in the current state.');
}

/** There is no contact to which the code can be sent. */
export function noVerifiedContactError(): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    'Cannot reset password for the user as there is no registered/verified email or phone_number',
  );
}
