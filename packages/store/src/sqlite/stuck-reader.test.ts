import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openStore } from '../open-store.ts';
import { insertSamplePool } from '../testing/sample-records.ts';

const WRITES = 200;
/** Several pages of the file, so that a few writes fill more of the log than one checkpoint copies. */
const LARGE = 'x'.repeat(100_000);
const MIB = 1024 * 1024;

test('a stuck reader delays no write, and once it is gone the log is copied and restarted', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-stuck-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'store.db');
  const store = await openStore(`sqlite:${file}`);
  await insertSamplePool(store.poolStore, 'p', 'u');
  const writeMuch = async (round: string): Promise<number> => {
    for (let index = 0; index < WRITES; index += 1) {
      const attributes = { name: `${round}${index}${LARGE}` };
      await store.poolStore.write((transaction) =>
        transaction.users.update('p', 'u', { attributes, modifiedAtMs: index }),
      );
    }
    return (await stat(`${file}-wal`)).size;
  };
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from users').get();
  const whileStuck = await writeMuch('stuck');
  assert.ok(whileStuck > 5 * MIB, `the log has ${whileStuck} bytes`);
  reader.exec('commit');
  const [once, again] = [await writeMuch('once'), await writeMuch('again')];
  assert.ok(again - whileStuck < MIB, `the log grows from ${whileStuck} to ${once} and ${again} bytes`);
  reader.close();
  await store.close();
  const reopened = await openStore(`sqlite:${file}`);
  const kept = await reopened.poolStore.users.byUsername('p', 'u');
  assert.ok(kept?.attributes.name?.startsWith(`again${WRITES - 1}x`));
  await reopened.close();
});
