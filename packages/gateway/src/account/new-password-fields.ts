import type { PasswordVerifierBody } from '../challenges/password-verifier-fields.ts';
import { invalidFieldError } from '../kernel/gateway-errors.ts';

/** How a request carries a new password. */
interface NewPasswordFields {
  readonly password?: string | undefined;
  readonly password_confirmation?: string | undefined;
  readonly password_verifier?: PasswordVerifierBody | undefined;
}

/** A new password: itself, or what a client made of it. */
export type NewPassword =
  | { readonly password: string; readonly verifier?: undefined }
  | { readonly verifier: PasswordVerifierBody; readonly password?: undefined };

/**
 * The new password of a request: exactly one of its two forms, and the same twice where it was typed twice.
 * @param field the field that carries it as it is
 * @throws {GatewayError} validation_failed
 */
export function readNewPassword(fields: NewPasswordFields, field = 'password'): NewPassword {
  const { password, password_confirmation: repeated, password_verifier: verifier } = fields;
  if (repeated !== undefined && repeated !== password) {
    throw invalidFieldError('password_confirmation', 'mismatch', `differs from ${field}`);
  }
  if (verifier !== undefined) {
    if (password !== undefined) throw invalidFieldError('password_verifier', 'mismatch', `stands in place of ${field}`);
    return { verifier };
  }
  if (password === undefined) throw invalidFieldError(field, 'required', 'is required, or password_verifier');
  return { password };
}
