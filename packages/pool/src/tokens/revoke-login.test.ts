import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventPorts, StorePort } from '../kernel/ports.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { BY_PASSWORD } from '../testing/test-login-record.ts';
import { createEventPorts } from '../testing/test-ports.ts';
import { openTestRecords, type TestRecords } from '../testing/test-records.ts';
import { createLogin } from './login-tokens.ts';
import { revokeActiveLogin, revokeLogin } from './revoke-login.ts';

const NO_LOGIN = ['ResourceNotFoundException', 'Login does not exist.'] as const;
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('one login of a user', () => {
  let opened: TestRecords;
  let ports: EventPorts & StorePort;
  let user: UserRecord;
  before(async () => {
    opened = await openTestRecords();
    const { store, clock } = opened;
    ports = { ...createEventPorts(), store, clock };
    user = await opened.addUser();
  });
  after(() => opened.close());

  const start = (): Promise<LoginRecord> =>
    ports.store.write((transaction) =>
      createLogin(ports, transaction, { ...opened, user }, { deviceKey: null, ...BY_PASSWORD }),
    );
  const listEvents = async (loginId: string) => {
    const { rows } = await opened.records.events.page({ userPoolId: opened.pool.id }, 100, undefined);
    return rows
      .filter(({ details }) => details.login === loginId)
      .map(({ type, outcome, clientId, user: whose }) => ({ type, outcome, clientId, username: whose?.username }));
  };
  const isRevoked = async (id: string) => (await ports.store.logins.byId(id))?.revokedAtMs !== null;

  it('ends once, and is recorded once', async () => {
    const login = await start();
    const revoke = () => ports.store.write((transaction) => revokeLogin(ports, transaction, opened.pool, login));
    assert.deepEqual([await revoke(), await revoke()], [true, false]);
    const { username } = user;
    const told = { type: 'login.ended', outcome: 'success', clientId: opened.client.id, username };
    assert.deepEqual(await listEvents(login.id), [told]);
  });

  it('ends only for its user, who learns of no other', async () => {
    const { id } = await start();
    const other = { ...opened.pool, id: 'us-east-1_Other0001' };
    for (const [whose, loginId] of [
      [{ pool: other, user }, id],
      [{ pool: opened.pool, user: { username: 'eve' } }, id],
      [{ pool: opened.pool, user }, NOBODY],
    ] as const) {
      const refusal = await assertRefused(revokeActiveLogin(ports, whose, loginId), ...NO_LOGIN);
      assert.equal(refusal.reason, 'login_not_found');
    }
    assert.deepEqual([await isRevoked(id), await listEvents(id)], [false, []]);
    await revokeActiveLogin(ports, { pool: opened.pool, user }, id);
    assert.deepEqual([await isRevoked(id), (await listEvents(id)).length], [true, 1]);
    await assertRefused(revokeActiveLogin(ports, { pool: opened.pool, user }, id), ...NO_LOGIN);
  });

  it('can be ended until its last millisecond, and then has expired', async () => {
    const [one, other] = [await start(), await start()];
    opened.clock.advance(one.refreshExpiresAtMs - 1 - opened.clock.now());
    await revokeActiveLogin(ports, { pool: opened.pool, user }, one.id);
    opened.clock.advance(1);
    await assertRefused(revokeActiveLogin(ports, { pool: opened.pool, user }, other.id), ...NO_LOGIN);
  });
});
