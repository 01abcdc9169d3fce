import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../testing/test-databases.ts';
import { startChoiceLogin } from '../testing/test-logins.ts';
import { WEB_AUTHN } from '../testing/test-passkeys.ts';
import { openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';

const DAY_MS = 86_400_000;
const USERS = 60;
const NAMES = 200;

forEachDatabase((database) => {
  describe(`the sign-in methods of unknown names on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: { firstFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'], webAuthn: WEB_AUTHN },
      });
    });
    after(() => pool.close());

    const takeCensus = (of: TestPool) => of.embedded.startCensuses(({ error }) => assert.fail(String(error)))();
    const censuses = async () => (await pool.store.pools.byId(pool.userPoolId))?.settings.factorCensuses ?? [];

    async function listChoices(name: string): Promise<string> {
      return (await startChoiceLogin(pool, name)).AvailableChallenges?.join(' ') ?? '';
    }

    async function computeShare(wanted: string): Promise<number> {
      const lists = await Promise.all(Array.from({ length: NAMES }, (_, at) => listChoices(`nobody${at}@example.com`)));
      return lists.filter((list) => list === wanted).length / NAMES;
    }

    it('resemble those of the pool’s users, on every replica, for usernames and for aliases', async () => {
      const wanted = 'PASSWORD_SRP PASSWORD EMAIL_OTP';
      await takeCensus(pool);
      assert.deepEqual(await censuses(), []);
      // The factors of a user who signed up. 199 of 200 are expected. 190 are seven standard deviations below.
      assert.ok((await computeShare(wanted)) > 0.95);
      const users = Array.from({ length: USERS }, (_, at) => `user${at}@example.com`);
      await pool.embedded.importUsers(
        pool.userPoolId,
        users.map((email) => ({
          username: crypto.randomUUID(),
          attributes: { email, email_verified: 'true' },
          password: { saltHex: 'ab'.repeat(16), verifierHex: `7f${'ab'.repeat(383)}` },
        })),
      );
      assert.equal(await listChoices('user7@example.com'), wanted);
      await takeCensus(pool);
      await takeCensus(pool.replica());
      assert.equal((await censuses()).length, 1);
      assert.ok((await computeShare(wanted)) > 0.95);
    });

    it('are recalculated after days, and stay when the settings change', async () => {
      pool.clock.advance(4 * DAY_MS);
      await takeCensus(pool);
      assert.equal((await censuses()).length, 2);
      await pool.operations.updateUserPool({ UserPoolId: pool.userPoolId }, TEST_CALL);
      assert.equal((await censuses()).length, 2);
    });
  });
});
