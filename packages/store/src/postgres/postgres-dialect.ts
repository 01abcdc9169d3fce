import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely';

class LimitedDriver extends PostgresDriver {
  readonly #begin: string;

  constructor(config: PostgresDialectConfig, begin: string) {
    super(config);
    this.#begin = begin;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw(this.#begin));
    } catch (error) {
      // It may have begun before it failed; whoever gets the connection next would find it so.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      throw error;
    }
  }
}

/** Kysely's lock is of the session, which a pooler hands on with it. Ours is of the transaction, and taken before Kysely is asked. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** PostgreSQL without anything that a connection keeps beyond its transaction, so that a pooler may share it. */
export class SharedConnectionDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #begin: string;

  /** @param begin the message that begins every transaction */
  constructor(config: PostgresDialectConfig, begin: string) {
    super(config);
    this.#config = config;
    this.#begin = begin;
  }

  override createDriver(): Driver {
    return new LimitedDriver(this.#config, this.#begin);
  }

  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}
