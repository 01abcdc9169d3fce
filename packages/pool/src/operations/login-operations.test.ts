import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { toSessionId } from '../sessions/session-ids.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { createCallJournal } from '../testing/call-journal.ts';
import { createFailingStore, STORE_DOWN_ERROR } from '../testing/failing-store.ts';
import { confirmTestDevice, issueDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPool, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { enrolTotp } from '../testing/test-totp.ts';

const NO_LOGIN = ['ResourceNotFoundException', 'Login does not exist.'] as const;

describe('the logins of a user', () => {
  let pool: TestPool;
  let count = 0;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());

  const someone = async () => {
    const name = `user${count++}@example.com`;
    return { name, username: await addUser(pool, name) };
  };
  const loginFrom = async (name: string, sourceAddress: string) => {
    const call: CallContext = { requestId: 'test', sourceAddress };
    const AuthParameters = { USERNAME: name, PASSWORD };
    const login = { ClientId: pool.clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters } as const;
    const tokens = requireTokens(await pool.operations.initiateAuth(login, call));
    return { ...tokens, id: String(decodeTokenPart(tokens.access, 1).origin_jti) };
  };
  const list = (AccessToken: string, more: { readonly Limit?: number; readonly NextToken?: string } = {}) =>
    pool.embedded.extensions.list_logins?.({ AccessToken, ...more }, TEST_CALL) ?? assert.fail();
  const end = (AccessToken: string, LoginId: string) =>
    pool.embedded.extensions.end_login_by_id?.({ AccessToken, LoginId }, TEST_CALL) ?? assert.fail();

  it('are listed newest first, with their place and their last refresh', async () => {
    const { name } = await someone();
    const first = await loginFrom(name, '192.0.2.1');
    const startedAt = pool.clock.now() / 1000;
    pool.clock.advance(60_000);
    await pool.operations.getTokensFromRefreshToken(
      { ClientId: pool.clientId, RefreshToken: first.refresh },
      TEST_CALL,
    );
    const renewedAt = pool.clock.now() / 1000;
    pool.clock.advance(60_000);
    const second = await loginFrom(name, '2001:db8::1');
    const { Logins, NextToken } = await list(first.access);
    assert.equal(NextToken, undefined);
    assert.deepEqual(
      Logins.map(({ Id }) => Id),
      [second.id, first.id],
    );
    const { DeviceKey, SessionId, ...oldest } = Logins[1] ?? assert.fail();
    assert.match(DeviceKey ?? '', /^us-east-1_/);
    assert.deepEqual(oldest, {
      Id: first.id,
      ClientId: pool.clientId,
      StartedAt: startedAt,
      RefreshedAt: renewedAt,
      ExpiresAt: startedAt + 30 * 86_400,
      SourceAddress: '192.0.2.1',
    });
    assert.match(SessionId, /^tkn[0-9a-z]{25}$/);
    assert.equal(Logins[0]?.RefreshedAt, undefined);
    assert.equal(Logins[0]?.SourceAddress, '2001:db8::1');
  });

  it('are listed in pages, each login once', async () => {
    const { name } = await someone();
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.push((await loginFrom(name, '192.0.2.1')).id);
    const { access } = await loginFrom(name, '192.0.2.1');
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const page = await list(access, { Limit: 3, ...(token === undefined ? {} : { NextToken: token }) });
      assert.ok(page.Logins.length <= 3);
      seen.push(...page.Logins.map(({ Id }) => Id));
      token = page.NextToken;
    } while (token !== undefined);
    assert.equal(seen.length, 8);
    assert.ok(made.every((id) => seen.includes(id)) && new Set(seen).size === 8);
  });

  it('are not listed after they ended or expired', async () => {
    const { name } = await someone();
    const ended = await loginFrom(name, '192.0.2.1');
    await pool.operations.revokeToken({ ClientId: pool.clientId, Token: ended.refresh }, TEST_CALL);
    await loginFrom(name, '192.0.2.2');
    pool.clock.advance(30 * 86_400_000);
    const { access, id } = await loginFrom(name, '192.0.2.3');
    assert.deepEqual(
      (await list(access)).Logins.map(({ Id }) => Id),
      [id],
    );
  });

  it('end one by one: the tokens are refused, the others continue', async () => {
    const { name } = await someone();
    const [lost, kept] = [await loginFrom(name, '192.0.2.1'), await loginFrom(name, '192.0.2.2')];
    await end(kept.access, lost.id);
    await assertRefused(pool.operations.getUser({ AccessToken: lost.access }, TEST_CALL), 'NotAuthorizedException');
    const renew = { ClientId: pool.clientId, RefreshToken: lost.refresh };
    await assertRefused(pool.operations.getTokensFromRefreshToken(renew, TEST_CALL), 'NotAuthorizedException');
    await pool.operations.getUser({ AccessToken: kept.access }, TEST_CALL);
    await assertRefused(end(kept.access, lost.id), ...NO_LOGIN);
  });

  it('also end with the ID of their session', async () => {
    const { name } = await someone();
    const [lost, kept] = [await loginFrom(name, '192.0.2.1'), await loginFrom(name, '192.0.2.2')];
    assert.deepEqual(await end(kept.access, toSessionId(lost.id)), { Id: lost.id });
    await assertRefused(pool.operations.getUser({ AccessToken: lost.access }, TEST_CALL), 'NotAuthorizedException');
  });

  it('of another user look like unknown ones', async () => {
    const [ada, eve] = [await someone(), await someone()];
    const victim = await loginFrom(ada.name, '192.0.2.1');
    const { access } = await loginFrom(eve.name, '192.0.2.2');
    for (const id of [victim.id, '00000000-0000-4000-8000-000000000000', '', "' or 1=1", `${victim.id}\u0000`]) {
      const { reason } = await assertRefused(end(access, id), ...NO_LOGIN);
      assert.equal(reason, 'login_not_found');
    }
    await pool.operations.getUser({ AccessToken: victim.access }, TEST_CALL);
    assert.ok((await list(access)).Logins.every(({ Id }) => Id !== victim.id));
  });

  it('cannot be paged with the token of another user', async () => {
    const [ada, eve] = [await someone(), await someone()];
    for (let n = 0; n < 2; n++) await loginFrom(ada.name, '192.0.2.1');
    const { access } = await loginFrom(ada.name, '192.0.2.1');
    const { NextToken } = await list(access, { Limit: 1 });
    assert.ok(NextToken);
    const other = await loginFrom(eve.name, '192.0.2.2');
    await assertRefused(list(other.access, { NextToken }), 'InvalidParameterException');
  });

  it('end with a reset of the second factors, which removes factors, recovery codes and remembered devices', async () => {
    const { name, username } = await someone();
    const device = await issueDevice(pool, name);
    await confirmTestDevice(pool, device);
    const { access } = device.tokens;
    await pool.operations.updateDeviceStatus(
      { AccessToken: access, DeviceKey: device.key, DeviceRememberedStatus: 'remembered' },
      TEST_CALL,
    );
    await enrolTotp(pool, access);
    await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
    assert.equal((await loginByPassword(pool, name)).ChallengeName, 'SOFTWARE_TOKEN_MFA');
    const user = { UserPoolId: pool.userPoolId, Username: name };
    await pool.embedded.extensions.reset_mfa?.(user, TEST_CALL);
    const { UserMFASettingList, PreferredMfaSetting } = await pool.operations.adminGetUser(user, TEST_CALL);
    assert.deepEqual([UserMFASettingList, PreferredMfaSetting], [undefined, undefined]);
    assert.equal(await pool.store.authenticators.byState(pool.userPoolId, username, 'active'), undefined);
    assert.equal(await pool.store.recoveryCodes.count(pool.userPoolId, username), 0);
    assert.equal((await pool.store.devices.byKey(pool.userPoolId, username, device.key))?.remembered, false);
    await assertRefused(pool.operations.getUser({ AccessToken: access }, TEST_CALL), 'NotAuthorizedException');
    requireTokens(await loginByPassword(pool, name));
    const nobody = { ...user, Username: 'nobody@example.com' };
    await assertRefused(
      pool.embedded.extensions.reset_mfa?.(nobody, TEST_CALL) ?? assert.fail(),
      'UserNotFoundException',
    );
  });
});

