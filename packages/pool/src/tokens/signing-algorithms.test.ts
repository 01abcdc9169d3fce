import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { JSONWebKeySet } from 'jose';
import { createLocalJWKSet } from 'jose/jwks/local';
import { jwtVerify } from 'jose/jwt/verify';
import { assertRefused } from '../testing/assert-refused.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, encodeTokenPart, requireTokens, type Tokens } from '../testing/test-tokens.ts';

const DAY_MS = 86_400_000;
const ADA = 'ada@example.com';

describe('the signing algorithm of a pool', () => {
  let pool: TestPool;
  let old: Tokens;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
    await addUser(pool, ADA);
    old = await login(pool);
  });
  after(() => pool.close());

  const login = async (at: TestPool) => requireTokens(await loginByPassword(at, ADA));
  const setUp = (at: TestPool, signingAlgorithm?: 'RS256' | 'ES256') =>
    at.embedded.setUp({ userPoolId: pool.userPoolId, ...(signingAlgorithm && { signingAlgorithm }) });
  const listAlgorithms = async () => (await pool.embedded.signingKeys(pool.userPoolId))?.map(({ alg }) => alg);
  const getUser = (at: TestPool, AccessToken: string) => at.operations.getUser({ AccessToken }, { ...TEST_CALL });
  const verify = async (token: string) => {
    const keys = { keys: await pool.embedded.signingKeys(pool.userPoolId) } as unknown as JSONWebKeySet;
    return (await jwtVerify(token, createLocalJWKSet(keys), { currentDate: new Date(pool.clock.now()) }))
      .protectedHeader;
  };

  it('is RS256, and stays the same if none is configured', async () => {
    await setUp(pool);
    assert.deepEqual(await listAlgorithms(), ['RS256', 'RS256']);
    assert.equal(decodeTokenPart(old.id, 0).alg, 'RS256');
  });

  it('changes once at a start, for any number of replicas, and old tokens stay valid everywhere', async () => {
    const replicas = [pool.replica(), pool.replica(), pool.replica()];
    for (const replica of replicas) await getUser(replica, old.access);
    await Promise.all(replicas.map((replica) => setUp(replica, 'ES256')));
    await setUp(pool, 'ES256');
    assert.deepEqual((await listAlgorithms())?.sort(), ['ES256', 'ES256', 'RS256', 'RS256']);
    for (const replica of [pool, ...replicas]) {
      const fresh = await login(replica);
      for (const token of [fresh.access, fresh.id])
        assert.deepEqual(Object.keys(decodeTokenPart(token, 0)), ['kid', 'alg']);
      assert.equal((await verify(fresh.access)).alg, 'ES256');
      assert.equal((await verify(fresh.id)).alg, 'ES256');
      for (const other of [pool, ...replicas]) await getUser(other, fresh.access);
      await getUser(replica, old.access);
      assert.equal((await verify(old.access)).alg, 'RS256');
    }
  });

  it('is the new one after a refresh', async () => {
    const { AuthenticationResult } = await pool.operations.getTokensFromRefreshToken(
      { ClientId: pool.clientId, RefreshToken: old.refresh },
      TEST_CALL,
    );
    assert.equal((await verify(AuthenticationResult?.AccessToken ?? '')).alg, 'ES256');
  });

  it('is decided by the key, never by the token', async () => {
    const { access } = await login(pool);
    for (const token of [access, old.access]) {
      const [, claims, signature] = token.split('.');
      const header = decodeTokenPart(token, 0);
      for (const alg of ['RS256', 'ES256', 'HS256', 'none'].filter((each) => each !== header.alg)) {
        const changed = [encodeTokenPart({ ...header, alg }), claims, signature].join('.');
        await assertRefused(getUser(pool, changed), 'NotAuthorizedException', 'Invalid Access Token');
      }
    }
  });

  it('stays the same after a rotation, and old keys are removed a day later', async () => {
    await pool.embedded.rotateKeys(pool.userPoolId);
    pool.clock.advance(2 * DAY_MS);
    assert.deepEqual(await listAlgorithms(), ['ES256', 'ES256']);
    await assert.rejects(verify(old.id));
    assert.equal((await verify((await login(pool)).id)).alg, 'ES256');
  });

  it('changes back if RS256 is configured', async () => {
    const { access } = await login(pool);
    await setUp(pool, 'RS256');
    assert.equal((await verify((await login(pool)).access)).alg, 'RS256');
    await getUser(pool, access);
  });

  it('is RS256 with supplied keys', async () => {
    const signingKeys = { access: 'a', id: 'b' };
    await assert.rejects(pool.embedded.setUp({ signingAlgorithm: 'ES256', signingKeys }), RangeError);
  });
});
