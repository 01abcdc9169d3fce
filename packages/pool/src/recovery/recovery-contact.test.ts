import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sender, Senders } from '../delivery/sender.ts';
import type { RecoveryMechanism } from '../store/pool-and-client-settings.ts';
import { noVerifiedContactError, passwordNotResettableError, userDisabledError } from './password-reset-errors.ts';
import {
  findRecoveryContact,
  findVerifiedRecoveryContact,
  listRecoveryAttributes,
  requireRecoveryAttributes,
} from './recovery-contact.ts';

const sender: Sender = { send: async () => {} };
const BOTH: Senders = { email: sender, sms: sender };
const MAIL_FIRST: readonly RecoveryMechanism[] = ['verified_email', 'verified_phone_number'];

describe('recovery contacts', () => {
  it('are those of the pool that messages can reach, in its order', () => {
    const rows: readonly (readonly [readonly RecoveryMechanism[], Senders, readonly string[]])[] = [
      [MAIL_FIRST, BOTH, ['email', 'phone_number']],
      [MAIL_FIRST.toReversed(), BOTH, ['phone_number', 'email']],
      [MAIL_FIRST, { sms: sender }, ['phone_number']],
      [['admin_only', 'verified_email'], BOTH, ['email']],
    ];
    for (const [recovery, senders, expected] of rows) {
      assert.deepEqual(listRecoveryAttributes({ senders }, { recovery }), expected);
      assert.deepEqual(requireRecoveryAttributes({ senders }, { recovery }), expected);
    }
  });

  it('are refused with a text if there are none, or nothing can be sent', () => {
    for (const recovery of [[], ['admin_only']] as const) {
      assert.deepEqual(listRecoveryAttributes({ senders: BOTH }, { recovery }), []);
      assert.throws(() => requireRecoveryAttributes({ senders: BOTH }, { recovery }), {
        code: 'NotAuthorizedException',
        message: 'Contact administrator to reset password.',
        reason: 'flow_disabled',
      });
    }
    assert.throws(() => requireRecoveryAttributes({ senders: { sms: sender } }, { recovery: ['verified_email'] }), {
      code: 'UnsupportedOperationException',
      message: 'No sender of messages is configured.',
    });
  });

  it('are the first that a user has, or has verified', () => {
    const attributes = { email: 'ada@example.com', phone_number: '+15551234567', phone_number_verified: 'true' };
    const wanted = ['email', 'phone_number'] as const;
    assert.equal(findRecoveryContact(attributes, wanted)?.destination, 'ada@example.com');
    assert.equal(findRecoveryContact({ ...attributes, email: '' }, wanted)?.destination, '+15551234567');
    assert.equal(findRecoveryContact({}, wanted), undefined);
    assert.equal(findVerifiedRecoveryContact(attributes, wanted)?.destination, '+15551234567');
    assert.equal(
      findVerifiedRecoveryContact({ ...attributes, email_verified: 'true' }, wanted)?.destination,
      'ada@example.com',
    );
    assert.equal(findVerifiedRecoveryContact(attributes, ['email']), undefined);
    for (const change of [{ phone_number_verified: 'false' }, { phone_number: '' }]) {
      assert.equal(findVerifiedRecoveryContact({ ...attributes, ...change }, wanted), undefined);
    }
  });

  it("are refused to a user in Cognito's words", () => {
    assert.deepEqual(
      [userDisabledError(), passwordNotResettableError(), noVerifiedContactError()].map(({ code, message, reason }) => [
        code,
        message,
        reason,
      ]),
      [
        ['NotAuthorizedException', 'User is disabled.', 'user_disabled'],
        ['NotAuthorizedException', 'User password cannot be reset in the current state.', undefined],
        [
          'InvalidParameterException',
          'Cannot reset password for the user as there is no registered/verified email or phone_number',
          undefined,
        ],
      ],
    );
  });
});
