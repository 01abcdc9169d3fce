import { ProviderError } from '@poolgate/provider';

/** In UTF-16 units, as Cognito counts `DeviceName`. */
const MAX_LENGTH = 1024;

/** Some stores and many terminals break on control characters. */
const FORBIDDEN = /\p{Cc}/u;

/**
 * Checks the user's name for a device or an authenticator.
 * @param field the member's name in a constraint message
 * @throws {ProviderError} `InvalidParameterException`
 */
export function checkFriendlyName(field: string, name: string): void {
  if (name.length > 0 && name.length <= MAX_LENGTH && name.isWellFormed() && !FORBIDDEN.test(name)) return;
  throw new ProviderError(
    'InvalidParameterException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must have 1 to ${MAX_LENGTH} characters, and no control characters`,
  );
}
