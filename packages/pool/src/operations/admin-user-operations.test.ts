import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';

const DAY_MS = 86_400_000;

function create({ operations, userPoolId }: TestPool, Username: string, more: Partial<Input<'AdminCreateUser'>> = {}) {
  return operations.adminCreateUser({ UserPoolId: userPoolId, Username, ...more }, TEST_CALL);
}

function setPassword({ operations, userPoolId }: TestPool, Username: string, Password: string, Permanent?: boolean) {
  const permanent = Permanent === undefined ? {} : { Permanent };
  return operations.adminSetUserPassword({ UserPoolId: userPoolId, Username, Password, ...permanent }, TEST_CALL);
}

function get({ operations, userPoolId }: TestPool, Username: string) {
  return operations.adminGetUser({ UserPoolId: userPoolId, Username }, TEST_CALL);
}

/** The temporary password of the last invitation. */
function invitedWith({ sent }: TestPool, to: string): string {
  const text = sent.findLast((message) => message.to === to)?.text ?? '';
  return text.slice(text.lastIndexOf(' ') + 1);
}

describe('administration of users', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());

  it("creates a user in Cognito's form, with a verified address only if requested", async () => {
    const { User } = await create(pool, 'Ada@example.com', {
      UserAttributes: [{ Name: 'name', Value: 'Ada' }],
      TemporaryPassword: PASSWORD,
      MessageAction: 'SUPPRESS',
    });
    const seconds = pool.clock.now() / 1000;
    assert.deepEqual(User, {
      Username: User?.Username,
      Attributes: [
        { Name: 'sub', Value: User?.Username },
        { Name: 'name', Value: 'Ada' },
        { Name: 'email', Value: 'Ada@example.com' },
      ],
      UserCreateDate: seconds,
      UserLastModifiedDate: seconds,
      Enabled: true,
      UserStatus: 'FORCE_CHANGE_PASSWORD',
    });
    assert.equal(pool.sent.length, 0);
    const { Attributes, ...facts } = User ?? {};
    for (const name of ['ada@example.com', 'ADA@example.com', User?.Username ?? '']) {
      assert.deepEqual(await get(pool, name), { ...facts, UserAttributes: Attributes });
    }
  });

  it('invites with a temporary password that satisfies the policy and must be changed', async () => {
    await create(pool, 'invited@example.com');
    const password = invitedWith(pool, 'invited@example.com');
    assert.equal(await describeOutcome(loginBySrp(pool, 'invited@example.com', password)), 'NEW_PASSWORD_REQUIRED');
    assert.equal(
      await describeOutcome(loginByPassword(pool, 'invited@example.com', password)),
      'NEW_PASSWORD_REQUIRED',
    );
  });

  it('invites again with another password, until the user has signed in', async () => {
    await create(pool, 'again@example.com');
    const first = invitedWith(pool, 'again@example.com');
    pool.clock.advance(7 * DAY_MS);
    assert.match(
      await describeOutcome(loginBySrp(pool, 'again@example.com', first)),
      /^Temporary password has expired/,
    );
    await create(pool, 'again@example.com', { MessageAction: 'RESEND' });
    const second = invitedWith(pool, 'again@example.com');
    assert.notEqual(second, first);
    assert.equal(await describeOutcome(loginBySrp(pool, 'again@example.com', second)), 'NEW_PASSWORD_REQUIRED');
    assert.equal(
      await describeOutcome(loginBySrp(pool, 'again@example.com', first)),
      'Incorrect username or password.',
    );
    await setPassword(pool, 'again@example.com', PASSWORD, true);
    await assertRefused(
      create(pool, 'again@example.com', { MessageAction: 'RESEND' }),
      'UnsupportedUserStateException',
    );
    await assertRefused(create(pool, 'nobody@example.com', { MessageAction: 'RESEND' }), 'UserNotFoundException');
  });

  it('refuses a taken name, a weak password, and bad attributes', async () => {
    await create(pool, 'taken@example.com', { MessageAction: 'SUPPRESS' });
    await assertRefused(create(pool, 'TAKEN@example.com'), 'UsernameExistsException', 'User account already exists');
    const fresh = 'fresh@example.com';
    await assertRefused(create(pool, fresh, { TemporaryPassword: 'weak' }), 'InvalidPasswordException');
    const attribute = (Name: string, Value: string) => ({ UserAttributes: [{ Name, Value }] });
    await assertRefused(create(pool, fresh, attribute('phone_number', '555')), 'InvalidParameterException');
    await assertRefused(create(pool, fresh, attribute('sub', 'mine')), 'InvalidParameterException');
    await assertRefused(create(pool, 'no address'), 'InvalidParameterException');
    await assertRefused(get(pool, fresh), 'UserNotFoundException', 'User does not exist.');
  });

  it('trusts an administrator about verified contacts', async () => {
    const unproven = [{ Name: 'email_verified', Value: 'false' }];
    await create(pool, 'unproven@example.com', { UserAttributes: unproven, MessageAction: 'SUPPRESS' });
    const { UserAttributes } = await get(pool, 'unproven@example.com');
    assert.equal(UserAttributes?.find(({ Name }) => Name === 'email_verified')?.Value, 'false');
  });

  it('sets permanent and temporary passwords', async () => {
    const name = 'set@example.com';
    await create(pool, name, { MessageAction: 'SUPPRESS' });
    assert.deepEqual(await setPassword(pool, name, PASSWORD, true), {});
    assert.equal((await get(pool, name)).UserStatus, 'CONFIRMED');
    assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
    await setPassword(pool, name, 'Another-Horse2!');
    assert.equal((await get(pool, name)).UserStatus, 'FORCE_CHANGE_PASSWORD');
    assert.equal(await describeOutcome(loginBySrp(pool, name, PASSWORD)), 'Incorrect username or password.');
    assert.equal(await describeOutcome(loginBySrp(pool, name, 'Another-Horse2!')), 'NEW_PASSWORD_REQUIRED');
    await assertRefused(setPassword(pool, name, 'short', true), 'InvalidPasswordException');
    await assertRefused(setPassword(pool, 'nobody@example.com', PASSWORD, true), 'UserNotFoundException');
  });

  it('compares the whole password, code point by code point', async () => {
    const name = 'exact@example.com';
    const long = `Aa1!${'x'.repeat(252)}`;
    const composed = 'Cafe\u0301-Horse1!';
    await create(pool, name, { MessageAction: 'SUPPRESS' });
    const tries: readonly (readonly [string, readonly string[]])[] = [
      [long, [long.slice(0, 72), long.slice(0, 255), `${long}x`, long.toLowerCase()]],
      [composed, [composed.normalize('NFC'), `${composed} `, composed.toUpperCase()]],
    ];
    for (const [password, others] of tries) {
      await setPassword(pool, name, password, true);
      for (const other of others) {
        pool.clock.advance(DAY_MS);
        assert.equal(await describeOutcome(loginByPassword(pool, name, other)), 'Incorrect username or password.');
      }
      assert.equal(await describeOutcome(loginByPassword(pool, name, password)), 'tokens');
      assert.equal(await describeOutcome(loginBySrp(pool, name, password)), 'tokens');
    }
  });

  it('finds no user of an unknown or another pool', async () => {
    const unknown = pool.operations.adminGetUser({ UserPoolId: 'us-east-1_Nobody000', Username: 'a@b.cd' }, TEST_CALL);
    const refusal = await assertRefused(
      unknown,
      'ResourceNotFoundException',
      'User pool us-east-1_Nobody000 does not exist.',
    );
    assert.equal(refusal.reason, 'pool_not_found');
    const other = await pool.embedded.setUp({ userPoolId: 'us-east-1_Other0001' });
    const here = pool.operations.adminGetUser({ UserPoolId: other.pool.id, Username: 'ada@example.com' }, TEST_CALL);
    await assertRefused(here, 'UserNotFoundException');
  });

  it('lists users page by page', async () => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await pool.embedded.listUsers(pool.userPoolId, 2, cursor);
      assert.ok(page.rows.length <= 2);
      names.push(...page.rows.map((user) => user.username));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(names, [...new Set(names)].sort());
    assert.ok(names.length > 4);
  });
});
