import assert from 'node:assert/strict';
import type { TestService } from '../services/test-service.ts';

/** Makes the served pool send links to new users. */
export async function enableConfirmLinks(
  service: TestService,
  words: Readonly<Record<string, string>> = {},
): Promise<void> {
  const updated = await service.call(
    'UpdateUserPool',
    {
      UserPoolId: service.userPoolId,
      AutoVerifiedAttributes: ['email'],
      AccountRecoverySetting: { RecoveryMechanisms: [{ Priority: 1, Name: 'verified_email' }] },
      VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_LINK', ...words },
    },
    service.asAdmin,
  );
  assert.equal(updated.status, 200, updated.text);
}

/** Returns the token of the latest link to an address. */
export function findConfirmToken({ outbox }: Pick<TestService, 'outbox'>, to: string): string {
  const [mail] = outbox?.list(to) ?? [];
  const [, token] = /\/confirmUser#([\w-]+)/.exec(mail?.text ?? '') ?? [];
  assert.ok(token, `a link must have been sent to ${to}`);
  return token;
}
