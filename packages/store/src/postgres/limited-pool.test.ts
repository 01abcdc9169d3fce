import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { LimitedPool } from './limited-pool.ts';
import type { ServerPools } from './server-pools.ts';

const KEY = { processID: 0x01020304, secretKey: -2 };

/** A server that accepts cancel requests, and a connection to it whose statements hang until they are released. */
async function setUp(context: TestContext, limitMs: number, key: object = KEY) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const cancels: Socket[] = [];
  const server = createServer((socket) => void cancels.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    for (const socket of cancels) socket.destroy();
    server.close();
  });
  const log: string[] = [];
  const answer = Promise.withResolvers<unknown>();
  const client = {
    ...key,
    host: 'unused.test',
    port: (server.address() as AddressInfo).port,
    connection: { stream: { remoteAddress: '127.0.0.1', destroy: () => void log.push('destroyed') } },
    query: (text: string, values: readonly unknown[]) => {
      log.push(`${text} of ${values.join()}`);
      return answer.promise;
    },
    release: (destroy: boolean) => void log.push(`released, thrown away: ${destroy}`),
  };
  const pools = {
    connect: async () => client,
    distrust: () => void log.push('distrusted'),
    end: async () => void log.push('ended'),
  };
  const pool = new LimitedPool(pools as unknown as ServerPools, limitMs);
  const limited = await pool.connect();
  return { pool, limited, server, answer, log, tick: (ms: number) => context.mock.timers.tick(ms) };
}

const OUTCOME = { rows: [] };

describe('a connection with a statement limit', () => {
  it('asks the server to cancel at the limit, and is closed a second later', async (context) => {
    const { limited, server, answer, log, tick } = await setUp(context, 50);
    const asked = once(server, 'connection');
    const outcome = limited.query('select', [1, 2]);
    tick(50);
    const [socket] = (await asked) as [Socket];
    const [message] = (await once(socket, 'data')) as [Buffer];
    assert.equal(message.toString('hex'), '0000001004d2162e01020304fffffffe');
    tick(999);
    assert.deepEqual(log, ['select of 1,2']);
    tick(1);
    assert.deepEqual(log, ['select of 1,2', 'distrusted', 'destroyed']);
    answer.resolve(OUTCOME);
    assert.equal(await outcome, OUTCOME);
    limited.release();
    assert.equal(log.at(-1), 'released, thrown away: true', 'what was asked to cancel may come late');
  });

  it('is reused if it responded in time', async (context) => {
    const { limited, answer, log, tick } = await setUp(context, 50);
    const outcome = limited.query('select', []);
    tick(49);
    answer.resolve(OUTCOME);
    await outcome;
    tick(10_000);
    limited.release();
    assert.deepEqual(log, ['select of ', 'released, thrown away: false']);
  });

  it('is discarded on request', async (context) => {
    const { pool, limited, log } = await setUp(context, 50);
    (limited as unknown as { release(destroy: boolean): void }).release(true);
    await pool.end();
    assert.deepEqual(log, ['released, thrown away: true', 'ended']);
  });

  it('has no limit with 0', async (context) => {
    const { limited, answer, log, tick } = await setUp(context, 0);
    const outcome = limited.query('select', []);
    tick(1_000_000_000);
    answer.resolve(OUTCOME);
    await outcome;
    limited.release();
    assert.deepEqual(log, ['select of ', 'released, thrown away: false']);
  });

  it('is closed without a cancellation if the server gave no key', async (context) => {
    for (const key of [
      { ...KEY, processID: null },
      { ...KEY, secretKey: null },
    ]) {
      const { limited, server, answer, log, tick } = await setUp(context, 50, key);
      const outcome = limited.query('select', []);
      let cancels = 0;
      server.on('connection', () => {
        cancels += 1;
      });
      tick(1_050);
      // Everything that was sent before arrives before this.
      const { port } = server.address() as AddressInfo;
      const last = once(server, 'connection');
      const probe = (await import('node:net')).connect(port, '127.0.0.1');
      await last;
      probe.destroy();
      assert.equal(cancels, 1);
      assert.deepEqual(log, ['select of ', 'distrusted', 'destroyed']);
      answer.resolve(OUTCOME);
      await outcome;
      context.mock.timers.reset();
    }
  });

  it('marks servers as suspect only if one refuses a write as a standby does', async (context) => {
    for (const [code, expected] of [
      ['25006', ['update of ', 'distrusted']],
      ['25P02', ['update of ']],
    ] as const) {
      const { limited, answer, log } = await setUp(context, 50);
      const refusal = Object.assign(new Error('refused'), { code });
      answer.reject(refusal);
      await assert.rejects(limited.query('update', []), refusal);
      assert.deepEqual(log, expected);
      context.mock.timers.reset();
    }
  });
});
