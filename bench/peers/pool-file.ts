import { randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createPool, type EmbeddedPool, type PoolOptions } from '../../packages/pool/src/index.ts';
import { HOST_SYSTEM } from '../../packages/poolgate/src/process/system.ts';
import { createKeyRing } from '../../packages/poolgate/src/secrets/key-ring.ts';
import { openSslEngine as engine } from '../../packages/srp/src/openssl.ts';
import { openStore } from '../../packages/store/src/index.ts';

/** The maximum number of users per write. */
export const BATCH = 200;

/** A pool in this process, on a database file with full durability. */
export interface PoolFile {
  readonly pool: EmbeddedPool;
  readonly userPoolId: string;
  close(): Promise<void>;
}

/** Opens the pool of a file that a service created, or creates one. */
export async function openPoolFile(file: string): Promise<PoolFile> {
  const { poolStore: store, close } = await openStore(`sqlite:${file}`);
  const keyRing = createKeyRing([randomBytes(32).toString('hex')], HOST_SYSTEM.random);
  const options: PoolOptions = {
    ...HOST_SYSTEM,
    store,
    keyRing,
    engine,
    senders: {},
    auditDays: 90,
    registrationDays: 7,
  };
  const pool = createPool(options);
  const { pool: served } = await pool.setUp();
  return { pool, userPoolId: served.id, close };
}

/** Imports users by number, from the first up to the last, exclusive. */
export async function importUsers({ pool, userPoolId }: PoolFile, first: number, last: number): Promise<void> {
  for (let start = first; start < last; start += BATCH) {
    const length = Math.min(BATCH, last - start);
    const users = Array.from({ length }, (_, index) => createImportedUser(start + index));
    const outcomes = await pool.importUsers(userPoolId, users);
    const refused = outcomes.find((outcome) => !outcome.ok);
    if (refused !== undefined) throw new Error(`a user was not imported: ${JSON.stringify(refused)}`);
  }
}

const createImportedUser = (number: number) => ({
  username: randomUUID(),
  attributes: { email: toEmail(number), email_verified: 'true', name: `User ${number}`, family_name: 'Bench' },
});

/** Returns the address of an imported user. */
export const toEmail = (number: number): string => `user-${String(number).padStart(7, '0')}@poolgate.test`;

/** The minimum of an import: one row per user, and one commit per batch with full durability. */
export function openSqliteTable(file: string): { insert(): void; close(): void } {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec('create table users (username text primary key, attributes text)');
  const statement = database.prepare('insert into users (username, attributes) values (?, ?)');
  const attributes = 'x'.repeat(200);
  return {
    insert() {
      database.exec('begin immediate');
      for (let row = 0; row < BATCH; row += 1) statement.run(randomUUID(), attributes);
      database.exec('commit');
    },
    close: () => database.close(),
  };
}
