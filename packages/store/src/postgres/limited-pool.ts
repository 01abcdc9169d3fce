import { connect, type Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { PooledClient, ServerPools } from './server-pools.ts';

/** The code in place of a protocol version by which the server knows a request to cancel (PostgreSQL's protocol, CancelRequest). */
const CANCEL_REQUEST = 80_877_102;
/** How long the server may take to answer after it was asked to cancel; then the connection is taken for dead. */
const CANCEL_GRACE_MS = 1_000;

/** By what the server, or a pooler, knows a connection; the driver keeps both, and does not say so in its types. */
interface CancelKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

function createCancelMessage({ processID, secretKey }: CancelKey): Buffer | undefined {
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return undefined;
  const message = Buffer.alloc(16);
  for (const [index, word] of [message.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    message.writeInt32BE(word, index * 4);
  }
  return message;
}

function findServerAddress({ host, port, connection }: pg.Client) {
  const { remoteAddress } = connection.stream as Socket;
  return remoteAddress === undefined ? { path: `${host}/.s.PGSQL.${port}` } : { host: remoteAddress, port };
}

/** Asks the server to cancel what this connection runs, on a connection of its own, as the protocol has it. Nobody answers that. */
function cancelStatement(client: pg.Client): void {
  const message = createCancelMessage(client as unknown as CancelKey);
  if (message === undefined) return;
  const socket = connect(findServerAddress(client));
  socket.setTimeout(CANCEL_GRACE_MS, () => socket.destroy());
  socket.on('error', () => {});
  socket.end(message);
}

/** By what a server says that it is a standby (read_only_sql_transaction). */
const READ_ONLY = '25006';

/** A connection on which no statement takes longer than it may. */
class LimitedClient {
  readonly #client: PooledClient;
  readonly #limitMs: number;
  readonly #pools: ServerPools;
  // What was asked to cancel one statement may arrive at the next: such a connection runs no other.
  #isSpent = false;

  constructor(client: PooledClient, limitMs: number, pools: ServerPools) {
    this.#client = client;
    this.#pools = pools;
    this.#limitMs = limitMs;
  }

  async query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const timers = this.#limitMs === 0 ? [] : this.#limits();
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      // A primary that became a standby keeps its connections, and would refuse all writes on them for ever.
      if ((error as Partial<pg.DatabaseError>).code === READ_ONLY) this.#pools.distrust();
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  #limits(): readonly NodeJS.Timeout[] {
    const cancel = (): void => {
      this.#isSpent = true;
      cancelStatement(this.#client);
    };
    const abandon = (): void => {
      this.#pools.distrust();
      this.#client.connection.stream.destroy();
    };
    return [setTimeout(cancel, this.#limitMs), setTimeout(abandon, this.#limitMs + CANCEL_GRACE_MS)];
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#isSpent);
  }
}

/** Pools whose connections give up every statement that takes longer than `limitMs`; 0 is without end. */
export function createLimitedPool(pools: ServerPools, limitMs: number): PostgresPool {
  return {
    options: {},
    connect: async () => {
      const client = new LimitedClient(await pools.connect(), limitMs, pools);
      // Without the cursors of a package that is not here.
      return client as unknown as PostgresPoolClient;
    },
    end: () => pools.end(),
  };
}
