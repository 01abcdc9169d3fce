import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../testing/test-pool.ts';

const PURPOSES = ['pool-secret', 'signing-key', 'client-secret', 'verifier'];

/** A pool whose key ring can lose the key of each purpose and of each password, as if another process had replaced the secret. */
async function poolWithKeyLoss(lost: Set<string>): Promise<TestPool> {
  const opened = await openTestEnvironment('sqlite::memory:');
  const { keyRing } = opened.options;
  const losing: typeof keyRing = {
    ...keyRing,
    decrypt: (purpose, encrypted, data) =>
      lost.has(purpose) || lost.has(`${purpose} of ${data}`) ? undefined : keyRing.decrypt(purpose, encrypted, data),
  };
  const ports = { ...opened.options, keyRing: losing };
  return openTestPoolOn({ ...opened, options: ports }, { clientSecret: 'asecretofthisclient0123456789' });
}

test('an instance that lost any key that a login needs reports it at once, whatever it has cached', async (context) => {
  const lost = new Set<string>();
  const pool = await poolWithKeyLoss(lost);
  context.after(() => pool.close());
  const { embedded } = pool;
  assert.equal(await embedded.canServeLogins(pool), true, 'nobody has a password yet');
  await addUser(pool, 'ada@example.com');
  assert.equal(await embedded.canServeLogins(pool), true);
  for (const purpose of PURPOSES) {
    lost.add(purpose);
    assert.equal(await embedded.canServeLogins(pool), false, purpose);
    lost.delete(purpose);
    assert.equal(await embedded.canServeLogins(pool), true, purpose);
  }
  assert.equal(await embedded.canServeLogins({ ...pool, userPoolId: 'us-east-1_Nobody000' }), false);
  assert.equal(await embedded.canServeLogins({ ...pool, clientId: 'removed' }), true, 'other clients may log users in');
});

test('one damaged password does not make the service unready while others can be decrypted', async (context) => {
  const lost = new Set<string>();
  const pool = await poolWithKeyLoss(lost);
  context.after(() => pool.close());
  const names = [await addUser(pool, 'ada@example.com'), await addUser(pool, 'bob@example.com')];
  const [one, other] = names.map((name) => `verifier of ${pool.userPoolId}/${name}`);
  lost.add(String(one));
  assert.equal(await pool.embedded.canServeLogins(pool), true);
  lost.add(String(other));
  assert.equal(await pool.embedded.canServeLogins(pool), false);
});

test('an instance without the key of a kind of token cannot serve logins', async (context) => {
  const pool = await poolWithKeyLoss(new Set());
  context.after(() => pool.close());
  await pool.store.write((transaction) => transaction.signingKeys.retireExcept(pool.userPoolId, [], pool.clock.now()));
  assert.equal(await pool.embedded.canServeLogins(pool), false);
});
