import { ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import { PasskeyRefusal, type PasskeyRefusalCode } from './passkey-refusals.ts';

const UNSUPPORTED_CREDENTIAL = [
  'WebAuthnCredentialNotSupportedException',
  'The credential cannot be registered.',
] as const;

/** Cognito's errors for refused registrations. All other codes map to {@link UNSUPPORTED_CREDENTIAL}. */
const REGISTRATION_ERRORS: Partial<
  Readonly<Record<PasskeyRefusalCode, readonly [code: ProviderErrorCode, message: string]>>
> = {
  challenge: ['WebAuthnChallengeNotFoundException', 'No registration of this challenge is pending.'],
  app_client: ['WebAuthnClientMismatchException', 'The registration was started through another app client.'],
  origin: ['WebAuthnOriginNotAllowedException', 'The credential was made on an origin that is not allowed.'],
  rp_id: ['WebAuthnRelyingPartyMismatchException', 'The credential was made for another relying party.'],
};

/** A registration that could not be verified. */
export function passkeyRegistrationError(refusal: PasskeyRefusalCode, cause?: unknown): ProviderError {
  const [code, message] = REGISTRATION_ERRORS[refusal] ?? UNSUPPORTED_CREDENTIAL;
  return new ProviderError(code, message, {
    reason: 'invalid_credential',
    cause: new PasskeyRefusal(refusal, cause),
  });
}

/** The user has the maximum number of passkeys. */
export function tooManyPasskeysError(most: number): ProviderError {
  return new ProviderError('LimitExceededException', `A user can have ${most} passkeys.`);
}

/** The pool has no passkeys. */
export function passkeysDisabledError(): ProviderError {
  return new ProviderError('WebAuthnNotEnabledException', 'Passkeys are not enabled for the user pool.', {
    reason: 'feature_disabled',
  });
}

/** The caller has no such passkey. */
export function passkeyNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'The passkey does not exist.', { reason: 'passkey_not_found' });
}
