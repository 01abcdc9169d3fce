import { ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';

/** Refusals that say that a user is there, is not there, or is in some state. */
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

/** Refusals of the same codes that would be the same for every user. */
const USER_INDEPENDENT_REASONS: ReadonlySet<RefusalReason> = new Set([
  'client_not_found',
  'client_secret',
  'feature_disabled',
  'flow_disabled',
  'locked',
  'pool_not_found',
]);

/**
 * Awaits a call whose success is told in any case: what would say whether a user exists is hidden here.
 * @returns what the call gave; undefined where it was refused
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
