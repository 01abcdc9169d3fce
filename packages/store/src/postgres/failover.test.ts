import assert from 'node:assert/strict';
import { chmod, chown, copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore, type Store } from '../open-store.ts';
import { execute } from '../testing/execute.ts';
import { createTestDatabase, startPostgres } from '../testing/postgres.ts';
import { startPostgresPair } from '../testing/postgres-pair.ts';
import { insertSamplePool } from '../testing/sample-records.ts';

const UNAVAILABLE = { name: 'StoreUnavailable', code: 'store_unavailable' };

const touch = (store: Store) =>
  store.poolStore.write((transaction) => transaction.users.update('p', 'u', { modifiedAtMs: 7 }));

/** Repeats a write until it succeeds. Until then, every error must say that the store is unavailable. */
async function untilWritten(store: Store): Promise<void> {
  for (;;) {
    try {
      await touch(store);
      return;
    } catch (error) {
      assert.equal((error as Error).name, 'StoreUnavailable');
      await nextTurn();
    }
  }
}

describe('a database whose primary changes', () => {
  it('is written to on whichever server accepts writes, and acknowledged data stays', async () => {
    const pair = await startPostgresPair();
    const store = await openStore(pair.url);
    try {
      await insertSamplePool(store.poolStore, 'p', 'u');
      await pair.stopPrimary();
      await assert.rejects(touch(store), UNAVAILABLE);
      assert.equal(await store.records.ready(), false);
      await pair.promote();
      await untilWritten(store);
      assert.equal((await store.poolStore.users.byUsername('p', 'u'))?.username, 'u');
      assert.equal(await store.records.ready(), true);
    } finally {
      await store.close();
      await pair.stop();
    }
  });

  it('behind a name that moves: connections to the old primary are closed when it refuses a write', async () => {
    const database = await createTestDatabase();
    const store = await openStore(database.url);
    const name = new URL(database.url).pathname.slice(1);
    try {
      await insertSamplePool(store.poolStore, 'p', 'u');
      // For new connections.
      await execute(database.url, `alter database ${name} set default_transaction_read_only = on`);
      await execute(
        database.url,
        `begin read write; select pg_terminate_backend(pid) from pg_stat_activity
           where datname = '${name}' and pid <> pg_backend_pid(); commit`,
      );
      const refused = await Promise.allSettled(Array.from({ length: 8 }, () => touch(store)));
      assert.ok(refused.every(({ status }) => status === 'rejected'));
      await execute(
        database.url,
        `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
      );
      await untilWritten(store);
      await Promise.all(Array.from({ length: 20 }, () => touch(store)));
    } finally {
      await store.close();
      await database.drop();
    }
  });

  it('reports errors that a service can use', async () => {
    for (const url of ['postgres://127.0.0.1:1,127.0.0.1:2/x', 'postgres://127.0.0.1:1/x?target_session_attrs=any']) {
      await assert.rejects(openStore(url), UNAVAILABLE);
    }
    for (const word of ['standby', 'read-only', 'prefer-standby', 'x']) {
      await assert.rejects(openStore(`postgres://a,b/x?target_session_attrs=${word}`), TypeError);
    }
  });
});

describe('a server with a certificate of a private authority', () => {
  const pem = (name: string): string => fileURLToPath(new URL(`../testing/tls/${name}`, import.meta.url));
  let server: Awaited<ReturnType<typeof startPostgres>>;
  before(async () => {
    server = await startPostgres({
      flags: { ssl: 'on' },
      prepare: async (folder) => {
        const { uid, gid } = await stat(folder);
        for (const file of ['server.pem', 'server.key']) {
          const target = join(folder, file === 'server.pem' ? 'server.crt' : file);
          await copyFile(pem(file), target);
          await chown(target, uid, gid);
          await chmod(target, 0o600);
        }
      },
    });
  });
  after(() => server?.stop());

  const opening = async (host: string, parameters: Readonly<Record<string, string>>): Promise<string> => {
    const url = new URL(server.adminUrl);
    url.hostname = host;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const store = await openStore(url.href).catch((error: Error) => error);
    if (store instanceof Error) return store.name;
    const encrypted = await store.records.ready();
    await store.close();
    return encrypted ? 'opened' : 'not ready';
  };

  it('is trusted with the certificate of the authority, and only for its name', async () => {
    const sslrootcert = pem('ca.pem');
    for (const sslmode of ['verify-full', 'require', 'verify-ca']) {
      assert.equal(await opening('localhost', { sslmode, sslrootcert }), 'opened', sslmode);
    }
    assert.equal(await opening('localhost', { ssl: 'true', sslrootcert }), 'opened');
    assert.equal(await opening('127.0.0.1', { sslmode: 'verify-full', sslrootcert }), 'StoreUnavailable');
    assert.equal(await opening('127.0.0.1', { sslmode: 'verify-ca', sslrootcert }), 'opened');
  });

  it('is not trusted without it, or with another one', async () => {
    for (const sslmode of ['verify-full', 'require', 'prefer']) {
      assert.equal(await opening('localhost', { sslmode }), 'StoreUnavailable', sslmode);
    }
    assert.equal(
      await opening('localhost', { sslmode: 'verify-full', sslrootcert: pem('nothing.pem') }),
      'StoreUnavailable',
    );
    assert.equal(await opening('localhost', { sslmode: 'verify-ca' }), 'TypeError');
    assert.equal(await opening('localhost', { sslmode: 'sometimes' }), 'TypeError');
  });
});
