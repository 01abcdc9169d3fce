import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { findFreePort } from '@poolgate/store/testing';
import { createTestOperator } from './testing/test-operator.ts';

test('status shows the service and its store, and its exit code says whether it is ready', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context, { PORT: String(await findFreePort()) });
  const before = await runPoolgate(['status']);
  assert.equal(before.exitCode, 1);
  assert.match(before.out.join('\n'), /^service +nothing answers$/m);
  assert.match(before.out.join('\n'), /^store +not created yet$/m);
  const service = await serve();
  const running = await runPoolgate(['status']);
  assert.equal(running.exitCode, 0, running.out.join('\n'));
  assert.match(running.out.join('\n'), /^service +ready$/m);
  assert.match(running.out.join('\n'), /^signing keys +0 days old$/m);
  assert.ok(running.out.some((line) => /^database +SQLite file .*poolgate\.db$/.test(line)));
  assert.match(running.out.join('\n'), /^file +[1-9]\d* bytes, and \d+ of write-ahead log$/m);
  assert.match(running.out.join('\n'), /^messages +0 queued, 0 undeliverable$/m);
  const read = JSON.parse((await runPoolgate(['status', '--json'])).out.join('\n')) as Record<string, unknown>;
  assert.deepEqual(read.service, { state: 'ready', failing: [] });
  await service.close();
  const after = await runPoolgate(['status']);
  assert.equal(after.exitCode, 1);
  assert.match(after.out.join('\n'), /^store +reachable, schema up to date$/m);
});

test('status fails if the database is lost, whether its service runs or not', async (context) => {
  const { runPoolgate, serve, folder } = await createTestOperator(context, { PORT: String(await findFreePort()) });
  const service = await serve();
  await rm(`${folder}/poolgate.db`);
  for (const suffix of ['-wal', '-shm']) await rm(`${folder}/poolgate.db${suffix}`, { force: true });
  const running = await runPoolgate(['status']);
  assert.equal(running.exitCode, 1, running.out.join('\n'));
  assert.match(running.out.join('\n'), /^service +not ready \(failing: store\)$/m);
  assert.match(running.out.join('\n'), /^store +empty, although it contained a user pool: run poolgate doctor$/m);
  await service.close();
  const doctor = await runPoolgate(['doctor']);
  assert.equal(doctor.exitCode, 1);
  assert.match(
    doctor.out.join('\n'),
    /The service refuses to start: the store \(SQLite file .*poolgate\.db\) contains no user pool/,
  );
});

test('status reports an invalid database', async (context) => {
  const { runPoolgate, folder } = await createTestOperator(context, { PORT: String(await findFreePort()) });
  await writeFile(`${folder}/poolgate.db`, 'this is no database, but text of some length'.repeat(100));
  const { exitCode, out } = await runPoolgate(['status']);
  assert.equal(exitCode, 1);
  assert.match(out.join('\n'), /^store +refused: run poolgate doctor$/m);
});
