import type { PasswordVerifierBody } from '../challenges/password-verifier-fields.ts';
import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** How a request contains a new password. */
interface NewPasswordFields {
  readonly password?: string | undefined;
  readonly password_confirmation?: string | undefined;
  readonly password_verifier?: PasswordVerifierBody | undefined;
}

/** A new password, or the verifier that a client computed from it. */
export type NewPassword =
  | { readonly password: string; readonly verifier?: undefined }
  | { readonly verifier: PasswordVerifierBody; readonly password?: undefined };

/**
 * Returns the new password of a request. It must have exactly one of its two forms, and a repeated password must be the same.
 * @param field the field of the plain password
 * @throws {GatewayError} validation_failed
 */
export function readNewPassword(fields: NewPasswordFields, field = 'password'): NewPassword {
  const { password, password_confirmation: repeated, password_verifier: verifier } = fields;
  if (repeated !== undefined && repeated !== password) {
    throw invalidFieldError('password_confirmation', 'mismatch', `does not match ${field}`);
  }
  if (verifier !== undefined) {
    if (password !== undefined)
      throw invalidFieldError('password_verifier', 'mismatch', `cannot be combined with ${field}`);
    return { verifier };
  }
  if (password === undefined) throw invalidFieldError(field, 'required', 'is required, or password_verifier');
  return { password };
}