describe('the logins of a user in the store', () => {
  let pool: TestPool;
  let opened: TestEnvironment;
  let takeEntries: () => readonly string[];
  let isDown = false;
  before(async () => {
    const real = await openTestEnvironment('sqlite::memory:');
    const store = createFailingStore(real.options.store, () => isDown);
    ({ opened, takeEntries } = createCallJournal({ ...real, options: { ...real.options, store } }));
    pool = await openTestPoolOn(opened);
    await addUser(pool, 'ada@example.com');
  });
  after(() => pool.close());

  const login = async () => {
    const tokens = requireTokens(await loginByPassword(pool, 'ada@example.com'));
    return { ...tokens, id: String(decodeTokenPart(tokens.access, 1).origin_jti) };
  };
  const extensions = () => pool.embedded.extensions;
  const endOthers = (AccessToken: string) =>
    extensions().end_other_logins?.({ AccessToken }, TEST_CALL) ?? assert.fail('no such extension');

  it('nothing is written for an invalid ID', async () => {
    const { access: AccessToken, id } = await login();
    takeEntries();
    for (const LoginId of ['', 'x', `${id}0`, `x${id}`, id.toUpperCase()]) {
      await assertRefused(
        extensions().end_login_by_id?.({ AccessToken, LoginId }, TEST_CALL) ?? assert.fail(),
        ...NO_LOGIN,
      );
    }
    assert.ok(!takeEntries().includes('write'));
  });

  it('all others end one by one, which is recorded once if there was one', async () => {
    const [one, other, kept] = [await login(), await login(), await login()];
    const tellings = async () => {
      const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
      return rows.filter(({ type }) => type === 'login.all_ended').map(({ details, clientId }) => [clientId, details]);
    };
    const ended = await endOthers(kept.access);
    assert.ok(ended.Ended.includes(one.id) && ended.Ended.includes(other.id) && !ended.Ended.includes(kept.id));
    assert.equal(ended.OwnEnded, false);
    const told = [pool.clientId, { kept: kept.id }];
    assert.deepEqual(await tellings(), [told]);
    assert.deepEqual(await endOthers(kept.access), { Ended: [], OwnEnded: false });
    assert.deepEqual(await tellings(), [told]);
    const { id } = await login();
    assert.deepEqual(await endOthers(kept.access), { Ended: [id], OwnEnded: false });
    assert.deepEqual(await tellings(), [told, told]);
  });

  it('a logout that cannot be written is reported as failed', async () => {
    const { access: AccessToken } = await login();
    isDown = true;
    const out = extensions().end_login?.({ AccessToken }, TEST_CALL) ?? assert.fail();
    await assert.rejects(out, STORE_DOWN_ERROR).finally(() => (isDown = false));
    await pool.operations.getUser({ AccessToken }, TEST_CALL);
  });
});
