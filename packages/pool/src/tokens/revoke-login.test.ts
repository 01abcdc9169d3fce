import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../testing/test-pool.ts';
import { createLogin } from './login-tokens.ts';
import { revokeActiveLogin, revokeLogin } from './revoke-login.ts';

const NO_LOGIN = ['ResourceNotFoundException', 'Login does not exist.'] as const;
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('one login of a user', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let ports: PoolPorts;
  let owner: PoolAndClient;
  let user: UserRecord;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    ports = createPoolPorts(opened.options);
    owner = await requireClientAndPool(ports, pool.clientId);
    const found = await pool.store.users.byName(pool.userPoolId, await addUser(pool, 'ada@example.com'));
    user = found?.user ?? assert.fail();
  });
  after(() => pool.close());

  const start = (): Promise<LoginRecord> =>
    ports.store.write((transaction) => createLogin(ports, transaction, { ...owner, user }, { deviceKey: null }));
  const toldOf = async (loginId: string) => {
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 100, undefined);
    return rows
      .filter(({ details }) => details.login === loginId)
      .map(({ type, outcome, clientId, user: whose }) => ({ type, outcome, clientId, username: whose?.username }));
  };
  const isRevoked = async (id: string) => (await pool.store.logins.byId(id))?.revokedAtMs !== null;

  it('ends once, and is told once', async () => {
    const login = await start();
    const revoke = () => ports.store.write((transaction) => revokeLogin(ports, transaction, owner.pool, login));
    assert.deepEqual([await revoke(), await revoke()], [true, false]);
    const { username } = user;
    const told = { type: 'login.ended', outcome: 'success', clientId: pool.clientId, username };
    assert.deepEqual(await toldOf(login.id), [told]);
  });

  it('ends for its user alone, who learns of no other', async () => {
    const { id } = await start();
    const other = { ...owner.pool, id: 'us-east-1_Other0001' };
    for (const [whose, loginId] of [
      [{ pool: other, user }, id],
      [{ pool: owner.pool, user: { username: 'eve' } }, id],
      [{ pool: owner.pool, user }, NOBODY],
    ] as const) {
      const refusal = await assertRefused(revokeActiveLogin(ports, whose, loginId), ...NO_LOGIN);
      assert.equal(refusal.reason, 'login_not_found');
    }
    assert.deepEqual([await isRevoked(id), await toldOf(id)], [false, []]);
    await revokeActiveLogin(ports, { pool: owner.pool, user }, id);
    assert.deepEqual([await isRevoked(id), (await toldOf(id)).length], [true, 1]);
    await assertRefused(revokeActiveLogin(ports, { pool: owner.pool, user }, id), ...NO_LOGIN);
  });

  it('can be ended until its last millisecond, and has ended by itself then', async () => {
    const [one, other] = [await start(), await start()];
    pool.clock.advance(one.refreshExpiresAtMs - 1 - pool.clock.now());
    await revokeActiveLogin(ports, { pool: owner.pool, user }, one.id);
    pool.clock.advance(1);
    await assertRefused(revokeActiveLogin(ports, { pool: owner.pool, user }, other.id), ...NO_LOGIN);
  });
});
