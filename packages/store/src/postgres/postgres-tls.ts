import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { StoreUnavailable } from '../sql/store-errors.ts';

/** The TLS parameters of a URL, with libpq's names. The files are PEM. */
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * What a server must prove. `require` and `prefer` are treated as the strictest mode, because an unauthenticated connection is not secure.
 */
const MODES: Readonly<Record<string, ConnectionOptions | false>> = {
  disable: false,
  prefer: {},
  require: {},
  'verify-full': {},
  // Verifies the authority but not the name, for servers that are reached by address.
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
 * Extracts the TLS parameters from a URL.
 * @returns the URL without them, and the driver's options; undefined if the URL has none
 * @throws StoreUnavailable a file cannot be read
 * @throws TypeError `sslmode` is unknown, or requires an authority without a certificate
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
  // The driver would use it instead of these options.
  if (isSaid) searchParams.delete('ssl');
  const ssl = options === false ? options : { ...options, ...pem };
  return { url: plain.href, ssl: isSaid ? ssl : undefined };
}
