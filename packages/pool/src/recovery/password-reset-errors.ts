import { ProviderError } from '@poolgate/provider';

/** Who is disabled resets no password. */
export function userDisabledError(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'User is disabled.', { reason: 'user_disabled' });
}

/** Who never had a password of the own, or was never confirmed, resets none. */
export function passwordNotResettableError(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'User password cannot be reset in the current state.');
}

/** There is nowhere to send the code to. */
export function noVerifiedContactError(): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    'Cannot reset password for the user as there is no registered/verified email or phone_number',
  );
}
