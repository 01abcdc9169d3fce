import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallJournal } from '../testing/call-journal.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, PASSWORD, TEST_CALL } from '../testing/test-pool.ts';
import { loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import type { TriggerInvoker } from './trigger-invoker.ts';

/** The store calls of a user's typical day. */
async function statements(triggers: TriggerInvoker | undefined): Promise<readonly string[]> {
  const { opened, takeEntries } = createCallJournal(await openTestEnvironment('sqlite::memory:'));
  const ports = { ...opened.options, ...(triggers && { triggers }) };
  const pool = await openTestPoolOn({ ...opened, options: ports });
  takeEntries();
  await addUser(pool, 'ada@example.com');
  await pool.operations.signUp({ ClientId: pool.clientId, Username: 'bob@example.com', Password: PASSWORD }, TEST_CALL);
  await loginBySrp(pool, 'ada@example.com');
  const { AuthenticationResult } = await loginByPassword(pool, 'ada@example.com');
  const RefreshToken = AuthenticationResult?.RefreshToken ?? '';
  await pool.operations.getTokensFromRefreshToken({ ClientId: pool.clientId, RefreshToken }, TEST_CALL);
  const entries = takeEntries();
  await pool.close();
  return entries;
}

test('a pool without triggers calls the store no more than if nothing could be called', async () => {
  const asked: string[] = [];
  const triggers: TriggerInvoker = {
    targetOf(arn) {
      asked.push(arn);
      return undefined;
    },
  };
  const before = await statements(undefined);
  assert.ok(before.length > 20);
  assert.deepEqual(await statements(triggers), before);
  assert.deepEqual(asked, []);
});
