const POSTGRES = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/;

/** The servers of a PostgreSQL URL, which may contain several hosts unlike other URLs; empty if invalid. */
export function listPostgresUrls(databaseUrl: string): readonly URL[] {
  const [, head, hosts, tail = ''] = POSTGRES.exec(databaseUrl) ?? [];
  if (head === undefined || hosts === undefined) return [];
  const urls = hosts.split(',').map((host) => `${head}${host}${tail}`);
  return urls.every((url) => URL.canParse(url)) ? urls.map((url) => new URL(url)) : [];
}

/** The same URL without secrets. */
export function redactDatabaseUrl(databaseUrl: string): string {
  const urls = listPostgresUrls(databaseUrl);
  const [first] = urls;
  if (first === undefined) return databaseUrl;
  const [, , hosts = ''] = POSTGRES.exec(databaseUrl) ?? [];
  if (first.password !== '') first.password = '***';
  for (const name of first.searchParams.keys()) if (/pass/i.test(name)) first.searchParams.set(name, '***');
  return urls.length === 1 ? first.href : first.href.replace(/^([^@]*@|[^/]*\/\/)[^/?#]*/, `$1${hosts}`);
}
