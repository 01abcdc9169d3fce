import { ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';

/** Errors that reveal that a user exists, does not exist, or is in some state. */
const REVEALING_ERRORS: ReadonlySet<ProviderErrorCode> = new Set([
  'AliasExistsException',
  'CodeDeliveryFailureException',
  'InvalidParameterException',
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'UnsupportedUserStateException',
  'UserNotConfirmedException',
  'UserNotFoundException',
  'UsernameExistsException',
]);

/** Errors with the same codes that are the same for every user. */
const USER_INDEPENDENT_REASONS: ReadonlySet<RefusalReason> = new Set([
  'client_not_found',
  'client_secret',
  'feature_disabled',
  'flow_disabled',
  'locked',
  'pool_not_found',
]);

/**
 * Awaits a call that is always reported as successful, and hides errors that would reveal whether a user exists.
 * @returns the result of the call; undefined if it failed
 */
export async function hideUserExistence<Result>(
  call: Promise<Result>,
  revealing: ReadonlySet<ProviderErrorCode> = REVEALING_ERRORS,
): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    const isHidden =
      error instanceof ProviderError &&
      revealing.has(error.code) &&
      (error.reason === undefined || !USER_INDEPENDENT_REASONS.has(error.reason));
    if (!isHidden) throw error;
    return undefined;
  }
}
