import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  passkeyNotFoundError,
  passkeyRegistrationError,
  passkeysDisabledError,
  tooManyPasskeysError,
} from './passkey-errors.ts';
import { PasskeyRefusal } from './passkey-refusals.ts';

it("passkey errors have Cognito's names, each with its reason", () => {
  const cause = new Error('said by a library');
  const refused = [
    passkeyRegistrationError('challenge'),
    passkeyRegistrationError('app_client'),
    passkeyRegistrationError('public_key', cause),
    passkeyRegistrationError('origin'),
    passkeyRegistrationError('rp_id'),
    tooManyPasskeysError(20),
    passkeysDisabledError(),
    passkeyNotFoundError(),
  ];
  assert.deepEqual(
    refused.map((error) => [error.code, error.reason, error.message]),
    [
      ['WebAuthnChallengeNotFoundException', 'invalid_credential', 'No registration of this challenge is pending.'],
      [
        'WebAuthnClientMismatchException',
        'invalid_credential',
        'The registration was started through another app client.',
      ],
      ['WebAuthnCredentialNotSupportedException', 'invalid_credential', 'The credential cannot be registered.'],
      [
        'WebAuthnOriginNotAllowedException',
        'invalid_credential',
        'The credential was made on an origin that is not allowed.',
      ],
      [
        'WebAuthnRelyingPartyMismatchException',
        'invalid_credential',
        'The credential was made for another relying party.',
      ],
      ['LimitExceededException', undefined, 'A user can have 20 passkeys.'],
      ['WebAuthnNotEnabledException', 'feature_disabled', 'Passkeys are not enabled for the user pool.'],
      ['ResourceNotFoundException', 'passkey_not_found', 'The passkey does not exist.'],
    ],
  );
  assert.deepEqual(
    refused.map((error) => error.cause),
    [
      new PasskeyRefusal('challenge'),
      new PasskeyRefusal('app_client'),
      new PasskeyRefusal('public_key', cause),
      new PasskeyRefusal('origin'),
      new PasskeyRefusal('rp_id'),
      ...[undefined, undefined, undefined],
    ],
  );
  assert.ok(!('cause' in new PasskeyRefusal('origin')));
});
