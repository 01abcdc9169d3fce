import { ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';

/** Refusals that say that a user is there, is not there, or is in some state. */
const TELLING: ReadonlySet<ProviderErrorCode> = new Set([
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
const FOR_EVERYBODY: ReadonlySet<RefusalReason> = new Set([
  'client_not_found',
  'client_secret',
  'feature_disabled',
  'flow_disabled',
  'locked',
  'pool_not_found',
]);

/**
 * Awaits a call whose success is told in any case: what would say whether a user exists is kept here.
 * @returns what the call gave; undefined where it was refused
 */
export async function quietly<Result>(
  call: Promise<Result>,
  telling: ReadonlySet<ProviderErrorCode> = TELLING,
): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    const isKept =
      error instanceof ProviderError &&
      telling.has(error.code) &&
      (error.reason === undefined || !FOR_EVERYBODY.has(error.reason));
    if (!isKept) throw error;
    return undefined;
  }
}
