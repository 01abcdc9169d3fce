import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { EventPorts, MacPorts, StorePort } from '../kernel/ports.ts';
import type { LoginRecord } from '../store/records.ts';
import { BY_PASSWORD } from '../testing/test-login-record.ts';
import { CALL_PORT, createEventPorts, createMacPorts } from '../testing/test-ports.ts';
import { openTestRecords, type TestRecords } from '../testing/test-records.ts';
import { decodeTokenPart } from '../testing/test-tokens.ts';
import { createLogin, type LoginOrigin, signTokens, type TokenSubject } from './login-tokens.ts';
import { verifyRefreshToken } from './refresh-token.ts';
import { signTexts } from './sign-texts.ts';
import { generateSigningKeys } from './signing-keys.ts';
import { createKeyCache, type SigningPorts } from './token-ports.ts';

const MOST = 3;

describe('a login', () => {
  let opened: TestRecords;
  let ports: EventPorts & MacPorts & SigningPorts & StorePort;
  before(async () => {
    opened = await openTestRecords();
    const { store, clock } = opened;
    // Not a whole second.
    clock.advance(999);
    const signing = { keyCache: createKeyCache(clock), signTexts };
    ports = { ...createEventPorts(), ...createMacPorts(), ...signing, store, clock };
    const keys = await generateSigningKeys(ports, opened.pool.id);
    await store.write(async ({ signingKeys }) => {
      for (const key of keys) await signingKeys.insert(key);
    });
  });
  after(() => opened.close());

  async function someone(sessions = { tracked: true, mostPerUser: MOST }): Promise<TokenSubject> {
    const { pool, client, addUser } = opened;
    return { client, pool: { ...pool, settings: { ...pool.settings, sessions } }, user: await addUser() };
  }

  const start = (
    subject: TokenSubject,
    from: LoginOrigin = { deviceKey: null, ...BY_PASSWORD },
    { call } = CALL_PORT,
  ): Promise<LoginRecord> =>
    ports.store.write((transaction) => createLogin({ ...ports, call }, transaction, subject, from));

  const activeIds = async ({ user }: TokenSubject): Promise<readonly string[]> =>
    (await opened.store.logins.listActive(opened.pool.id, user.username, opened.clock.now(), 60, undefined)).rows.map(
      ({ id }) => id,
    );

  it('is stored with the facts of its tokens from the start', async () => {
    const subject = await someone();
    const nowMs = opened.clock.now();
    const kept = {
      poolId: opened.pool.id,
      clientId: opened.client.id,
      username: subject.user.username,
      refreshExpiresAtMs: nowMs + 30 * 86_400_000,
      generation: 0,
      rotatedAtMs: null,
      revokedAtMs: null,
      createdAtMs: nowMs,
    };
    const asked = { scope: 'openid', audience: 'https://api.example', sessionId: 'session' };
    const ofApplication = { deviceKey: 'd', ...asked, ...BY_PASSWORD, authTimeSeconds: 7 };
    const ofNone = { scope: null, audience: null, sessionId: null, userAgent: null };
    const atApi = { deviceKey: null, ...BY_PASSWORD, ...ofNone, authTimeSeconds: (nowMs - 999) / 1000 };
    for (const [from, address, expected] of [
      [{ deviceKey: null, ...BY_PASSWORD }, '192.0.2.1', { ...atApi, sourceAddress: '192.0.2.1' }],
      [ofApplication, '', { ...ofApplication, sourceAddress: null, userAgent: null }],
    ] as const) {
      const login = await start(subject, from, { call: { ...CALL_PORT.call, sourceAddress: address } });
      assert.deepEqual(login, { id: login.id, ...kept, ...expected });
      assert.deepEqual(await opened.store.logins.byId(login.id), login);
    }
  });

  it('over the session limit ends the least recently used one, and reports it', async () => {
    const subject = await someone();
    const ids: string[] = [];
    for (let made = 1; made <= 5; made += 1) {
      opened.clock.advance(1_000);
      ids.unshift((await start(subject)).id);
      assert.deepEqual(await activeIds(subject), ids.slice(0, MOST));
    }
    const { rows } = await opened.records.events.page({ userPoolId: opened.pool.id }, 100, undefined);
    const ended = rows.filter(({ type, user }) => type === 'login.ended' && user?.sub === subject.user.sub);
    assert.deepEqual(
      ended.map(({ clientId, details }) => [clientId, details]),
      [ids[3], ids[4]].map((login) => [opened.client.id, { login, reason: 'too_many_sessions' }]),
    );
  });

  it('through a browser session keeps that one, however long ago it was used', async () => {
    const subject = await someone();
    const ids: string[] = [];
    for (let made = 1; made <= MOST; made += 1) {
      opened.clock.advance(1_000);
      ids.unshift((await start(subject)).id);
    }
    opened.clock.advance(1_000);
    const sessionLoginId = ids.at(-1) ?? assert.fail();
    const { id } = await start(subject, { deviceKey: null, ...BY_PASSWORD, sessionLoginId });
    assert.deepEqual(await activeIds(subject), [id, ...ids]);
  });

  it('ends no other if sessions are not tracked', async () => {
    const subject = await someone({ tracked: false, mostPerUser: 1 });
    await start(subject);
    await start(subject);
    assert.equal((await activeIds(subject)).length, 2);
  });

  it('returns tokens of its current generation, with the ID of its event in both', async () => {
    const subject = await someone();
    const login = { ...(await start(subject)), generation: 4 };
    const changes = { added: {}, overrides: undefined };
    const { AccessToken, IdToken, RefreshToken, ...rest } = await signTokens(ports, { ...subject, login, changes });
    assert.deepEqual(rest, { ExpiresIn: 3_600, TokenType: 'Bearer' });
    const [access, id] = [decodeTokenPart(AccessToken, 1), decodeTokenPart(IdToken, 1)];
    const iat = Math.floor(opened.clock.now() / 1000);
    for (const claims of [access, id]) {
      assert.deepEqual([claims.iat, claims.exp, claims.origin_jti], [iat, iat + 3_600, login.id]);
    }
    assert.deepEqual([access.token_use, id.token_use], ['access', 'id']);
    assert.equal(access.event_id, id.event_id);
    assert.notEqual(access.event_id, login.id);
    assert.equal('at_hash' in id, false);
    assert.deepEqual(verifyRefreshToken(ports, subject.pool, RefreshToken), { loginId: login.id, generation: 4 });
  });

  it('of an application returns an ID token that names the access token', async () => {
    const subject = await someone();
    const login = await start(subject, { deviceKey: null, ...BY_PASSWORD, scope: 'openid' });
    const changes = { added: {}, overrides: undefined };
    const { AccessToken, IdToken } = await signTokens(ports, { ...subject, login, changes, nonce: 'n' });
    const digest = createHash('sha256').update(AccessToken).digest('hex');
    const half = Buffer.from(digest.slice(0, 32), 'hex').toString('base64url');
    const { at_hash, nonce, jti } = decodeTokenPart(IdToken, 1);
    assert.deepEqual({ at_hash, nonce }, { at_hash: half, nonce: 'n' });
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.equal(decodeTokenPart(AccessToken, 1).scope, 'openid');
  });

  it('is the event of its tokens if these do not name it', async () => {
    const { client, ...subject } = await someone();
    const untracked = { ...client, settings: { ...client.settings, tokenRevocation: false } };
    const login = await start({ ...subject, client });
    const changes = { added: {}, overrides: undefined };
    const { AccessToken } = await signTokens(ports, { ...subject, client: untracked, login, changes });
    assert.equal(decodeTokenPart(AccessToken, 1).event_id, login.id);
  });
});
