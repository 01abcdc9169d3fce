import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { LoginRecord } from '../store/records.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { decodeTokenPart } from '../testing/test-tokens.ts';
import { createLogin, type LoginOrigin, signTokens, type TokenSubject } from './login-tokens.ts';
import { verifyRefreshToken } from './refresh-token.ts';

const MOST = 3;

describe('a login', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let ports: PoolPorts;
  let count = 0;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    // No whole second.
    pool.clock.advance(999);
    ports = createPoolPorts(opened.options);
  });
  after(() => pool.close());

  async function someone(sessions = { tracked: true, mostPerUser: MOST }): Promise<TokenSubject> {
    const owner = await requireClientAndPool(ports, pool.clientId);
    const found = await pool.store.users.byName(pool.userPoolId, await addUser(pool, `user${count++}@example.com`));
    const { user } = found ?? assert.fail();
    return { ...owner, pool: { ...owner.pool, settings: { ...owner.pool.settings, sessions } }, user };
  }

  const start = (
    subject: TokenSubject,
    from: LoginOrigin = { deviceKey: null },
    call = TEST_CALL,
  ): Promise<LoginRecord> =>
    ports.store.write((transaction) => createLogin({ ...ports, call }, transaction, subject, from));

  const activeIds = async ({ user }: TokenSubject): Promise<readonly string[]> =>
    (await pool.store.logins.listActive(pool.userPoolId, user.username, pool.clock.now(), 60, undefined)).rows.map(
      ({ id }) => id,
    );

  it('is kept with what its tokens are made of, from its first moment on', async () => {
    const subject = await someone();
    const nowMs = pool.clock.now();
    const kept = {
      poolId: pool.userPoolId,
      clientId: pool.clientId,
      username: subject.user.username,
      refreshExpiresAtMs: nowMs + 30 * 86_400_000,
      generation: 0,
      rotatedAtMs: null,
      revokedAtMs: null,
      createdAtMs: nowMs,
    };
    const ofApplication = { deviceKey: 'd', scope: 'openid', audience: 'https://api.example', authTimeSeconds: 7 };
    const atApi = { deviceKey: null, scope: null, audience: null, authTimeSeconds: (nowMs - 999) / 1000 };
    for (const [from, address, expected] of [
      [{ deviceKey: null }, '192.0.2.1', { ...atApi, sourceAddress: '192.0.2.1' }],
      [ofApplication, '', { ...ofApplication, sourceAddress: null }],
    ] as const) {
      const login = await start(subject, from, { ...TEST_CALL, sourceAddress: address });
      assert.deepEqual(login, { id: login.id, ...kept, ...expected });
      assert.deepEqual(await pool.store.logins.byId(login.id), login);
    }
  });

  it('beyond the most sessions ends the one that was used least recently, and tells so', async () => {
    const subject = await someone();
    const ids: string[] = [];
    for (let made = 1; made <= 5; made += 1) {
      pool.clock.advance(1_000);
      ids.unshift((await start(subject)).id);
      assert.deepEqual(await activeIds(subject), ids.slice(0, MOST));
    }
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 100, undefined);
    const ended = rows.filter(({ type, user }) => type === 'login.ended' && user?.sub === subject.user.sub);
    assert.deepEqual(
      ended.map(({ clientId, details }) => [clientId, details]),
      [ids[3], ids[4]].map((login) => [pool.clientId, { login, reason: 'too_many_sessions' }]),
    );
  });

  it('through a browser’s session leaves that alone, however long ago it was used', async () => {
    const subject = await someone();
    const ids: string[] = [];
    for (let made = 1; made <= MOST; made += 1) {
      pool.clock.advance(1_000);
      ids.unshift((await start(subject)).id);
    }
    pool.clock.advance(1_000);
    const sessionLoginId = ids.at(-1) ?? assert.fail();
    const { id } = await start(subject, { deviceKey: null, sessionLoginId });
    assert.deepEqual(await activeIds(subject), [id, ...ids]);
  });

  it('ends no other where sessions are not tracked', async () => {
    const subject = await someone({ tracked: false, mostPerUser: 1 });
    await start(subject);
    await start(subject);
    assert.equal((await activeIds(subject)).length, 2);
  });

  it('gives tokens of its current generation, and an event that both of them tell', async () => {
    const subject = await someone();
    const login = { ...(await start(subject)), generation: 4 };
    const changes = { added: {}, overrides: undefined };
    const { AccessToken, IdToken, RefreshToken, ...rest } = await signTokens(ports, { ...subject, login, changes });
    assert.deepEqual(rest, { ExpiresIn: 3_600, TokenType: 'Bearer' });
    const [access, id] = [decodeTokenPart(AccessToken, 1), decodeTokenPart(IdToken, 1)];
    const iat = Math.floor(pool.clock.now() / 1000);
    for (const claims of [access, id]) {
      assert.deepEqual([claims.iat, claims.exp, claims.origin_jti], [iat, iat + 3_600, login.id]);
    }
    assert.deepEqual([access.token_use, id.token_use], ['access', 'id']);
    assert.equal(access.event_id, id.event_id);
    assert.notEqual(access.event_id, login.id);
    assert.equal('at_hash' in id, false);
    assert.deepEqual(verifyRefreshToken(ports, subject.pool, RefreshToken), { loginId: login.id, generation: 4 });
  });

  it('of an application gives an ID token that names the access token beside it', async () => {
    const subject = await someone();
    const login = await start(subject, { deviceKey: null, scope: 'openid' });
    const changes = { added: {}, overrides: undefined };
    const { AccessToken, IdToken } = await signTokens(ports, { ...subject, login, changes, nonce: 'n' });
    const digest = createHash('sha256').update(AccessToken).digest('hex');
    const half = Buffer.from(digest.slice(0, 32), 'hex').toString('base64url');
    const { at_hash, nonce, jti } = decodeTokenPart(IdToken, 1);
    assert.deepEqual({ at_hash, nonce }, { at_hash: half, nonce: 'n' });
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.equal(decodeTokenPart(AccessToken, 1).scope, 'openid');
  });

  it('is the event of its tokens where these do not name it', async () => {
    const { client, ...subject } = await someone();
    const untracked = { ...client, settings: { ...client.settings, tokenRevocation: false } };
    const login = await start({ ...subject, client });
    const changes = { added: {}, overrides: undefined };
    const { AccessToken } = await signTokens(ports, { ...subject, client: untracked, login, changes });
    assert.equal(decodeTokenPart(AccessToken, 1).event_id, login.id);
  });
});
