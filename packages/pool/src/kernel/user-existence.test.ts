import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { ProviderError } from '@poolgate/provider';
import { createCallFromNewAddress, openTestPool, PASSWORD, type TestPool } from '../testing/test-pool.ts';

const NAME = 'nobody@example.com';

type Ask = (pool: TestPool, call: CallContext) => Promise<unknown>;

const ASKS: Readonly<Record<string, Ask>> = {
  'a login by password': ({ operations, clientId: ClientId }, call) =>
    operations.initiateAuth(
      { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: NAME, PASSWORD } },
      call,
    ),
  'a login by SRP': ({ operations, clientId: ClientId }, call) =>
    operations.initiateAuth(
      { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: NAME, SRP_A: 'ab'.repeat(384) } },
      call,
    ),
  'a login by code': ({ operations, clientId: ClientId }, call) =>
    operations.initiateAuth(
      { ClientId, AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME: NAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' } },
      call,
    ),
  'a forgotten password': ({ operations, clientId: ClientId }, call) =>
    operations.forgotPassword({ ClientId, Username: NAME }, call),
  'a reset by code': ({ operations, clientId: ClientId }, call) =>
    operations.confirmForgotPassword(
      { ClientId, Username: NAME, ConfirmationCode: '12345678', Password: PASSWORD },
      call,
    ),
  'another code for a sign-up': ({ operations, clientId: ClientId }, call) =>
    operations.resendConfirmationCode({ ClientId, Username: NAME }, call),
};

async function describeAnswer(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'answered';
  } catch (error) {
    if (error instanceof ProviderError) return error.code;
    throw error;
  }
}

describe('an unknown name at a client that does not hide users', () => {
  let open: TestPool;
  let hiding: TestPool;
  before(async () => {
    open = await openTestPool('sqlite::memory:', { client: { preventUserExistenceErrors: false } });
    hiding = await openTestPool('sqlite::memory:');
  });
  after(() => Promise.all([open.close(), hiding.close()]));

  for (const [name, ask] of Object.entries(ASKS)) {
    it(`is reported to Cognito's clients and hidden at the routes: ${name}`, async () => {
      assert.equal(await describeAnswer(ask(open, createCallFromNewAddress())), 'UserNotFoundException');
      const expected = await describeAnswer(ask(hiding, createCallFromNewAddress()));
      const call = { ...createCallFromNewAddress(), entryPoint: 'routes' } as const;
      assert.equal(await describeAnswer(ask(open, call)), expected);
    });
  }
});
