import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { USER_SCOPE } from '@poolgate/provider';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, encodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { lockAuthorizedUser, requireAccessToken } from './access-tokens.ts';
import { signJwts } from './jwt.ts';
import { signTexts } from './sign-texts.ts';
import { requireJwtSigners } from './signing-keys.ts';
import { verifyAccessToken } from './verify-access-token.ts';

const ADA = 'ada@example.com';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const INVALID = 'Invalid Access Token';
const REVOKED = 'Access Token has been revoked';
const NO_SCOPE = 'Access Token does not have required scopes';

describe('an access token', () => {
  let pool: TestPool;
  let ports: PoolPorts;
  let access: string;
  let claims: Readonly<Record<string, unknown>>;
  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    ports = createPoolPorts(opened.options);
    await addUser(pool, ADA);
    pool.clock.advance(999);
    access = requireTokens(await loginByPassword(pool, ADA)).access;
    claims = decodeTokenPart(access, 1);
  });
  after(() => pool.close());

  /** A token that the pool's own key signed, with other claims and header members; undefined ones are omitted. */
  async function signed(changedClaims: object, changedHeader: object = {}): Promise<string> {
    const { access: signer } = await requireJwtSigners(ports, await requirePool(ports, pool.userPoolId));
    const header = encodeTokenPart({ ...decodeTokenPart(access, 0), ...changedHeader });
    const token = { signer: { ...signer, header }, claims: { ...claims, ...changedClaims } };
    return (await signJwts(signTexts, [token]))[0] ?? assert.fail();
  }

  it('contains its user, login, device, purpose and start time', async () => {
    const { pool: ofPool, client, ...told } = await verifyAccessToken(ports, access);
    assert.deepEqual([ofPool.id, client.id], [pool.userPoolId, pool.clientId]);
    assert.deepEqual(told, {
      sub: claims.sub,
      username: claims.username,
      loginId: claims.origin_jti,
      eventId: claims.event_id,
      deviceKey: claims.device_key,
      scope: USER_SCOPE,
      authTimeSeconds: Math.floor(pool.clock.now() / 1000),
      issuedAtSeconds: Math.floor(pool.clock.now() / 1000),
      kid: decodeTokenPart(access, 0).kid,
    });
    const bare = await verifyAccessToken(ports, await signed({ origin_jti: 5, event_id: 5, device_key: 5 }));
    assert.deepEqual([bare.loginId, bare.eventId, bare.deviceKey], [undefined, undefined, undefined]);
  });

  it('is refused if it is not as the pool writes it, whoever signed it', async () => {
    const { kid } = decodeTokenPart(access, 0);
    const rows: readonly (readonly [claims: object, header: object, message: string])[] = [
      [{ token_use: 'id' }, {}, INVALID],
      [{ token_use: undefined }, {}, INVALID],
      [{ sub: undefined }, {}, INVALID],
      [{ sub: 5 }, {}, INVALID],
      [{ username: undefined }, {}, INVALID],
      [{ username: 5 }, {}, INVALID],
      [{ exp: undefined }, {}, INVALID],
      [{ iat: undefined }, {}, INVALID],
      [{ jti: undefined }, {}, INVALID],
      [{ iss: 'https://evil.example' }, {}, INVALID],
      [{ client_id: undefined }, {}, INVALID],
      [{ client_id: {} }, {}, INVALID],
      [{ client_id: 'nobody' }, {}, INVALID],
      [{ client_id: 'no\0body' }, {}, INVALID],
      [{ client_id: 'no\ud800body' }, {}, INVALID],
      [{ scope: 'openid' }, {}, NO_SCOPE],
      [{ scope: undefined }, {}, NO_SCOPE],
      [{ aud: 'https://api.example' }, {}, NO_SCOPE],
      [{}, { typ: 'JWT' }, INVALID],
      [{}, { kid: undefined }, INVALID],
      [{}, { kid: [kid] }, INVALID],
    ];
    for (const [changed, header, message] of rows) {
      const about = JSON.stringify([changed, header]);
      const verified = verifyAccessToken(ports, await signed(changed, header));
      assert.equal((await assertRefused(verified, 'NotAuthorizedException', message)).reason, 'invalid_token', about);
    }
    const [, ...rest] = access.split('.');
    await assertRefused(verifyAccessToken(ports, ['x', ...rest].join('.')), 'NotAuthorizedException', INVALID);
  });

  it('is accepted for any of its scopes, unless it is for another resource', async () => {
    const token = await signed({ scope: 'openid email' });
    assert.equal((await verifyAccessToken(ports, token, 'openid')).scope, 'openid email');
    await assertRefused(verifyAccessToken(ports, token, 'phone'), 'NotAuthorizedException', NO_SCOPE);
    const bound = await signed({ scope: 'openid email', aud: 'https://api.example' });
    await assertRefused(verifyAccessToken(ports, bound, 'openid'), 'NotAuthorizedException', NO_SCOPE);
  });

  it('is valid as long as its login, or without one if it names none', async () => {
    const { loginId, deviceKey } = await requireAccessToken(ports, access);
    assert.deepEqual([loginId, deviceKey], [claims.origin_jti, claims.device_key]);
    const lost = requireAccessToken(ports, await signed({ origin_jti: NOBODY }));
    await assertRefused(lost, 'NotAuthorizedException', REVOKED);
    for (const event_id of [undefined, NOBODY]) {
      const told = await requireAccessToken(ports, await signed({ origin_jti: undefined, event_id }));
      assert.deepEqual([told.loginId, told.deviceKey], [undefined, claims.device_key]);
    }
    const byEvent = await signed({ origin_jti: undefined, event_id: claims.origin_jti });
    assert.equal((await requireAccessToken(ports, byEvent)).loginId, claims.origin_jti);
  });

  it('is refused for a new user with the same name, and for a deleted one', async () => {
    for (const changed of [{ sub: NOBODY }, { username: NOBODY }]) {
      const refusal = await assertRefused(requireAccessToken(ports, await signed(changed)), 'UserNotFoundException');
      assert.equal(refusal.reason, 'invalid_token');
    }
  });

  it('is verified again in the write that acts on it', async () => {
    const owner = await requireAccessToken(ports, requireTokens(await loginByPassword(pool, ADA)).access);
    const { user, loginId = '' } = owner;
    const claim = (changed: object = {}) =>
      ports.store.write((transaction) => lockAuthorizedUser(transaction, { ...owner, ...changed }));
    const found = await claim();
    assert.deepEqual([found.user, found.login?.id], [user, loginId]);
    assert.deepEqual((await claim({ loginId: undefined })).login, undefined);
    const anew = await assertRefused(claim({ user: { ...user, sub: NOBODY } }), 'UserNotFoundException');
    assert.equal(anew.reason, 'invalid_token');
    await assertRefused(claim({ loginId: NOBODY }), 'NotAuthorizedException', REVOKED);
    const change = (fields: object) =>
      ports.store.write(({ users }) =>
        users.update(pool.userPoolId, user.username, { ...fields, modifiedAtMs: pool.clock.now() }),
      );
    await change({ enabled: false });
    const disabled = await assertRefused(claim(), 'NotAuthorizedException', 'User is disabled.');
    assert.equal(disabled.reason, 'user_disabled');
    await change({ enabled: true });
    await ports.store.write(({ logins }) => logins.revoke(loginId, pool.clock.now()));
    await assertRefused(claim(), 'NotAuthorizedException', REVOKED);
  });
});
