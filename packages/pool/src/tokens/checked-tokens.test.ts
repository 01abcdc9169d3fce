import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createPool, type EmbeddedPool } from '../index.ts';
import type { PoolReads } from '../store/index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens, type Tokens } from '../testing/test-tokens.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const COUNTED = ['accessTokens', 'logins', 'users'] as const;

/** The pool's reads of users, logins and tokens. */
function countReads({ options }: TestEnvironment) {
  const counted: string[] = [];
  const counting = (name: keyof PoolReads) =>
    new Proxy<object>(options.store[name], {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...input: unknown[]) => {
          counted.push(`${name}.${String(key)}`);
          return member.apply(target, input);
        };
      },
    });
  const aggregates = new Map<string | symbol, object>(COUNTED.map((name) => [name, counting(name)]));
  const store = new Proxy(options.store, {
    get(target, key) {
      const member: unknown = aggregates.get(key) ?? Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { embedded: createPool({ ...options, store }), take: () => counted.splice(0) };
}

describe('an access token that a guard verifies for an operation', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let embedded: EmbeddedPool;
  let take: () => readonly string[];
  let tokens: Tokens;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    ({ embedded, take } = countReads(opened));
    await addUser(pool, 'ada@example.com');
  });
  beforeEach(async () => {
    tokens = requireTokens(await loginByPassword(pool, 'ada@example.com'));
    take();
  });
  after(() => pool.close());

  const guard = (call = { ...TEST_CALL }, token = tokens.access) => embedded.readTokenState?.(token, call);
  const getUser = (call = { ...TEST_CALL }, token = tokens.access) =>
    embedded.operations.getUser({ AccessToken: token }, call);

  it('is read once for both', async () => {
    const call = { ...TEST_CALL };
    assert.equal(await guard(call), 'active');
    assert.equal((await getUser(call)).UserAttributes?.find(({ Name }) => Name === 'email')?.Value, 'ada@example.com');
    assert.deepEqual(take(), ['accessTokens.findFacts']);
  });

  it('is read again by a second operation, which sees the changes of the first', async () => {
    const call = { ...TEST_CALL };
    await guard(call);
    const UserAttributes = [{ Name: 'nickname', Value: 'Countess' }];
    await embedded.operations.updateUserAttributes({ AccessToken: tokens.access, UserAttributes }, call);
    assert.equal((await getUser(call)).UserAttributes?.find(({ Name }) => Name === 'nickname')?.Value, 'Countess');
    await guard(call);
    const { UserPoolId, Username } = { UserPoolId: pool.userPoolId, Username: 'ada@example.com' };
    await embedded.operations.adminUpdateUserAttributes(
      { UserPoolId, Username, UserAttributes: [{ Name: 'nickname', Value: 'Ada' }] },
      call,
    );
    assert.equal((await getUser(call)).UserAttributes?.find(({ Name }) => Name === 'nickname')?.Value, 'Ada');
  });

  it('is cached only for this call and this token', async () => {
    const other = requireTokens(await loginByPassword(pool, 'ada@example.com')).access;
    const call = { ...TEST_CALL };
    await guard(call);
    take();
    await getUser();
    await getUser(call, other);
    assert.deepEqual(take(), ['accessTokens.findFacts', 'accessTokens.findFacts']);
  });

  it('is refused if one bit differs, even if a similar one is cached', async () => {
    await guard();
    const { operations } = embedded;
    const bytes = Buffer.from(tokens.access.split('.')[2] ?? '', 'base64url');
    for (const index of [0, 128, 255]) {
      const flipped = Buffer.from(bytes);
      flipped[index] = (flipped[index] ?? 0) ^ 1;
      const AccessToken = [...tokens.access.split('.').slice(0, 2), flipped.toString('base64url')].join('.');
      for (const _ of [1, 2]) {
        await assertRefused(operations.getUser({ AccessToken }, { ...TEST_CALL }), 'NotAuthorizedException');
        await assertRefused(
          embedded.readTokenState?.(AccessToken, { ...TEST_CALL }) ?? assert.fail(),
          'NotAuthorizedException',
        );
      }
    }
    assert.deepEqual(take(), ['accessTokens.findFacts']);
    assert.equal(await guard(), 'active');
  });

  it('is refused from the next request on after it was ended on another replica', async () => {
    const { operations } = pool;
    const asAdmin = { UserPoolId: pool.userPoolId, Username: 'ada@example.com' };
    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      GlobalSignOut: () => operations.globalSignOut({ AccessToken: tokens.access }, TEST_CALL),
      RevokeToken: () => operations.revokeToken({ ClientId: pool.clientId, Token: tokens.refresh }, TEST_CALL),
      AdminUserGlobalSignOut: () => operations.adminUserGlobalSignOut(asAdmin, TEST_CALL),
      AdminDisableUser: () => operations.adminDisableUser(asAdmin, TEST_CALL),
      AdminDeleteUser: () => operations.adminDeleteUser(asAdmin, TEST_CALL),
    };
    for (const [name, end] of Object.entries(ends)) {
      tokens = requireTokens(await loginByPassword(pool, 'ada@example.com'));
      const call = { ...TEST_CALL };
      assert.equal(await guard(call), 'active', name);
      await getUser(call);
      await end();
      assert.equal(await guard(), 'revoked', name);
      await assert.rejects(getUser(), name);
      if (name === 'AdminDisableUser') await operations.adminEnableUser(asAdmin, TEST_CALL);
    }
    await addUser(pool, 'ada@example.com');
  });

  it('is refused once it has expired, or its key was withdrawn on another replica', async () => {
    await guard();
    pool.clock.advance(HOUR_MS);
    await assertRefused(guard() ?? assert.fail(), 'NotAuthorizedException', 'Access Token has expired');
    tokens = requireTokens(await loginByPassword(pool, 'ada@example.com'));
    await guard();
    await pool.replica().embedded.rotateKeys(pool.userPoolId);
    assert.equal(await guard(), 'active', 'a retired key stays published');
    tokens = requireTokens(await loginByPassword(pool.replica(), 'ada@example.com'));
    assert.equal(await guard(), 'active');
    const longAgoMs = pool.clock.now() - 2 * DAY_MS;
    await pool.store.write(({ signingKeys }) => signingKeys.retireExcept(pool.userPoolId, [], longAgoMs));
    await assertRefused(guard() ?? assert.fail(), 'NotAuthorizedException', 'Invalid Access Token');
    await assertRefused(getUser(), 'NotAuthorizedException', 'Invalid Access Token');
  });
});
