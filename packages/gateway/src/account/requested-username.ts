import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** How a request names a user. */
interface UsernameFields {
  readonly username?: string;
  readonly email?: string;
}

/**
 * Returns the user that a request names in either field. Both are allowed if they are the same.
 * @throws {GatewayError} validation_failed
 */
export function readRequestedUsername({ username, email }: UsernameFields): string {
  if (username !== undefined && email !== undefined && username !== email) {
    throw invalidFieldError('email', 'mismatch', 'does not match username');
  }
  const name = username ?? email;
  if (name === undefined) throw invalidFieldError('username', 'required', 'is required, or email');
  return name;
}
