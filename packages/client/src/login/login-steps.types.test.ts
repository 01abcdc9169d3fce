import { test } from 'node:test';
import type { LoginStep, StepOf } from './steps/login-steps.ts';

/** Never called. The calls must compile, except where an error is expected. */
async function legal(step: LoginStep): Promise<unknown> {
  // @ts-expect-error nothing can be submitted before it is known what is asked
  step.submit('123456');
  // @ts-expect-error not every step can be done again
  step.resend();
  switch (step.kind) {
    case 'password':
      // @ts-expect-error no choice is open
      step.choose('PASSWORD');
      return step.submit('secret');
    case 'newPassword':
      // @ts-expect-error a recovery code is no new password
      step.useRecoveryCode();
      return step.submit('secret', { name: 'Ada' });
    case 'selectFactor':
      // @ts-expect-error a second factor begins no login
      step.choose('SOFTWARE_TOKEN_MFA');
      return step.choose('EMAIL_OTP');
    case 'selectMfa':
      // @ts-expect-error a passkey is no second factor
      step.choose('WEB_AUTHN');
      return step.choose('SOFTWARE_TOKEN_MFA');
    case 'totp':
      // @ts-expect-error an authenticator is sent nothing
      step.resend();
      return step.useRecoveryCode().back();
    case 'sentCode':
      // @ts-expect-error it may be that nothing can be sent again
      step.resend();
      return step.resend?.();
    case 'recoveryCode':
      // @ts-expect-error a recovery code stands in for no other one
      step.useRecoveryCode();
      return step.submit('abcdefghij');
    case 'setUpAuthenticator':
      return step.submit('123456', 'Phone');
    case 'passkey':
      // @ts-expect-error the browser gives the answer
      step.submit('123456');
      return step.use();
    case 'custom':
      return step.submit('an answer');
    case 'keepAccount':
      // @ts-expect-error nothing is typed
      step.submit('yes');
      return step.keep();
    case 'done':
      // @ts-expect-error nothing is asked any more
      step.submit('123456');
      return step.rememberDevice?.('Laptop');
    case 'refused':
      // @ts-expect-error the login has ended
      step.submit('123456');
      return step.retry();
    default:
      return step satisfies never;
  }
}

test('every step has exactly its own methods', (t) => {
  const kinds: readonly StepOf<LoginStep['kind']>['kind'][] = ['password', 'done'];
  t.assert.equal(typeof legal, 'function');
  t.assert.equal(kinds.length, 2);
});
