import type pg from 'pg';

/** A connection of a pool. */
export type PooledClient = pg.PoolClient & pg.Client;

/** How long a connected server may take to say whether it accepts writes. */
const PROOF_MS = 4_000;

/**
 * The connection pools of a database's servers. It uses a server that responds and, if required, accepts writes. After a change of the
 * primary, it uses no older connection, whichever server it leads to.
 */
export class ServerPools {
  readonly #pools: readonly pg.Pool[];
  readonly #mustTakeWrites: boolean;
  readonly #proofMs: number;
  #current = 0;
  /** A new object after each change. */
  #generation = {};
  readonly #generations = new WeakMap<object, object>();

  /** @param pools in the order in which to try the servers; at least one */
  constructor(pools: readonly pg.Pool[], mustTakeWrites: boolean, proofMs = PROOF_MS) {
    this.#pools = pools;
    this.#mustTakeWrites = mustTakeWrites;
    this.#proofMs = proofMs;
  }

  /** Call it when servers seem to have changed roles or disappeared. Open connections are then no longer trusted. */
  distrust(): void {
    this.#generation = {};
  }

  /**
   * Returns a connection to the current server, or else to the next suitable one.
   * @throws the last server's error
   */
  async connect(): Promise<PooledClient> {
    let failure: unknown;
    for (const _try of this.#pools) {
      const index = this.#current;
      const pool = this.#pools[index] as pg.Pool;
      try {
        return await this.#trusted(pool);
      } catch (error) {
        if (isPoolBusy(pool)) throw error;
        failure = error;
        if (this.#current === index) this.#current = (index + 1) % this.#pools.length;
      }
    }
    throw failure;
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  async #trusted(pool: pg.Pool): Promise<PooledClient> {
    for (;;) {
      const client = (await pool.connect()) as PooledClient;
      const generation = this.#generations.get(client);
      if (generation === this.#generation) return client;
      if (generation === undefined) return this.#proven(client);
      client.release(true);
    }
  }

  /** Checks a new connection once. */
  async #proven(client: PooledClient): Promise<PooledClient> {
    const generation = this.#generation;
    try {
      if (this.#mustTakeWrites) await assertTakesWrites(client, this.#proofMs);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#generations.set(client, generation);
    return client;
  }
}

async function assertTakesWrites(client: pg.ClientBase, proofMs: number): Promise<void> {
  const asked = { text: 'show transaction_read_only', query_timeout: proofMs };
  const { rows } = await client.query<{ transaction_read_only: string }>(asked);
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('the server takes no writes');
}

/** Whether the server is reachable and all its connections are in use. */
function isPoolBusy({ totalCount, idleCount, options }: pg.Pool): boolean {
  return totalCount >= options.max && idleCount === 0;
}
