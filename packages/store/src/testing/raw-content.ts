import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import { withServiceLimits } from './postgres.ts';

async function readBytes(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

async function readRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: withServiceLimits(url) });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema()',
    );
    const contents: unknown[] = [];
    for (const { name } of tables) {
      contents.push((await client.query(`select * from ${client.escapeIdentifier(name)}`)).rows);
    }
    return JSON.stringify(contents);
  } finally {
    await client.end();
  }
}

/**
 * Returns the raw content of a store as one text, to search it for planted secrets: the bytes of the SQLite file and its log, or the rows
 * of all PostgreSQL tables.
 * @throws TypeError for a database in memory, which stores nothing
 */
export async function readRawContent(databaseUrl: string): Promise<string> {
  const target = parseDatabaseUrl(databaseUrl);
  if (target.kind === 'memory') throw new TypeError('a database in memory keeps nothing');
  if (target.kind === 'postgres') return readRows(target.servers.urls[0] ?? '');
  return (await readBytes(target.path)) + (await readBytes(`${target.path}-wal`));
}
