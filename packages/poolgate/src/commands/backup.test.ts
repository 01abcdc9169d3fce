import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '@poolgate/store';
import { execute } from '@poolgate/store/testing';
import { DEMO_USER, type Service } from '../index.ts';
import { createTestOperator } from './testing/test-operator.ts';

async function logIn({ url }: Service, username: string, password: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/login`, { method: 'POST', headers, body: JSON.stringify({ username, password }) });
  await answer.arrayBuffer();
  return answer.status;
}

async function register({ url, adminKey }: Service, email: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${adminKey?.bearer}` };
  const body = JSON.stringify({ email, temp_password: 'Temp-Passw0rd!' });
  assert.equal((await fetch(`${url}/admin/users`, { method: 'POST', headers, body })).status, 201);
}

const hasUser = async (service: Service, email: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${service.adminKey?.bearer}` };
  return (await fetch(`${service.url}/admin/users/${encodeURIComponent(email)}`, { headers })).status === 200;
};

test('a backup of a busy service contains every acknowledged user, and restores to a service that logs in', async (context) => {
  const { folder, runPoolgate, serve } = await createTestOperator(context, { POOLGATE_LIMIT_READS: '0' });
  const file = join(folder, 'backup.db');
  const service = await serve();
  for (let index = 0; index < 5; index += 1) await register(service, `before-${index}@example.com`);
  const meanwhile = Promise.all(
    Array.from({ length: 20 }, (_, index) => register(service, `meanwhile-${index}@example.com`)),
  );
  const made = await runPoolgate(['backup', file]);
  await meanwhile;
  assert.equal(made.exitCode, 0, made.err);
  assert.match(made.out.join(), /^\S+backup\.db: \d+ bytes, sha256 [\da-f]{64}$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await register(service, 'after@example.com');

  const inUse = await runPoolgate(['restore', file, '--replace']);
  assert.equal(inUse.exitCode, 1);
  assert.match(inUse.err, /nothing was restored: another service is running on the SQLite file/);
  await rename(join(folder, 'poolgate.db'), join(folder, 'away.db'));
  const lost = await runPoolgate(['restore', file]);
  assert.match(
    lost.err,
    /nothing was restored: another service/,
    'the service runs on the file that is gone from its place',
  );
  await rename(join(folder, 'away.db'), join(folder, 'poolgate.db'));
  await service.close();
  const reader = await openStore(`sqlite:${join(folder, 'poolgate.db')}`);
  const read = await runPoolgate(['restore', file, '--replace']);
  assert.match(read.err, /nothing was restored: .*another process holds the database/);
  await reader.close();

  const asked = await runPoolgate(['restore', file]);
  assert.equal(asked.exitCode, 1);
  assert.match(asked.err, /--replace/);
  const restored = await runPoolgate(['restore', file, '--replace']);
  assert.equal(restored.exitCode, 0, restored.err);
  const names = await readdir(folder);
  assert.ok(names.some((name) => name.startsWith('poolgate.db.before-')));
  assert.ok(!names.some((name) => name.includes('restoring') || name.includes('partial')), names.join());
  const again = await serve();
  assert.equal(await logIn(again, DEMO_USER.email, DEMO_USER.password), 200);
  for (let index = 0; index < 5; index += 1) assert.ok(await hasUser(again, `before-${index}@example.com`));
  assert.equal(await hasUser(again, 'after@example.com'), false);
});

test('a backup replaces no file, and a missing database has none', async (context) => {
  const { folder, runPoolgate, serve } = await createTestOperator(context);
  const file = join(folder, 'backup.db');
  const none = await runPoolgate(['backup', file]);
  assert.deepEqual([none.exitCode, /database does not exist yet/.test(none.err)], [1, true]);
  await (await serve()).close();
  await writeFile(file, 'mine');
  const refused = await runPoolgate(['backup', file]);
  assert.equal(refused.exitCode, 1);
  assert.equal(await readFile(file, 'utf8'), 'mine');
  const memory = await createTestOperator(context, { DATABASE_URL: 'sqlite::memory:' });
  assert.match((await memory.runPoolgate(['backup', file])).err, /DATABASE_URL is not one/);
});

test('a backup is refused if it is damaged, foreign, newer, or encrypted with another secret', async (context) => {
  const { folder, runPoolgate, serve } = await createTestOperator(context);
  await (await serve()).close();
  const file = join(folder, 'backup.db');
  assert.equal((await runPoolgate(['backup', file])).exitCode, 0);
  const before = await readFile(join(folder, 'poolgate.db'));

  const broken = async (name: string, work: (path: string) => Promise<unknown>): Promise<string> => {
    const path = join(folder, name);
    await copyFile(file, path);
    await work(path);
    return path;
  };
  const bytes = await readFile(file);
  const damaged = await broken('damaged.db', (path) => {
    const middle = Math.floor(bytes.length / 2);
    const torn = Buffer.from(bytes);
    torn.fill(0xff, middle, middle + 8_192);
    return writeFile(path, torn);
  });
  const cut = await broken('cut.db', (path) => writeFile(path, bytes.subarray(0, bytes.length - 5_000)));
  const text = await broken('text.db', (path) => writeFile(path, 'no database at all'.repeat(1_000)));
  const newer = await broken('newer.db', (path) =>
    execute(`sqlite:${path}`, "insert into poolgate_migrations (name, timestamp) values ('9999-future', '2030-01-01')"),
  );
  for (const path of [damaged, cut, text, newer]) {
    const refused = await runPoolgate(['restore', path, '--replace']);
    assert.equal(refused.exitCode, 1, path);
    assert.match(refused.err, /nothing was restored/, path);
  }
  const other = await createTestOperator(context);
  await (await other.serve()).close();
  const foreign = await other.runPoolgate(['restore', file, '--replace']);
  assert.match(foreign.err, /encrypted with a secret that is not in POOLGATE_SECRET/);
  assert.deepEqual(await readFile(join(folder, 'poolgate.db')), before);
});
