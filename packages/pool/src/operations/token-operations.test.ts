import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { createFailingStore, STORE_DOWN_ERROR } from '../testing/failing-store.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { decodeTokenPart, requireTokens, type Tokens } from '../testing/test-tokens.ts';
import { createRefreshToken } from '../tokens/refresh-token.ts';
import { createPoolPorts } from './pool-ports.ts';

const ADA = 'ada@example.com';
const SECRET = 'the_secret_of_the_client_of_these_tests';
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('the operations on refresh tokens of a client with a secret', () => {
  let pool: TestPool;
  let mint: (loginId: string) => Promise<string>;
  let isDown = false;
  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const store = createFailingStore(opened.options.store, () => isDown);
    const ports = { ...opened.options, store };
    pool = await openTestPoolOn({ ...opened, options: ports }, { clientSecret: SECRET });
    await addUser(pool, ADA);
    mint = async (loginId) => {
      const record = (await pool.store.pools.byId(pool.userPoolId)) ?? assert.fail();
      return createRefreshToken(createPoolPorts(opened.options), record, loginId, 0);
    };
  });
  after(() => pool.close());

  async function login(): Promise<Tokens & { readonly id: string }> {
    const { clientId: ClientId } = pool;
    const SECRET_HASH = createHmac('sha256', SECRET)
      .update(ADA + ClientId)
      .digest('base64');
    const AuthParameters = { USERNAME: ADA, PASSWORD, SECRET_HASH };
    const tokens = requireTokens(
      await pool.operations.initiateAuth({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }, TEST_CALL),
    );
    return { ...tokens, id: String(decodeTokenPart(tokens.access, 1).origin_jti) };
  }
  const asClient = () => ({ ClientId: pool.clientId, ClientSecret: SECRET });
  const refresh = (RefreshToken: string) =>
    pool.operations.getTokensFromRefreshToken({ ...asClient(), RefreshToken }, TEST_CALL);
  const revoke = (Token: string) => pool.operations.revokeToken({ ...asClient(), Token }, TEST_CALL);
  const isRevoked = async (id: string) => (await pool.store.logins.byId(id))?.revokedAtMs !== null;

  it('return and end nothing without it', async () => {
    const { refresh: token, id } = await login();
    const { clientId: ClientId, operations } = pool;
    for (const secret of [{}, { ClientSecret: `${SECRET}x` }]) {
      const renewed = operations.getTokensFromRefreshToken({ ClientId, RefreshToken: token, ...secret }, TEST_CALL);
      const refusal = await assertRefused(renewed, 'NotAuthorizedException');
      assert.equal(refusal.message, `Unable to verify secret for client ${ClientId}`);
      assert.equal(refusal.reason, 'client_secret');
      const revoked = operations.revokeToken({ ClientId, Token: token, ...secret }, TEST_CALL);
      assert.equal((await assertRefused(revoked, 'UnauthorizedException')).reason, 'client_secret');
    }
    assert.equal(await isRevoked(id), false);
    assert.equal((await pool.store.logins.byId(id))?.generation, 0);
    assert.ok(requireTokens(await refresh(token)));
  });

  it('end only the login of a token, permanently', async () => {
    const [one, other] = [await login(), await login()];
    assert.deepEqual([await revoke(one.refresh), await revoke(one.refresh)], [{}, {}]);
    assert.deepEqual([await isRevoked(one.id), await isRevoked(other.id)], [true, false]);
    await assertRefused(refresh(one.refresh), 'NotAuthorizedException', 'Refresh Token has been revoked');
  });

  it('accept an unknown token without a response, and refuse an invalid one', async () => {
    const { refresh: token, access, id } = await login();
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    for (const nobodys of [forged, await mint(NOBODY)]) assert.deepEqual(await revoke(nobodys), {});
    for (const none of [access, 'x']) {
      await assertRefused(revoke(none), 'UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.');
    }
    assert.equal(await isRevoked(id), false);
  });

  it('end no login of another client', async () => {
    const { refresh: Token, id } = await login();
    const { client } = await pool.embedded.setUp({ userPoolId: pool.userPoolId, clientId: 'another' });
    const foreign = pool.operations.revokeToken({ ClientId: client.id, Token }, TEST_CALL);
    assert.equal((await assertRefused(foreign, 'UnauthorizedException')).reason, 'invalid_grant');
    assert.equal(await isRevoked(id), false);
  });

  it('end nothing if the client does not track logins', async () => {
    const { refresh: Token, access: AccessToken } = await login();
    const untracked = (await pool.store.clients.byId(pool.clientId)) ?? assert.fail();
    const setTracking = (tokenRevocation: boolean) => {
      const settings = { ...untracked.settings, tokenRevocation };
      pool.clock.advance(5_000);
      return pool.store.write(({ clients }) => clients.update(pool.clientId, { ...untracked, settings }));
    };
    await setTracking(false);
    const refusal = ['UnsupportedOperationException', 'Token revocation is not enabled for this client.'] as const;
    await assertRefused(revoke(Token), ...refusal);
    const { access } = await login();
    const end = pool.embedded.extensions.end_login?.({ AccessToken: access }, TEST_CALL) ?? assert.fail();
    await assertRefused(end, ...refusal);
    await setTracking(true);
    await pool.operations.getUser({ AccessToken }, TEST_CALL);
  });

  it('report a login as not ended if that cannot be written', async () => {
    const { refresh: Token } = await login();
    isDown = true;
    await assert.rejects(revoke(Token), STORE_DOWN_ERROR).finally(() => (isDown = false));
  });
});
