import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import { withServiceLimits } from './postgres.ts';

/** Runs SQL on a database without any code of the store. */
export async function execute(url: string, statements: string): Promise<void> {
  const target = parseDatabaseUrl(url);
  if (target.kind === 'memory') throw new TypeError('nothing to run on');
  if (target.kind === 'file') {
    const database = new DatabaseSync(target.path);
    database.exec(statements);
    return database.close();
  }
  const client = new pg.Client({ connectionString: withServiceLimits(target.servers.urls[0] ?? '') });
  await client.connect();
  await client.query(statements);
  await client.end();
}
