/** What a database URL means. */
export type DatabaseTarget =
  | { readonly kind: 'memory' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const FORMS = 'sqlite:./path, sqlite:/absolute/path, sqlite::memory: or postgres://user:password@host:port/database';

function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl);
}

/**
 * Reads a database URL. The message of the error never repeats the URL, which may hold a password.
 * @throws TypeError where it has none of the known forms.
 */
export function parseDatabaseUrl(databaseUrl: string): DatabaseTarget {
  if (databaseUrl === 'sqlite::memory:') return { kind: 'memory' };
  const path = /^sqlite:(?!\/\/(?!\/))([^\0:?][^\0]*)$/.exec(databaseUrl)?.[1];
  if (path !== undefined) return { kind: 'file', path };
  if (isPostgresUrl(databaseUrl)) return { kind: 'postgres', url: databaseUrl };
  throw new TypeError(`databaseUrl must be ${FORMS}`);
}
