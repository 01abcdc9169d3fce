import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEventPool, recordTraces } from '../testing/test-events.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

type Values = Readonly<Record<string, string>>;

function toAttributeList(values: Values) {
  return Object.entries(values).map(([Name, Value]) => ({ Name, Value }));
}

async function login(pool: TestPool, name: string): Promise<string> {
  return requireTokens(await loginByPassword(pool, name)).access;
}

async function shown({ operations }: TestPool, AccessToken: string): Promise<Values> {
  const { UserAttributes = [] } = await operations.getUser({ AccessToken }, TEST_CALL);
  return Object.fromEntries(UserAttributes.map(({ Name, Value = '' }) => [Name, Value]));
}

function update({ operations }: TestPool, AccessToken: string, values: Values) {
  return operations.updateUserAttributes({ AccessToken, UserAttributes: toAttributeList(values) }, TEST_CALL);
}

function verify({ operations }: TestPool, AccessToken: string, Code: string, AttributeName = 'email') {
  return operations.verifyUserAttribute({ AccessToken, AttributeName, Code }, TEST_CALL);
}

function codeFor({ sent }: TestPool, to: string): string {
  return sent.findLast((message) => message.to === to && message.code !== undefined)?.code ?? '';
}

forEachDatabase((database) => {
  describe(`attributes on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        client: { writeAttributes: ['name', 'email', 'phone_number', 'custom:badge'] },
        pool: { customAttributes: { 'custom:badge': { type: 'String', mutable: false, required: false } } },
      });
    });
    after(() => pool.close());

    database.itOnSqlite('are changed and removed by their user', async () => {
      await addUser(pool, 'ada@example.com');
      const token = await login(pool, 'ada@example.com');
      assert.deepEqual(await update(pool, token, { name: 'Ada', 'custom:badge': '7' }), {});
      assert.equal((await shown(pool, token)).name, 'Ada');
      await assertRefused(update(pool, token, { 'custom:badge': '8' }), 'InvalidParameterException');
      await assertRefused(update(pool, token, { nickname: 'a' }), 'NotAuthorizedException');
      await assertRefused(update(pool, token, { email_verified: 'true' }), 'NotAuthorizedException');
      await assertRefused(update(pool, token, { 'custom:none': 'a' }), 'InvalidParameterException');
      await assertRefused(update(pool, token, { email: '' }), 'InvalidParameterException');
      const remove = (...UserAttributeNames: string[]) =>
        pool.operations.deleteUserAttributes({ AccessToken: token, UserAttributeNames }, TEST_CALL);
      await assertRefused(remove('email'), 'InvalidParameterException');
      await assertRefused(remove('custom:badge'), 'InvalidParameterException');
      assert.deepEqual(await remove('name'), {});
      assert.ok(!('name' in (await shown(pool, token))));
    });

    database.itOnSqlite('a new address is pending until it is verified, and the old one is notified', async () => {
      const [old, fresh] = ['old@example.com', 'fresh@example.com'];
      await addUser(pool, old);
      const token = await login(pool, old);
      const { CodeDeliveryDetailsList } = await update(pool, token, { email: fresh });
      assert.deepEqual(CodeDeliveryDetailsList, [
        { Destination: 'f***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
      ]);
      assert.equal((await shown(pool, token)).email, old);
      assert.equal(await describeOutcome(loginByPassword(pool, fresh)), 'Incorrect username or password.');
      await assertRefused(
        verify(pool, token, codeFor(pool, fresh) === '000000' ? '000001' : '000000'),
        'CodeMismatchException',
      );
      const first = codeFor(pool, fresh);
      const AttributeName = 'email';
      await pool.operations.getUserAttributeVerificationCode({ AccessToken: token, AttributeName }, TEST_CALL);
      if (codeFor(pool, fresh) !== first) await assertRefused(verify(pool, token, first), 'CodeMismatchException');
      assert.deepEqual(await verify(pool, token, codeFor(pool, fresh)), {});
      const { email, email_verified } = await shown(pool, token);
      assert.deepEqual({ email, email_verified }, { email: fresh, email_verified: 'true' });
      assert.equal(await describeOutcome(loginByPassword(pool, fresh)), 'tokens');
      assert.equal(await describeOutcome(loginByPassword(pool, old)), 'Incorrect username or password.');
      assert.match(pool.sent.findLast(({ to }) => to === old)?.subject ?? '', /contact details were changed/);
    });

    database.itOnSqlite('a code for the current address verifies it, and reports no change', async () => {
      const address = 'same@example.com';
      const own = await openTestEventPool(await database.create());
      await addUser(own.pool, address);
      const token = await login(own.pool, address);
      const user = { UserPoolId: own.pool.userPoolId, Username: address };
      const unproven = [{ Name: 'email_verified', Value: 'false' }];
      await own.pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes: unproven }, TEST_CALL);
      const request = { AccessToken: token, AttributeName: 'email' };
      await own.pool.operations.getUserAttributeVerificationCode(request, TEST_CALL);
      const { events, mails } = await recordTraces(own, () => verify(own.pool, token, codeFor(own.pool, address)));
      assert.deepEqual([events.map(({ type }) => type), mails], [['user.contact_verified'], []]);
      assert.equal((await shown(own.pool, token)).email_verified, 'true');
      await own.pool.close();
    });

    database.itOnSqlite(
      "another user's address never becomes this user's, and a later request invalidates an earlier code",
      async () => {
        await addUser(pool, 'owner@example.com');
        await addUser(pool, 'taker@example.com');
        const token = await login(pool, 'taker@example.com');
        await update(pool, token, { email: 'owner@example.com' });
        await assertRefused(verify(pool, token, codeFor(pool, 'owner@example.com')), 'AliasExistsException');
        await update(pool, token, { email: 'taker@example.com' });
        await assertRefused(verify(pool, token, codeFor(pool, 'owner@example.com')), 'CodeMismatchException');
        assert.equal((await shown(pool, token)).email, 'taker@example.com');
      },
    );

    it('are changed at once by an administrator who says whether they are verified', async () => {
      await addUser(pool, 'before@example.com');
      const user = { UserPoolId: pool.userPoolId, Username: 'before@example.com' };
      const UserAttributes = toAttributeList({
        email: 'after@example.com',
        email_verified: 'True',
        phone_number: '+15551234567',
        phone_number_verified: 'false',
      });
      assert.deepEqual(await pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes }, TEST_CALL), {});
      const values = await shown(pool, await login(pool, 'after@example.com'));
      assert.equal(values.email_verified, 'true');
      assert.equal(values.phone_number_verified, 'false');
      await assertRefused(pool.operations.adminGetUser(user, TEST_CALL), 'UserNotFoundException');
      const after = { ...user, Username: 'after@example.com' };
      await pool.operations.adminDeleteUserAttributes({ ...after, UserAttributeNames: ['phone_number'] }, TEST_CALL);
      const left = await shown(pool, await login(pool, 'after@example.com'));
      assert.ok(!('phone_number' in left) && !('phone_number_verified' in left));
      await addUser(pool, 'taken@example.com');
      const taken = toAttributeList({ email: 'taken@example.com', email_verified: 'true' });
      await assertRefused(
        pool.operations.adminUpdateUserAttributes({ ...after, UserAttributes: taken }, TEST_CALL),
        'AliasExistsException',
      );
    });
  });

  describe(`attributes without prior verification on ${database.name}`, () => {
    it('are changed at once, and are not verified', async () => {
      const options = { pool: { requireVerificationBeforeUpdate: [], usernameAttributes: [] } };
      const pool = await openTestPool(await database.create(), options);
      try {
        const UserAttributes = toAttributeList({ email: 'ada@example.com' });
        const user = { UserPoolId: pool.userPoolId, Username: 'ada' };
        await pool.operations.adminCreateUser({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }, TEST_CALL);
        await pool.operations.adminSetUserPassword(
          { ...user, Password: 'Correct-Horse1!', Permanent: true },
          TEST_CALL,
        );
        const token = await login(pool, 'ada');
        await update(pool, token, { email: 'new@example.com' });
        assert.equal((await shown(pool, token)).email_verified, 'false');
        await verify(pool, token, codeFor(pool, 'new@example.com'));
        assert.equal((await shown(pool, token)).email_verified, 'true');
      } finally {
        await pool.close();
      }
    });
  });
});
