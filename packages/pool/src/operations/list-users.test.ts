import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';

function list({ operations, userPoolId }: TestPool, more: Partial<Input<'ListUsers'>> = {}) {
  return operations.listUsers({ UserPoolId: userPoolId, ...more }, TEST_CALL);
}

async function found(pool: TestPool, Filter: string): Promise<readonly (string | undefined)[]> {
  const { Users = [] } = await list(pool, { Filter, AttributesToGet: ['email'] });
  return Users.map(({ Attributes }) => Attributes?.[0]?.Value).sort();
}

function create({ operations, userPoolId }: TestPool, Username: string, attributes: Readonly<Record<string, string>>) {
  const UserAttributes = Object.entries({ ...attributes, email_verified: 'true' }).map(([Name, Value]) => ({
    Name,
    Value,
  }));
  return operations.adminCreateUser(
    { UserPoolId: userPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' },
    TEST_CALL,
  );
}

forEachDatabase((database) => {
  describe(`users that are searched on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
      await create(pool, 'ada@example.com', { given_name: 'Ada', family_name: 'Lovelace "Countess"' });
      await create(pool, 'adele@example.com', { given_name: 'Adele', family_name: 'Goldberg' });
      await create(pool, 'grace@example.org', { given_name: 'Grace', phone_number: '+15551234567' });
      const grace = { UserPoolId: pool.userPoolId, Username: 'grace@example.org' };
      await pool.operations.adminDisableUser(grace, TEST_CALL);
      await pool.embedded.extensions.force_password_reset?.({ ...grace, Username: 'adele@example.com' }, TEST_CALL);
    });
    after(() => pool.close());

    it('are found with one condition', async () => {
      assert.deepEqual(await found(pool, 'email = "ada@example.com"'), ['ada@example.com']);
      assert.deepEqual(await found(pool, 'email = "ADA@example.com"'), ['ada@example.com']);
      assert.deepEqual(await found(pool, 'given_name ^= "ad"'), ['ada@example.com', 'adele@example.com']);
      assert.deepEqual(await found(pool, 'phone_number = "+15551234567"'), ['grace@example.org']);
      assert.deepEqual(await found(pool, 'family_name = "Lovelace \\"Countess\\""'), ['ada@example.com']);
      assert.deepEqual(await found(pool, 'status = "Disabled"'), ['grace@example.org']);
      assert.deepEqual(await found(pool, 'status = "disabled"'), []);
      assert.deepEqual(await found(pool, 'cognito:user_status = "reset_required"'), ['adele@example.com']);
      assert.deepEqual(await found(pool, 'email = "ad%"'), []);
      assert.deepEqual(await found(pool, 'email ^= "%"'), []);
      assert.equal((await found(pool, '')).length, 3);
    });

    it('are returned with the requested attributes', async () => {
      const { Users } = await list(pool, { Filter: 'given_name = "Ada"', AttributesToGet: ['sub', 'given_name'] });
      const [ada] = Users ?? [];
      assert.deepEqual(ada?.Attributes, [
        { Name: 'sub', Value: ada?.Username },
        { Name: 'given_name', Value: 'Ada' },
      ]);
      assert.equal(ada?.UserStatus, 'CONFIRMED');
      assert.equal(ada?.Enabled, true);
      await assertRefused(list(pool, { AttributesToGet: ['custom:nothing'] }), 'InvalidParameterException');
    });

    it('are returned page by page, with a token for the same query, for an hour', async () => {
      const first = await list(pool, { Limit: 2, Filter: 'email ^= ""' });
      const token = { PaginationToken: first.PaginationToken ?? '' };
      const rest = await list(pool, { Limit: 2, Filter: 'email ^= ""', ...token });
      assert.equal(rest.PaginationToken, undefined);
      const names = [...(first.Users ?? []), ...(rest.Users ?? [])].map(({ Username }) => Username);
      assert.equal(new Set(names).size, 3);
      await assertRefused(list(pool, { Limit: 2, Filter: 'email ^= "a"', ...token }), 'InvalidParameterException');
      await assertRefused(list(pool, { Limit: 2, ...token }), 'InvalidParameterException');
      pool.clock.advance(3_600_000);
      await assertRefused(list(pool, { Limit: 2, Filter: 'email ^= ""', ...token }), 'InvalidParameterException');
    });

    it('refuse an invalid filter', async () => {
      await assertRefused(list(pool, { Filter: 'email' }), 'InvalidParameterException', 'Error while parsing filter');
      const custom = list(pool, { Filter: 'custom:team = "x"' });
      await assertRefused(custom, 'InvalidParameterException', 'Invalid search attribute: custom:team');
      await assertRefused(list(pool, { Filter: `name = "${'x'.repeat(248)}"` }), 'InvalidParameterException');
      await assertRefused(list(pool, { Limit: 61 }), 'InvalidParameterException');
    });
  });
});
