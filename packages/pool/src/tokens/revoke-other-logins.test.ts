import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { uuidV7 } from '@poolgate/provider';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import { TEST_LOGIN_RECORD } from '../testing/test-login-record.ts';
import { RANDOM_PORT } from '../testing/test-ports.ts';
import { openTestRecords, type TestRecords } from '../testing/test-records.ts';
import { revokeOtherLogins } from './revoke-other-logins.ts';

/** More than one page. */
const MANY = 101;
const LIFE_MS = 1_000_000;

describe('the other logins of a user', () => {
  let opened: TestRecords;
  before(async () => {
    opened = await openTestRecords();
  });
  after(() => opened.close());

  /** The IDs of new logins. */
  function begin({ username }: UserRecord, many: number): Promise<readonly string[]> {
    const nowMs = opened.clock.now();
    const login: LoginRecord = {
      ...TEST_LOGIN_RECORD,
      poolId: opened.pool.id,
      clientId: opened.client.id,
      username,
      authTimeSeconds: nowMs / 1000,
      refreshExpiresAtMs: nowMs + LIFE_MS,
      createdAtMs: nowMs,
    };
    const ids = Array.from({ length: many }, () => uuidV7(nowMs, RANDOM_PORT.random));
    return opened.store.write(async ({ logins }) => {
      for (const id of ids) await logins.insert({ ...login, id });
      return ids;
    });
  }

  const end = (user: UserRecord, loginId: string | undefined) =>
    opened.store.write((transaction) => revokeOtherLogins(transaction, { user, loginId, nowMs: opened.clock.now() }));
  const activeIds = async ({ username }: UserRecord) =>
    (await opened.store.logins.listActive(opened.pool.id, username, opened.clock.now(), 60, undefined)).rows.map(
      ({ id }) => id,
    );

  it("all end, for any number, and the caller's stays; expired ones are not recorded", async () => {
    const [user, other] = [await opened.addUser(), await opened.addUser()];
    await begin(user, 1);
    opened.clock.advance(LIFE_MS);
    const ids = await begin(user, MANY);
    const [kept = '', ...others] = ids;
    const [foreign] = await begin(other, 1);
    assert.deepEqual((await end(user, kept))?.toSorted(), others.toSorted());
    assert.deepEqual([await activeIds(user), await activeIds(other)], [[kept], [foreign]]);
    assert.deepEqual(await end(user, kept), []);
  });

  it("end together with the caller's if that one is unknown", async () => {
    const [user, other] = [await opened.addUser(), await opened.addUser()];
    await begin(user, 2);
    const [foreign] = await begin(other, 1);
    assert.equal(await end(user, undefined), undefined);
    assert.deepEqual([await activeIds(user), await activeIds(other)], [[], [foreign]]);
  });
});
