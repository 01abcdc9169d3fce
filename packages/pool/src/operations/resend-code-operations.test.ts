import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';

function resend({ operations, clientId }: TestPool, Username: string) {
  return operations.resendConfirmationCode({ ClientId: clientId, Username }, createCallFromNewAddress());
}

function signUp({ operations, clientId }: TestPool, Username: string) {
  return operations.signUp({ ClientId: clientId, Username, Password: PASSWORD }, createCallFromNewAddress());
}

function confirm({ operations, clientId }: TestPool, Username: string, ConfirmationCode: string) {
  return operations.confirmSignUp({ ClientId: clientId, Username, ConfirmationCode }, TEST_CALL);
}

function codesFor({ sent }: TestPool, to: string): readonly string[] {
  return sent.flatMap((message) => (message.to === to && message.code !== undefined ? [message.code] : []));
}

describe('a resent sign-up code', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());

  it('invalidates the one before', async () => {
    const name = 'ada@example.com';
    await signUp(pool, name);
    const { CodeDeliveryDetails } = await resend(pool, name);
    assert.deepEqual(CodeDeliveryDetails, {
      Destination: 'a***@e***',
      DeliveryMedium: 'EMAIL',
      AttributeName: 'email',
    });
    const [first = '', second = ''] = codesFor(pool, name);
    if (first !== second) await assertRefused(confirm(pool, name, first), 'CodeMismatchException');
    await confirm(pool, name, second);
  });

  it('goes to no user without a pending confirmation, with the same response and limits', async () => {
    await addUser(pool, 'known@example.com');
    const before = pool.sent.length;
    for (const name of ['known', 'nobody']) {
      const { CodeDeliveryDetails } = await resend(pool, `${name}@example.com`);
      const Destination = `${name[0]}***@e***`;
      assert.deepEqual(CodeDeliveryDetails, { Destination, DeliveryMedium: 'EMAIL', AttributeName: 'email' });
      for (let at = 1; at < 5; at += 1) await resend(pool, `${name}@example.com`);
      await assertRefused(resend(pool, `${name}@example.com`), 'LimitExceededException');
    }
    assert.equal(pool.sent.length, before);
  });

  it('notifies the owner of a taken name, with the limits of a new user', async () => {
    const name = 'owner@example.com';
    await addUser(pool, name);
    for (let at = 0; at < 5; at += 1) await signUp(pool, name);
    await assertRefused(signUp(pool, name), 'LimitExceededException');
    const told = pool.sent.filter(({ to }) => to === name);
    assert.equal(told.length, 5);
    assert.match(told[0]?.subject ?? '', /already have an account/);
  });

  it("is refused in Cognito's words if users are not hidden", async () => {
    const open = await openTestPool('sqlite::memory:', { client: { preventUserExistenceErrors: false } });
    try {
      await addUser(open, 'known@example.com');
      await assertRefused(resend(open, 'known@example.com'), 'InvalidParameterException', 'User is already confirmed.');
      await assertRefused(resend(open, 'nobody@example.com'), 'UserNotFoundException');
    } finally {
      await open.close();
    }
  });
});
