import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createCallJournal } from '../testing/call-journal.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../testing/test-pool.ts';
import {
  describeOutcome,
  loginByPassword,
  loginByPasswordAsAdmin,
  loginBySrp,
  loginInProcess,
} from '../testing/test-srp-logins.ts';

describe('the work done for an unknown user', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let take: () => readonly string[];
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const journal = createCallJournal(opened);
    take = journal.takeEntries;
    pool = await openTestPoolOn(journal.opened);
    await addUser(pool, 'ada@example.com');
  });
  // Settings are cached for seconds, and the decoy's password is created at the first login.
  beforeEach(async () => {
    pool.clock.advance(901_000);
    await describeOutcome(loginByPassword(pool, 'warm-up@example.com'));
    take();
  });
  after(() => opened.close());

  async function recordWork(
    login: (pool: TestPool, name: string, password: string) => ReturnType<typeof loginByPassword>,
    name: string,
  ): Promise<readonly string[]> {
    const words = await describeOutcome(login(pool, name, 'wrong'));
    return [...take(), words];
  }

  for (const [form, login, powers] of [
    ['SRP', loginBySrp, 3],
    ['plain text', loginByPassword, 1],
    ['plain text in process', loginInProcess, 1],
    ['plain text from an administrator', loginByPasswordAsAdmin, 1],
  ] as const) {
    it(`is the same as for a known one by ${form}, until both are locked and after`, async () => {
      for (let attempt = 0; attempt < 7; attempt++) {
        const known = await recordWork(login, 'ada@example.com');
        const unknown = await recordWork(login, 'nobody@example.com');
        assert.deepEqual(unknown, known);
        assert.equal(known.filter((entry) => entry.endsWith('power')).length, powers);
        assert.equal(known.filter((entry) => entry === 'write').length, 1);
      }
    });
  }
});
