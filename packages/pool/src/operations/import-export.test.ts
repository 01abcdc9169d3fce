import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createPool, type ExportedUser, type ImportedUser } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { replaceWrite } from '../testing/crashing-store.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { listEventTypes, openTestEventPool, summarizeEvent, type TestEventPool } from '../testing/test-events.ts';
import {
  addUser,
  inviteUser,
  openTestPool,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { enrolTotp } from '../testing/test-totp.ts';

const ADA = 'ada@example.com';

/** Another pool with the same ID, as after a move to another database. */
async function openTwin({ userPoolId }: TestPool, databaseUrl: string): Promise<TestPool> {
  const opened = await openTestEnvironment(databaseUrl);
  await createPool(opened.options).setUp({ userPoolId });
  return openTestPoolOn(opened);
}

async function exportAll({ embedded, userPoolId }: TestPool, limit = 60): Promise<readonly ExportedUser[]> {
  const users: ExportedUser[] = [];
  let cursor: string | undefined;
  do {
    const page = await embedded.exportUsers(userPoolId, limit, cursor);
    users.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return users;
}

forEachDatabase((database) => {
  describe(`users who move to another pool on ${database.name}`, () => {
    let from: TestPool;
    let to: TestPool;
    let username: string;
    before(async () => {
      from = await openTestPool(await database.create());
      to = await openTwin(from, await database.create());
      for (const { operations, userPoolId } of [from, to]) {
        await operations.createGroup({ UserPoolId: userPoolId, GroupName: 'staff' }, TEST_CALL);
      }
      username = await addUser(from, ADA);
      const member = { UserPoolId: from.userPoolId, Username: ADA, GroupName: 'staff' };
      await from.operations.adminAddUserToGroup(member, TEST_CALL);
      await enrolTotp(from, requireTokens(await loginByPassword(from, ADA)).access);
      await inviteUser(from, 'invited@example.com');
    });
    after(async () => {
      await from.close();
      await to.close();
    });

    it('keep names, sub, attributes, status, groups and password, but not their authenticator', async () => {
      const users = await exportAll(from, 1);
      const { password, ...ada } = users.find((user) => user.username === username) ?? assert.fail();
      assert.deepEqual(ada, {
        username,
        sub: username,
        attributes: { email: ADA, email_verified: 'true' },
        status: 'CONFIRMED',
        enabled: true,
        groups: ['staff'],
        preferredMfa: 'SOFTWARE_TOKEN_MFA',
      });
      assert.ok(password);
      assert.deepEqual(await to.embedded.importUsers(to.userPoolId, users), [{ ok: true }, { ok: true }]);
      assert.deepEqual(
        await exportAll(to),
        users.map((user) => ({ ...user, preferredMfa: null })),
      );
      const { access } = requireTokens(await loginBySrp(to, ADA));
      const claims = decodeTokenPart(access, 1);
      assert.deepEqual([claims.sub, claims.username, claims['cognito:groups']], [username, username, ['staff']]);
      await assert.rejects(loginBySrp(to, ADA, 'wrong'));
      assert.equal((await loginByPassword(to, 'invited@example.com')).ChallengeName, 'NEW_PASSWORD_REQUIRED');
    });

    it('are refused as existing if they are repeated, and change nothing', async () => {
      const users = await exportAll(from);
      await to.embedded.importUsers(to.userPoolId, users);
      const before = await exportAll(to);
      const twice = await to.embedded.importUsers(
        to.userPoolId,
        users.map((user) => ({ ...user, attributes: { ...user.attributes, name: 'changed' } })),
      );
      assert.deepEqual(
        twice.map((outcome) => !outcome.ok && outcome.code),
        ['exists', 'exists'],
      );
      assert.deepEqual(await exportAll(to), before);
    });
  });

  describe(`an import on ${database.name}`, () => {
    let pool: TestPool;
    let newEvents: TestEventPool['newEvents'];
    before(async () => {
      ({ pool, newEvents } = await openTestEventPool(await database.create()));
    });
    beforeEach(() => newEvents());
    after(() => pool.close());

    const bring = (users: readonly ImportedUser[]) => pool.embedded.importUsers(pool.userPoolId, users);
    const importForCodes = async (users: readonly ImportedUser[]) =>
      (await bring(users)).map((outcome) => (outcome.ok ? 'ok' : outcome.code));

    it('without a password requires a reset, and lists the imported users', async () => {
      const email = 'new@example.com';
      assert.deepEqual(
        await importForCodes([{ username: email, attributes: { email_verified: 'true', name: 'New' } }]),
        ['ok'],
      );
      const user = await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username: email }, TEST_CALL);
      assert.equal(user.UserStatus, 'RESET_REQUIRED');
      const [event, ...more] = await newEvents();
      assert.deepEqual(more, []);
      assert.ok(event);
      assert.deepEqual(summarizeEvent(event), {
        type: 'user.imported',
        outcome: 'success',
        actor: 'operator',
        username: user.Username,
        status: 'RESET_REQUIRED',
      });
      await assertRefused(loginByPassword(pool, email, PASSWORD), 'NotAuthorizedException');
    });

    it('imports valid users and reports what is wrong with each other one', async () => {
      const verified = { email_verified: 'true' };
      const codes = await importForCodes([
        { username: 'good1@example.com', attributes: verified },
        { username: 'good1@example.com', attributes: verified },
        { username: 'GOOD1@example.com', attributes: verified },
        { username: 'no address', attributes: {} },
        { username: 'bad-attribute@example.com', attributes: { 'custom:unknown': 'x' } },
        { username: 'bad-sub@example.com', attributes: {}, sub: 'me' },
        { username: 'sub@example.com', attributes: { sub: '00000000-0000-4000-8000-000000000001' } },
        { username: 'group@example.com', attributes: verified, groups: ['nobody-made-it'] },
        { username: 'salt@example.com', attributes: {}, password: { saltHex: '1', verifierHex: 'ff' } },
        { username: 'mfa@example.com', attributes: {}, preferredMfa: 'SMS_MFA' },
        { username: '00000000-0000-4000-8000-000000000002', attributes: {} },
        { username: 'good2@example.com', attributes: verified, enabled: false },
      ]);
      const invalid = 'invalid_parameter';
      assert.deepEqual(codes, [
        'ok',
        'exists',
        'exists',
        ...[invalid, invalid, invalid, invalid],
        'group_not_found',
        ...[invalid, 'flow_disabled', invalid],
        'ok',
      ]);
      assert.deepEqual(listEventTypes(await newEvents()), ['user.imported', 'user.imported']);
    });

    it('refuses a trivial verifier', async () => {
      const username = '00000000-0000-4000-8000-00000000000a';
      const saltHex = 'a'.repeat(32);
      for (const verifierHex of ['0', '1', 'zz', '', 'f'.repeat(768)]) {
        const attributes = { email: 'weak@example.com', email_verified: 'true' };
        const users = [{ username, attributes, password: { saltHex, verifierHex } }];
        assert.deepEqual(await importForCodes(users), ['invalid_parameter'], verifierHex.slice(0, 8));
      }
    });

    it('of the same users by two parallel replicas creates each of them once', async () => {
      const users = Array.from({ length: 40 }, (_, n) => ({
        username: `race${n}@example.com`,
        attributes: { email_verified: 'true' },
      }));
      const other = pool.replica();
      const outcomes = await Promise.all([bring(users), other.embedded.importUsers(pool.userPoolId, users)]);
      for (let n = 0; n < users.length; n++) {
        assert.deepEqual(outcomes.map((of) => of[n]?.ok).sort(), [false, true]);
      }
      assert.equal((await newEvents()).length, users.length);
    });

    it('starts over when another write takes a name at the same time, and gives up after five attempts', async () => {
      const conflict = Object.assign(new Error('taken'), { name: 'ConflictError', key: 'user name' });
      const opened = await openTestEnvironment(await database.create());
      const { store } = opened.options;
      let conflicts = 0;
      const busy = replaceWrite(store, (work) => (conflicts-- > 0 ? Promise.reject(conflict) : store.write(work)));
      const own = await openTestPoolOn({ ...opened, options: { ...opened.options, store: busy } });
      const bringOne = (username: string) =>
        own.embedded.importUsers(own.userPoolId, [{ username, attributes: { email_verified: 'true' } }]);
      conflicts = 4;
      assert.deepEqual(await bringOne('fifth@example.com'), [{ ok: true }]);
      conflicts = 5;
      await assert.rejects(bringOne('sixth@example.com'), conflict);
      await own.close();
    });

    it('is limited to two hundred users', async () => {
      const user = { username: 'many@example.com', attributes: {} };
      await assert.rejects(bring(Array(201).fill(user)), { name: 'RangeError', message: /200/ });
      assert.deepEqual(await newEvents(), []);
    });
  });
});
