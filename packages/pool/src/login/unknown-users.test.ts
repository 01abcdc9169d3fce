import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openTestContext, type TestContext } from '../testing/context.ts';
import { forEachDatabase } from '../testing/databases.ts';
import { journaled } from '../testing/journal.ts';
import { addUser, openTestPoolOn, type TestPool } from '../testing/pool.ts';
import { adminPasswordLogin, inProcessLogin, outcome, passwordLogin, srpLogin } from '../testing/srp-login.ts';

forEachDatabase((database) => {
  describe(`the work done for an unknown user on ${database.name}`, () => {
    let opened: TestContext;
    let pool: TestPool;
    let take: () => readonly string[];
    before(async () => {
      opened = await openTestContext(await database.create());
      const journal = journaled(opened);
      take = journal.takeEntries;
      pool = await openTestPoolOn(journal.opened);
      await addUser(pool, 'ada@example.com');
    });
    // Settings are remembered for seconds, and the stand-in's password is drawn with the first login.
    beforeEach(async () => {
      pool.clock.advance(901_000);
      await outcome(passwordLogin(pool, 'warm-up@example.com'));
      take();
    });
    after(() => opened.close());

    async function workOf(
      login: (pool: TestPool, name: string, password: string) => ReturnType<typeof passwordLogin>,
      name: string,
    ): Promise<readonly string[]> {
      const words = await outcome(login(pool, name, 'wrong'));
      return [...take(), words];
    }

    for (const [form, login, powers] of [
      ['SRP', srpLogin, 3],
      ['plain text', passwordLogin, 1],
      ['plain text in process', inProcessLogin, 1],
      ['plain text from an administrator', adminPasswordLogin, 1],
    ] as const) {
      it(`is the same as for a known one by ${form}, until both are locked and after`, async () => {
        for (let attempt = 0; attempt < 7; attempt++) {
          const known = await workOf(login, 'ada@example.com');
          const unknown = await workOf(login, 'nobody@example.com');
          assert.deepEqual(unknown, known);
          assert.equal(known.filter((entry) => entry.endsWith('power')).length, powers);
          assert.equal(known.filter((entry) => entry === 'write').length, 1);
        }
      });
    }
  });
});
