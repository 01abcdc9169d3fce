import { invalidField } from '../errors.ts';

/** How a request names a user. */
interface Naming {
  readonly username?: string;
  readonly email?: string;
}

/**
 * The user that a request names, by either member; both may stand there where they say the same.
 * @throws {GatewayError} validation_failed
 */
export function nameIn({ username, email }: Naming): string {
  if (username !== undefined && email !== undefined && username !== email) {
    throw invalidField('email', 'mismatch', 'differs from username');
  }
  const name = username ?? email;
  if (name === undefined) throw invalidField('username', 'required', 'is required, or email');
  return name;
}
