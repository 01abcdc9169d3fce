import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import { DEMO_USER } from '../providers/demo-user.ts';
import { start } from '../service/start.ts';
import { createTestOperator } from './testing/test-operator.ts';

test('a service continues with what was copied to PostgreSQL, and nothing is copied twice', async (context) => {
  const { runPoolgate, serve, environment } = await createTestOperator(context);
  const first = await serve();
  await first.close();
  const database = await createTestDatabase();
  context.after(() => database.drop());
  const copied = await runPoolgate(['store', 'copy', '-'], `${database.url}\n`);
  assert.equal(copied.exitCode, 0, copied.err);
  assert.match(copied.out.join('\n'), /^users 1$/m);
  assert.match(copied.err, /Copied and verified \d+ rows in \d+ tables/);
  assert.ok(!`${copied.out.join()}${copied.err}`.includes(new URL(database.url).password));

  const second = await start({ environment: { ...environment, DATABASE_URL: database.url } });
  context.after(() => second.close());
  assert.equal(second.userPoolId, first.userPoolId);
  const body = JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(`${second.url}/login`, { method: 'POST', headers, body })).status, 200);

  const again = await runPoolgate(['store', 'copy', database.url]);
  assert.equal(again.exitCode, 1);
  assert.match(again.err, /nothing was copied: the target is not empty/);
});

test('an invalid target, or one of the same kind, is an error of the command line', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  await (await serve()).close();
  for (const target of ['mysql://u:hunter2@h/d', 'sqlite:./other.db', '']) {
    const { exitCode, err } = await runPoolgate(['store', 'copy', target]);
    assert.deepEqual([exitCode, err.includes('hunter2')], [2, false], target);
  }
  assert.equal((await runPoolgate(['store', 'copy', 'postgres://u:hunter2@127.0.0.1:1/d'])).exitCode, 1);
});
