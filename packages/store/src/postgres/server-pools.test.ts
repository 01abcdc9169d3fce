import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../testing/postgres.ts';
import { ServerPools } from './server-pools.ts';

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A way to a server that lets a connection be made, and nothing through afterwards. Gives its port. */
async function deadEnd(context: TestContext, { hostname, port }: URL): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isReady = false;
    client.on('data', (data: Buffer) => void (isReady || upstream.write(data)));
    upstream.on('data', (data: Buffer) => {
      if (!isReady) client.write(data);
      isReady ||= data.includes(READY_FOR_QUERY);
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.once('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a server that takes connections and says nothing keeps none of them, and the next one is tried', async (context) => {
  const database = await createTestDatabase();
  context.after(() => database.drop());
  const silent = new URL(database.url);
  silent.port = String(await deadEnd(context, silent));
  const [first, second] = [silent.href, database.url].map((url) => new pg.Pool({ connectionString: url, max: 2 }));
  assert.ok(first && second);
  // So long has the real one to answer, too, however busy the machine is.
  const pools = new ServerPools([first, second], true, 2_000);
  const clients = await Promise.all([pools.connect(), pools.connect()]);
  for (const client of clients) {
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
    client.release();
  }
  assert.deepEqual([first.totalCount, second.totalCount], [0, 2]);
  await pools.end();
});
