import { connect, type Socket } from 'node:net';
import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { endsConnection } from './postgres-errors.ts';
import type { PooledClient, ServerPools } from './server-pools.ts';
import { type BatchOutcome, type BatchStatement, StatementBatch } from './statement-batch.ts';

/** A connection for the exclusive use of its holder. */
export interface BatchConnection {
  /** Sends statements together and waits for their results. */
  runBatch(statements: readonly BatchStatement[]): Promise<BatchOutcome>;
  /** Returns the connection, which is closed if it must not be reused. */
  release(destroy?: boolean): void;
}

/** A pool of connections, each with one holder at a time. */
export interface BatchPool {
  lease(): Promise<BatchConnection>;
}

/** The code that replaces a protocol version and marks a cancel request (PostgreSQL's protocol, CancelRequest). */
const CANCEL_REQUEST = 80_877_102;
/** How long the server may take to respond after a cancel request. Then the connection counts as dead. */
const CANCEL_GRACE_MS = 1_000;

/** The server's or pooler's identification of a connection. The driver has both values, but its types do not. */
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

/** Asks the server to cancel this connection's statement, on a new connection as the protocol requires. The server sends no response. */
function cancelStatement(client: pg.Client): void {
  const message = createCancelMessage(client as unknown as CancelKey);
  if (message === undefined) return;
  const socket = connect(findServerAddress(client));
  socket.setTimeout(CANCEL_GRACE_MS, () => socket.destroy());
  socket.on('error', () => {});
  socket.end(message);
}

/** The server's error code of a standby (read_only_sql_transaction). */
const READ_ONLY = '25006';

/** A connection with a time limit for statements. */
class LimitedClient implements BatchConnection {
  readonly #client: PooledClient;
  readonly #limitMs: number;
  readonly #pools: ServerPools;
  // True if the connection must not run another statement: a late cancel request could hit that statement, or the server is closing the
  // connection.
  #isSpent = false;

  constructor(client: PooledClient, limitMs: number, pools: ServerPools) {
    this.#client = client;
    this.#pools = pools;
    this.#limitMs = limitMs;
  }

  async query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const timers = this.#startTimers();
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      this.#notice(error);
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  async runBatch(statements: readonly BatchStatement[]): Promise<BatchOutcome> {
    const timers = this.#startTimers();
    const batch = new StatementBatch(statements, () => {
      for (const timer of timers) timer.refresh();
    });
    this.#client.query(batch);
    const outcome = await batch.outcome;
    for (const timer of timers) clearTimeout(timer);
    this.#notice(outcome.failure);
    return outcome;
  }

  /** A primary that became a standby keeps its connections, and would refuse all writes on them forever. */
  #notice(failure: unknown): void {
    this.#isSpent ||= endsConnection(failure);
    if ((failure as Partial<pg.DatabaseError> | undefined)?.code === READ_ONLY) this.#pools.distrust();
  }

  #startTimers(): readonly NodeJS.Timeout[] {
    if (this.#limitMs === 0) return [];
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

/** A pool whose connections cancel every statement that takes longer than `limitMs`; 0 means no limit. */
export class LimitedPool implements BatchPool {
  readonly options = {};
  readonly #pools: ServerPools;
  readonly #limitMs: number;

  constructor(pools: ServerPools, limitMs: number) {
    this.#pools = pools;
    this.#limitMs = limitMs;
  }

  async lease(): Promise<BatchConnection> {
    return new LimitedClient(await this.#pools.connect(), this.#limitMs, this.#pools);
  }

  /** The form in which Kysely takes connections, without the cursors of a package that is not installed. */
  async connect(): Promise<PostgresPoolClient> {
    return (await this.lease()) as unknown as PostgresPoolClient;
  }

  end(): Promise<void> {
    return this.#pools.end();
  }
}
