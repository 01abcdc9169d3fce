import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { readConfiguration } from '../config/configuration.ts';
import { openContainer, setUpPool } from '../container/container.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { FileRecord } from './file-record.ts';
import { importRecords } from './import-records.ts';
import { openRejectsFile } from './rejects.ts';

const MANY = 450;
const MINUTE_MS = 60_000;

async function* records(count = MANY): AsyncGenerator<FileRecord> {
  for (let line = 1; line <= count; line += 1) {
    const email = `u${line}@example.com`;
    yield { line, text: email, content: { user: { username: email, attributes: { email } } } };
  }
}

class Killed extends Error {}

async function opened(context: TestContext, delayMs = MINUTE_MS) {
  let nowMs = Date.UTC(2026, 0, 1);
  const system = { ...HOST_SYSTEM, clock: { now: () => nowMs } };
  const container = await openContainer(readConfiguration({}, { databaseUrl: 'sqlite::memory:' }), system, () => {});
  context.after(() => container.close());
  const { userPoolId } = await setUpPool(container);
  const { pool } = container.backend.embedded ?? assert.fail('the pool is embedded');
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-import-'));
  context.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'rejects.tsv');
  const start: Checkpoint = {
    user_pool_id: userPoolId,
    started_at_ms: nowMs + delayMs,
    records: 0,
    digest: '',
    imported: 0,
    rejected: 0,
    rejects_bytes: 0,
  };
  /** Runs an import that is killed before it can save its n-th checkpoint. */
  async function runs(from: Checkpoint | undefined, killedAt = Number.POSITIVE_INFINITY): Promise<Checkpoint> {
    nowMs = Math.max(nowMs, start.started_at_ms);
    let saved = from ?? start;
    let saves = 0;
    const rejects = await openRejectsFile(path, saved.rejects_bytes);
    const work = importRecords({
      pool,
      records: records(),
      from: saved,
      isResumed: from !== undefined,
      rejects,
      begin: async () => {},
      save: async (checkpoint) => {
        saves += 1;
        if (saves === killedAt) throw new Killed();
        saved = checkpoint;
      },
    });
    await work.catch((error: unknown) => assert.ok(error instanceof Killed, String(error)));
    await rejects.close();
    return saved;
  }
  const create = (email: string) =>
    pool.operations.adminCreateUser(
      {
        UserPoolId: userPoolId,
        Username: email,
        MessageAction: 'SUPPRESS',
        TemporaryPassword: 'Some-Temporary-1',
        UserAttributes: [{ Name: 'email', Value: email }],
      },
      OPERATOR_CALL_CONTEXT,
    );
  const rejected = async (): Promise<readonly string[]> =>
    (await readFile(path, 'utf8')).split('\n').filter((row) => row !== '');
  return { runs, create, rejected };
}

const tally = ({ imported, rejected }: Checkpoint) => ({ imported, rejected });

test('an import that is killed between a write and its checkpoint counts each user once', async (context) => {
  const { runs, rejected } = await opened(context);
  let stop: Checkpoint | undefined;
  for (const killedAt of [1, 1, 2, 1]) stop = await runs(stop, killedAt);
  assert.deepEqual(tally(await runs(stop)), { imported: MANY, rejected: 0 });
  assert.deepEqual(await rejected(), []);
});

test('an import that is killed lists every reject once', async (context) => {
  const { runs, create, rejected } = await opened(context);
  for (const line of [5, 205, 405]) await create(`u${line}@example.com`);
  let stop: Checkpoint | undefined;
  for (const killedAt of [2, 2]) stop = await runs(stop, killedAt);
  const { imported, rejected: count } = await runs(stop);
  assert.equal(imported + count, MANY);
  assert.deepEqual(
    (await rejected()).map((row) => row.split('\t').slice(0, 2)),
    [
      ['5', 'exists'],
      ['205', 'exists'],
      ['405', 'exists'],
    ],
  );
});

test('users created since the second in which a killed import began count as imported', async (context) => {
  for (const [delayMs, imported] of [
    [999, MANY],
    [1_000, MANY - 1],
  ] as const) {
    const { runs, create } = await opened(context, delayMs);
    await create('u5@example.com');
    assert.equal(tally(await runs(await runs(undefined, 1))).imported, imported);
  }
});
