import { ProviderError } from '@poolgate/provider';

/** The refusals of a registration that does not verify, by what is wrong with it, in Cognito's names. */
const REGISTRATION_PROBLEMS = {
  challenge: ['WebAuthnChallengeNotFoundException', 'No registration of this challenge is pending.'],
  client: ['WebAuthnClientMismatchException', 'The registration was started through another app client.'],
  credential: ['WebAuthnCredentialNotSupportedException', 'The credential cannot be registered.'],
  origin: ['WebAuthnOriginNotAllowedException', 'The credential was made on an origin that is not allowed.'],
  relyingParty: ['WebAuthnRelyingPartyMismatchException', 'The credential was made for another relying party.'],
} as const;

/** A registration that does not verify. */
export function passkeyRegistrationError(problem: keyof typeof REGISTRATION_PROBLEMS, cause?: unknown): ProviderError {
  const [code, message] = REGISTRATION_PROBLEMS[problem];
  return new ProviderError(code, message, {
    reason: 'invalid_credential',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Nobody may have more passkeys. */
export function tooManyPasskeysError(most: number): ProviderError {
  return new ProviderError('LimitExceededException', `A user can have ${most} passkeys.`);
}

/** The pool has no passkeys. */
export function passkeysDisabledError(): ProviderError {
  return new ProviderError('WebAuthnNotEnabledException', 'Passkeys are not enabled for the user pool.', {
    reason: 'feature_disabled',
  });
}

/** Nobody who may know it has such a passkey. */
export function passkeyNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'The passkey does not exist.', { reason: 'passkey_not_found' });
}
