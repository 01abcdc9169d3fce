/**
 * PostgreSQL, with one transaction for each write. No state is kept on a connection beyond its transaction
 * (docs/decisions/0040-no-state-on-postgresql-connections.md). `server-pools` finds the server that accepts writes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WriteOptions } from '@poolgate/pool/store';
import { type Kysely, sql } from 'kysely';
import type { ColumnTypes, Database, ExplainedStatement, SchemaAccess } from '../sql/database.ts';
import type { PostgresServers } from '../sql/database-url.ts';
import { CompiledStatements, type DialectSql, type Executor, type Writer } from '../sql/statement.ts';
import { QueryExecutor, type QueryRunner } from '../sql/statement-executor.ts';
import type { Tables } from '../sql/tables.ts';
import { BatchedReads, SingleStatements } from './batched-statements.ts';
import { BatchedTransaction } from './batched-transaction.ts';
import { connectPostgres, type PostgresConnections } from './connect-postgres.ts';
import { createMigrationLimits, createRequestLimits } from './connection-limits.ts';
import { isRetryableError, translatePostgresError } from './postgres-errors.ts';
import { runWithRetries } from './run-with-retries.ts';
import { readServerState } from './server-state.ts';

const COLUMN_TYPES: ColumnTypes = {
  // Sorted by bytes whatever the database's locale, as in SQLite.
  text: sql`text collate "C"`,
  integer: sql`bigint`,
  flag: sql`boolean`,
  tableOptions: sql``,
  longRowOptions: undefined,
  // No write-ahead log, so that a commit does not wait for the disk, and free space in each page for the next version of its rows.
  forgettable: [sql`set unlogged`, sql`set (fillfactor = 50)`],
};

const POSTGRES_SQL: DialectSql = {
  lockSkippingLocked: sql`for update skip locked`,
  lockWaiting: sql`for update`,
  // Exclusive from the start, because writes that share a lock and then change the user would deadlock.
  lockUsers: sql`for no key update of users`,
  lockOwners: sql`for key share skip locked`,
  jsonArrayOf: sql`json_agg`,
  jsonObject: sql`json_build_object`,
  serverNowMs: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  // The logarithm of zero raises an error that nothing else here can raise.
  failUnlessChanged: (change) => sql`with changed as (${change}) select ln(count(*)) from changed`,
  joinStatements: (first, second) => sql`with written as (${first}) ${second}`,
};

async function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translatePostgresError(error);
  }
}

async function runTransaction<Result>(
  { pool, begin }: PostgresConnections,
  statements: CompiledStatements,
  work: (executor: Writer) => Promise<Result>,
  options: WriteOptions = {},
): Promise<Result> {
  const transaction = new BatchedTransaction(await translateErrors(() => pool.lease()), begin, options);
  const executor = new QueryExecutor(transaction, statements, translatePostgresError);
  try {
    const result = await work(executor);
    executor.end();
    executor.assertNothingFailed();
    await translateErrors(() => transaction.commit());
    return result;
  } catch (error) {
    executor.end();
    await transaction.rollBack();
    throw error;
  }
}

const COLUMNS = sql<{ table_name: string; column_name: string; place: number; key_place: number; is_flag: number }>`
  select t.relname as table_name, a.attname as column_name, a.attnum::int as place,
    coalesce(array_position(k.conkey, a.attnum), 0) as key_place, (a.atttypid = 'boolean'::regtype)::int as is_flag
  from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
  where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`;

const OWNERS = sql<{ table_name: string; owner: string }>`
  select t.relname as table_name, o.relname as owner
  from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class o on o.oid = f.confrelid
  where f.contype = 'f' and t.relnamespace = current_schema()::regnamespace`;

/** The number of Kysely's own lock, which replicas of earlier versions use. This keeps both from migrating at the same time. */
const SCHEMA_LOCK = 3_853_314_791_062_309_107n;

async function runWithSchema<Result>(
  servers: PostgresServers,
  work: (access: SchemaAccess) => Promise<Result>,
): Promise<Result> {
  const { kysely, close } = connectPostgres(servers, createMigrationLimits);
  try {
    return await work({
      kysely,
      translate: translatePostgresError,
      columnTypes: COLUMN_TYPES,
      tableNames: sql`select tablename as name from pg_catalog.pg_tables where schemaname = current_schema()`,
      currentSchema: sql`select current_schema() as name`,
      columns: COLUMNS,
      owners: OWNERS,
      snapshot: sql`set transaction isolation level repeatable read, read only`,
      lockSchema: sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`,
    });
  } finally {
    await close();
  }
}

/**
 * The plan for any values, so it contains none. PostgreSQL before 16 does not support this, nor does a parameter whose type depends on its
 * value.
 */
async function explainStatement(kysely: Kysely<Tables>, text: string): Promise<ExplainedStatement> {
  try {
    const { rows } = await sql<Record<string, string>>`${sql.raw(`explain (generic_plan) ${text}`)}`.execute(kysely);
    return { sql: text, plan: rows.flatMap((row) => Object.values(row)) };
  } catch {
    return { sql: text, plan: [] };
  }
}

/**
 * Opens a PostgreSQL database. Connections are opened on demand. Every write is a separate transaction (READ COMMITTED). Uniqueness is
 * always decided by a single statement, never by a preceding read.
 */
export function openPostgres(servers: PostgresServers, random: () => number): Database {
  const connections = connectPostgres(servers, createRequestLimits);
  const { kysely, pool } = connections;
  const statements = new CompiledStatements(kysely, POSTGRES_SQL);
  const createExecutor = (runner: QueryRunner) => new QueryExecutor(runner, statements, translatePostgresError);
  const single = createExecutor(new SingleStatements(pool));
  const retry = { isRetryable: isRetryableError, random, wait: (delayMs: number) => delay(delayMs) };
  const writes: Executor = {
    run: (statement, parameters) => runWithRetries(() => single.run(statement, parameters), retry),
  };
  return {
    reads: createExecutor(new BatchedReads(pool)),
    writes,
    // Not waiting for the disk would take a transaction of four statements instead of one statement.
    deferredWrites: writes,
    write: (work, options) => runWithRetries(() => runTransaction(connections, statements, work, options), retry),
    withSchema: (work) => runWithSchema(servers, work),
    explain: (statement) => Promise.all(statements.listTexts(statement).map((text) => explainStatement(kysely, text))),
    server: () => translateErrors(() => readServerState(kysely)),
    files: undefined,
    isInPlace: () => true,
    close: connections.close,
  };
}
