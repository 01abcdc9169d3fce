import { connect, type Socket } from 'node:net';
import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { endsConnection } from './postgres-errors.ts';
import type { PooledClient, ServerPools } from './server-pools.ts';
import { type BatchOutcome, type BatchStatement, StatementBatch } from './statement-batch.ts';

/** A connection that its holder alone uses. */
export interface BatchConnection {
  /** Sends statements together and waits for the answers. */
  runBatch(statements: readonly BatchStatement[]): Promise<BatchOutcome>;
  /** Gives the connection back; it is closed where it must not be used again. */
  release(destroy?: boolean): void;
}

/** Connections, one holder at a time. */
export interface BatchPool {
  lease(): Promise<BatchConnection>;
}

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
class LimitedClient implements BatchConnection {
  readonly #client: PooledClient;
  readonly #limitMs: number;
  readonly #pools: ServerPools;
  // What was asked to cancel one statement may arrive at the next: such a connection runs no other. Nor does one that the server ends.
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

  /** A primary that became a standby keeps its connections, and would refuse all writes on them for ever. */
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

/** Pools whose connections give up every statement that takes longer than `limitMs`; 0 is without end. */
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

  /** As Kysely takes connections, without the cursors of a package that is not here. */
  async connect(): Promise<PostgresPoolClient> {
    return (await this.lease()) as unknown as PostgresPoolClient;
  }

  end(): Promise<void> {
    return this.#pools.end();
  }
}
