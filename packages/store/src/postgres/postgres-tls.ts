import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { StoreUnavailable } from '../sql/store-errors.ts';

/** What a URL says of TLS, by libpq's names; the files are PEM. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/** How much a server has to prove. `require` and `prefer` are taken for the strictest: a connection that anybody could answer is none. */
const MODES: Readonly<Record<string, ConnectionOptions | false>> = {
  disable: false,
  prefer: {},
  require: {},
  'verify-full': {},
  // The authority is proven, not the name: for servers that are reached by an address.
  'verify-ca': { checkServerIdentity: () => undefined },
  'no-verify': { rejectUnauthorized: false },
};

const IS_ON = new Set(['true', '1']);

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StoreUnavailable(`the file of ${name} in the database URL cannot be read`, { cause: error });
  }
}

/**
 * Takes what a URL says of TLS out of it.
 * @returns the URL without it, and what the driver is told; undefined where the URL says nothing
 * @throws StoreUnavailable where a file cannot be read
 * @throws TypeError where `sslmode` is not known, or names an authority by no certificate
 */
export function extractTls(url: string): { readonly url: string; readonly ssl: ConnectionOptions | false | undefined } {
  const plain = new URL(url);
  const { searchParams } = plain;
  const mode = searchParams.get('sslmode');
  const options = mode === null ? {} : MODES[mode];
  if (options === undefined) throw new TypeError(`sslmode must be one of ${Object.keys(MODES).join(', ')}`);
  const pem: Record<string, string> = {};
  for (const [name, option] of Object.entries(FILES)) {
    const file = searchParams.get(name);
    if (file !== null) pem[option] = readPem(name, file);
    searchParams.delete(name);
  }
  if (mode === 'verify-ca' && pem.ca === undefined) throw new TypeError('sslmode=verify-ca needs sslrootcert');
  searchParams.delete('sslmode');
  const isSaid = mode !== null || Object.keys(pem).length > 0 || IS_ON.has(searchParams.get('ssl') ?? '');
  // The driver would take it in place of all that was said here.
  if (isSaid) searchParams.delete('ssl');
  const ssl = options === false ? options : { ...options, ...pem };
  return { url: plain.href, ssl: isSaid ? ssl : undefined };
}
