import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestContext } from '../testing/context.ts';
import { journaled } from '../testing/journal.ts';
import { addUser, CALL, openTestPoolOn, PASSWORD } from '../testing/pool.ts';
import { passwordLogin, srpLogin } from '../testing/srp-login.ts';
import type { TriggerInvoker } from './invoker.ts';

/** What a day in the life of a user asks of the store. */
async function statements(triggers: TriggerInvoker | undefined): Promise<readonly string[]> {
  const { opened, takeEntries } = journaled(await openTestContext('sqlite::memory:'));
  const ports = { ...opened.options, ...(triggers && { triggers }) };
  const pool = await openTestPoolOn({ ...opened, options: ports });
  takeEntries();
  await addUser(pool, 'ada@example.com');
  await pool.operations.signUp({ ClientId: pool.clientId, Username: 'bob@example.com', Password: PASSWORD }, CALL);
  await srpLogin(pool, 'ada@example.com');
  const { AuthenticationResult } = await passwordLogin(pool, 'ada@example.com');
  const RefreshToken = AuthenticationResult?.RefreshToken ?? '';
  await pool.operations.getTokensFromRefreshToken({ ClientId: pool.clientId, RefreshToken }, CALL);
  const entries = takeEntries();
  await pool.close();
  return entries;
}

test('a pool without triggers asks the store no more than where nothing could be called, and calls nothing', async () => {
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
