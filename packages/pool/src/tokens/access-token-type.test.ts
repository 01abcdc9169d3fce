import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addUser, openTestPool, TEST_CALL } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, encodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';

it("access tokens have a type if their client's setting requests it, and are accepted as before", async (context) => {
  const pool = await openTestPool('sqlite::memory:', { client: { extensions: { accessTokenType: 'at+jwt' } } });
  context.after(() => pool.close());
  await addUser(pool, ADA);
  const { access, id } = requireTokens(await loginByPassword(pool, ADA));
  assert.deepEqual([decodeTokenPart(access, 0).typ, decodeTokenPart(id, 0).typ], ['at+jwt', undefined]);
  const { Username } = await pool.operations.getUser({ AccessToken: access }, TEST_CALL);
  assert.equal(Username, decodeTokenPart(access, 1).username);
  const [, claims, signature] = access.split('.');
  const other = `${encodeTokenPart({ ...decodeTokenPart(access, 0), typ: 'JWT' })}.${claims}.${signature}`;
  for (const text of [other, id]) {
    const refused = pool.operations.getUser({ AccessToken: text }, TEST_CALL);
    await assert.rejects(refused, { code: 'NotAuthorizedException' });
  }
});
