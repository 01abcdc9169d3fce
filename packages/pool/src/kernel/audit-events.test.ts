import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import { toFailureReason } from './audit-events.ts';

describe('the reason in an event', () => {
  it('is a code word for any refusal', () => {
    for (const code of Object.keys(ERRORS) as ProviderErrorCode[]) {
      assert.match(toFailureReason(new ProviderError(code, 'A text with {secrets}')), /^[a-z]+(_[a-z]+)*$/, code);
    }
  });

  it("is the refusal's own reason, otherwise that of the code", () => {
    const rows: readonly [error: ProviderError, word: string][] = [
      [new ProviderError('NotAuthorizedException', '', { reason: 'locked' }), 'locked'],
      [new ProviderError('CodeMismatchException', ''), 'wrong_code'],
      [new ProviderError('EnableSoftwareTokenMFAException', ''), 'wrong_code'],
      [new ProviderError('ExpiredCodeException', ''), 'expired_code'],
      [new ProviderError('PasswordResetRequiredException', ''), 'password_reset_required'],
      [new ProviderError('MFAMethodNotFoundException', ''), 'mfa_method_not_found'],
    ];
    for (const [error, word] of rows) assert.equal(toFailureReason(error), word);
  });
});
