import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../testing/postgres.ts';
import { type PooledClient, ServerPools } from './server-pools.ts';

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A proxy that accepts connections but forwards nothing. Returns its port. */
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

test('a server that accepts connections and never responds keeps none of them, and the next one is tried', async (context) => {
  const database = await createTestDatabase();
  context.after(() => database.drop());
  const silent = new URL(database.url);
  silent.port = String(await deadEnd(context, silent));
  const [first, second] = [silent.href, database.url].map((url) => new pg.Pool({ connectionString: url, max: 2 }));
  assert.ok(first && second);
  // Its database is dropped while the last connections close.
  for (const pool of [first, second]) pool.on('error', () => {});
  // The real server gets this long to respond, too, however busy the machine is.
  const pools = new ServerPools([first, second], true, 2_000);
  const clients = await Promise.all([pools.connect(), pools.connect()]);
  for (const client of clients) {
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
    client.release();
  }
  assert.deepEqual([first.totalCount, second.totalCount], [0, 2]);
  await pools.end();
});

/** A server as its pool shows it: what it reports, and how many connections it has. */
class FakeServer {
  readonly log: string[] = [];
  readonly options = { max: 2 };
  totalCount = 0;
  idleCount = 0;
  connection: Error | (() => object);
  constructor(answer: string | Error, connection: Error | undefined = undefined) {
    const rows = answer instanceof Error ? [] : [{ transaction_read_only: answer }];
    this.connection =
      connection ??
      (() => ({
        query: async (asked: { readonly text: string; readonly query_timeout: number }) => {
          this.log.push(`${asked.text} within ${asked.query_timeout}`);
          if (answer instanceof Error) throw answer;
          return { rows };
        },
        release: (destroy: boolean) => void this.log.push(`released ${destroy}`),
      }));
  }

  async connect(): Promise<object> {
    this.log.push('connect');
    if (this.connection instanceof Error) throw this.connection;
    return this.connection();
  }

  async end(): Promise<void> {
    await Promise.resolve();
    this.log.push('end');
  }
}

const createServerPools = (servers: readonly FakeServer[], mustTakeWrites: boolean) =>
  new ServerPools(servers as unknown as readonly pg.Pool[], mustTakeWrites);

const ASKED = 'show transaction_read_only within 4000';

test('servers are tried in order, each once, starting with the last used one', async () => {
  const [down, standby, primary] = [
    new FakeServer('off', new Error('down')),
    new FakeServer('on'),
    new FakeServer('off'),
  ];
  const pools = createServerPools([down, standby, primary], true);
  await pools.connect();
  assert.deepEqual(
    [down.log, standby.log, primary.log],
    [['connect'], ['connect', ASKED, 'released true'], ['connect', ASKED]],
  );
  await pools.connect();
  assert.deepEqual([down.log.length, standby.log.length, primary.log.length], [1, 3, 4]);
  primary.connection = new Error('gone');
  await assert.rejects(pools.connect(), { message: 'the server takes no writes' }, 'what the last one said');
  assert.deepEqual([down.log.length, standby.log.length, primary.log.length], [2, 6, 5]);
  await pools.end();
  assert.deepEqual(
    [down, standby, primary].map(({ log }) => log.at(-1)),
    ['end', 'end', 'end'],
  );
});

test('a server that need not accept writes is not asked whether it does', async () => {
  const server = new FakeServer('on');
  await createServerPools([server], false).connect();
  assert.deepEqual(server.log, ['connect']);
});

test('a server that fails during a check returns its connection', async () => {
  const [silent, next] = [new FakeServer(new Error('timeout')), new FakeServer('off')];
  await createServerPools([silent, next], true).connect();
  assert.deepEqual(silent.log, ['connect', ASKED, 'released true']);
});

test('a connection from before a change is not reused', async () => {
  const server = new FakeServer('off');
  const made: PooledClient[] = [];
  const make = server.connection as () => PooledClient;
  const pools = createServerPools([server], true);
  server.connection = () => {
    const client = make();
    made.push(client);
    return client;
  };
  const first = await pools.connect();
  let isOld = true;
  server.connection = () => {
    const client = isOld ? (made[0] ?? make()) : make();
    isOld = false;
    return client;
  };
  assert.equal(await pools.connect(), first, 'it is trusted');
  pools.distrust();
  isOld = true;
  const other = await pools.connect();
  assert.notEqual(other, first);
  assert.deepEqual(server.log, ['connect', ASKED, 'connect', 'connect', 'released true', 'connect', ASKED]);
});

test('a server whose connections are all in use is waited for, and no other one tried', async () => {
  for (const [totalCount, idleCount, tried] of [
    [1, 0, 1],
    [2, 0, 0],
    [3, 0, 0],
    [2, 1, 1],
  ] as const) {
    const [busy, other] = [new FakeServer('off', new Error('no connection in time')), new FakeServer('off')];
    Object.assign(busy, { totalCount, idleCount });
    const outcome = await createServerPools([busy, other], true)
      .connect()
      .then(
        () => 'connected',
        (error: Error) => error.message,
      );
    assert.equal(outcome, tried === 1 ? 'connected' : 'no connection in time', `${totalCount} and ${idleCount}`);
    assert.equal(other.log.includes('connect'), tried === 1);
  }
});
