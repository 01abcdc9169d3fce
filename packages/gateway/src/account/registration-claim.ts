import type { ROUTES, Static } from '@poolgate/contract';
import type { RegistrationConfirmation, RegistrationProof } from '@poolgate/provider';
import { readPasswordVerifier } from '../challenges/password-verifier-fields.ts';
import { type ErrorMapping, GatewayError, invalidFieldError, weakPasswordError } from '../kernel/gateway-errors.ts';
import { readSettableAttributes } from '../users/attributes.ts';

type ClaimFields = Omit<Static<(typeof ROUTES)['registerVerifyLink']['body']>, 'token'>;

/** The provider's errors about a claim. */
export const CLAIM_ERRORS: ErrorMapping = {
  InvalidPasswordException: (error) => weakPasswordError('password', error),
  InvalidParameterException: (error) =>
    invalidFieldError(
      'attributes',
      'refused',
      'or the password contains a value that the identity provider rejects',
      error,
    ),
};

/**
 * Reads the proof of a person who confirms a registration.
 * @param providerSession the provider's session of the registration, if the request has one
 * @throws {GatewayError} validation_failed
 */
export function readRegistrationClaim(fields: ClaimFields, providerSession: string | undefined): RegistrationProof {
  const { password, password_verifier: verifier, attributes } = fields;
  if (password !== undefined && verifier !== undefined) {
    throw invalidFieldError('password_verifier', 'mismatch', 'cannot be combined with password');
  }
  return {
    ...(providerSession === undefined ? {} : { Session: providerSession }),
    ...(password === undefined ? {} : { Password: password }),
    ...(verifier === undefined ? {} : { PasswordVerifier: readPasswordVerifier(verifier) }),
    ...(attributes === undefined ? {} : { UserAttributes: readSettableAttributes(attributes, 'attributes') }),
  };
}

/** @throws {GatewayError} password_required, validation_failed: the code was correct, and stays valid for a complete request */
export function requireCompleteConfirmation({ Missing }: RegistrationConfirmation): void {
  if (Missing === undefined) return;
  const { Password, Attributes } = Missing;
  if (Password !== undefined)
    throw passwordRequiredError({ username: Password.UserIdForSrp, salt: Password.SaltHex }, Attributes);
  const errors = Attributes.map((name) => ({ field: `attributes.${name}`, code: 'required', message: 'is required' }));
  const registration = { required_attributes: Attributes };
  throw new GatewayError('validation_failed', 'The request is invalid.', { errors, registration });
}

/** The error for a confirmation without session and password. */
export function passwordRequiredError(
  identity: { readonly username?: string; readonly salt?: string },
  attributes: readonly string[],
): GatewayError {
  const errors = [
    { field: 'password', code: 'required', message: 'is required without the session, or password_verifier' },
  ];
  const registration = { ...identity, required_attributes: attributes };
  return new GatewayError('password_required', undefined, { errors, registration });
}
