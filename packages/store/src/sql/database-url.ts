/** The parsed form of a database URL. */
export type DatabaseTarget =
  | { readonly kind: 'memory' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'postgres'; readonly servers: PostgresServers };

/** The servers of a PostgreSQL database: a primary and its possible successors. */
export interface PostgresServers {
  /** A URL for each, in the order in which to try them. */
  readonly urls: readonly string[];
  /** Whether to check, before using a server, that it accepts writes. */
  readonly mustTakeWrites: boolean;
}

const FORMS =
  'sqlite:./path, sqlite:/absolute/path, sqlite::memory: or postgres://user:password@host:port[,host:port]/database';

/** Scheme and user, hosts, and the rest. Host lists are libpq's syntax, which the URL standard does not have. */
const POSTGRES_URL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/;

/** The libpq values that fit a service, which writes. */
const TARGETS: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true };

function parsePostgresServers(databaseUrl: string): PostgresServers | undefined {
  const parts = POSTGRES_URL.exec(databaseUrl);
  if (parts === null) return undefined;
  const [, head = '', hosts = '', tail = ''] = parts;
  const urls = hosts.split(',').map((host) => `${head}${host}${tail}`);
  if (!urls.every((url) => URL.canParse(url))) return undefined;
  const servers = urls.map((url) => new URL(url));
  const asked = servers[0]?.searchParams.get('target_session_attrs');
  const mustTakeWrites = TARGETS[asked ?? (urls.length > 1 ? 'primary' : 'any')];
  for (const { searchParams } of servers) searchParams.delete('target_session_attrs');
  return mustTakeWrites === undefined ? undefined : { urls: servers.map(({ href }) => href), mustTakeWrites };
}

/**
 * Parses a database URL. The error message never repeats the URL, which may contain a password.
 * @throws TypeError the URL has none of the known forms
 */
export function parseDatabaseUrl(databaseUrl: string): DatabaseTarget {
  if (databaseUrl === 'sqlite::memory:') return { kind: 'memory' };
  const path = /^sqlite:(?!\/\/(?!\/))([^\0:?][^\0]*)$/.exec(databaseUrl)?.[1];
  if (path !== undefined) return { kind: 'file', path };
  const servers = parsePostgresServers(databaseUrl);
  if (servers !== undefined) return { kind: 'postgres', servers };
  throw new TypeError(`databaseUrl must be ${FORMS}`);
}
