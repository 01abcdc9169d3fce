import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from './open.ts';

it('opens a file with a write-ahead log, full durability, foreign keys and patience for other processes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-open-'));
  const database = openSqlite(join(folder, 'store.db'));
  const settings = await database.withSchema(async ({ kysely }) => {
    const read = async (name: string): Promise<unknown> =>
      Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(kysely)).rows[0] ?? {})[0];
    return {
      journal_mode: await read('journal_mode'),
      synchronous: await read('synchronous'),
      foreign_keys: await read('foreign_keys'),
      busy_timeout: await read('busy_timeout'),
    };
  });
  assert.deepEqual(settings, { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 5_000 });
  await database.close();
  await rm(folder, { recursive: true });
});
