import { resolve } from 'node:path';
import { type DatabaseTarget, type PostgresServers, parseDatabaseUrl } from './sql/database-url.ts';

const DEFAULT_PORT = '5432';

function formatHost(url: URL): string {
  const socket = url.searchParams.get('host');
  return socket ?? `${url.hostname || 'localhost'}:${url.port || DEFAULT_PORT}`;
}

function formatPostgresName({ urls }: PostgresServers): string {
  const servers = urls.map((url) => new URL(url));
  const database = decodeURIComponent(servers[0]?.pathname.slice(1) ?? '');
  const named = database === '' ? 'the default PostgreSQL database' : `PostgreSQL database ${database}`;
  return `${named} on ${servers.map(formatHost).join(', ')}`;
}

const NAME_OF: {
  readonly [Kind in DatabaseTarget['kind']]: (target: Extract<DatabaseTarget, { kind: Kind }>) => string;
} = {
  memory: () => 'SQLite in memory',
  file: ({ path }) => `SQLite file ${resolve(path)}`,
  postgres: ({ servers }) => formatPostgresName(servers),
};

function formatTargetName<Kind extends DatabaseTarget['kind']>(
  target: Extract<DatabaseTarget, { kind: Kind }> & { kind: Kind },
): string {
  return NAME_OF[target.kind](target);
}

/**
 * Names a store for an operator: its kind, and its file or its hosts and database. It contains no user, password or option of the URL.
 * @throws TypeError the URL has another form
 */
export function storeName(databaseUrl: string): string {
  return formatTargetName(parseDatabaseUrl(databaseUrl));
}

/**
 * Names the target of a connection: the store, and the role if the URL has one.
 * @throws TypeError the URL has another form
 */
export function storeAccess(databaseUrl: string): string {
  const target = parseDatabaseUrl(databaseUrl);
  const name = formatTargetName(target);
  const role = target.kind === 'postgres' ? new URL(target.servers.urls[0] ?? '').username : '';
  return role === '' ? name : `${name}, role ${decodeURIComponent(role)}`;
}
