import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PageFile } from '@poolgate/gateway';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const BROTLI_QUALITY = 9;

/** Reads a file of a bundle. */
export async function openPageFile(
  { read }: { read(name: string): Promise<Uint8Array> },
  name: string,
): Promise<PageFile> {
  return compressFile({ type: TYPES[extname(name)] ?? 'application/octet-stream', bytes: await read(name) });
}

/** Compresses a file in each coding that browsers accept. */
export async function compressFile({ type, bytes }: Omit<PageFile, 'encoded'>): Promise<PageFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes)]);
  return { type, bytes, encoded: { br, gzip: zipped } };
}
