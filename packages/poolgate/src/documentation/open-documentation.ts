/**
 * The documentation that a service serves in development: built from the pages in the repository, read from files in the package.
 */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Documentation, DocumentationAnswer } from '@poolgate/gateway';
import { SITE_FOLDER, SITE_MANIFEST, type SiteManifest } from './site.ts';

/** The path that the gateway serves it at. */
export const BASE = '/docs';
/** The reference of the routes of a service. */
export const API_URL = '/docs/api';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Files of the site by name, wherever they come from. */
interface OpenSite {
  readonly moved: SiteManifest['moved'];
  read(name: string): Promise<Uint8Array | undefined>;
}

/** The documentation. Nothing is built or read before someone opens it. */
export function openDocumentation(): Documentation {
  let opening: Promise<OpenSite> | undefined;
  const answers = new Map<string, DocumentationAnswer>();
  const open = (): Promise<OpenSite> => {
    opening ??= openSite().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async find(path) {
      const site = await open();
      const name = toFileName(path);
      const known = answers.get(name);
      if (known !== undefined) return known;
      if (Object.hasOwn(site.moved, path)) return { movedTo: `${BASE}/${site.moved[path]}` };
      const bytes = await site.read(name);
      if (bytes === undefined) return undefined;
      const answer = { file: await compress(name, bytes) };
      answers.set(name, answer);
      return answer;
    },
  };
}

function toFileName(path: string): string {
  if (path === '') return 'index.html';
  return Object.hasOwn(TYPES, extname(path)) ? path : `${path}.html`;
}

async function openSite(): Promise<OpenSite> {
  const folder = new URL(SITE_FOLDER, import.meta.url);
  const text = await readFile(new URL(SITE_MANIFEST, folder), 'utf8').catch(() => undefined);
  if (text === undefined) {
    // Not by a literal: the published program has neither this module nor what it builds with.
    const { buildSite } = (await import(
      new URL('./build-site.ts', import.meta.url).href
    )) as typeof import('./build-site.ts');
    const { files, moved } = await buildSite(BASE, API_URL);
    return { moved, read: async (name) => files.get(name) };
  }
  const { names, moved } = JSON.parse(text) as SiteManifest;
  return { moved, read: async (name) => (names.includes(name) ? readFile(new URL(name, folder)) : undefined) };
}

async function compress(
  name: string,
  bytes: Uint8Array,
): Promise<Extract<DocumentationAnswer, { file: unknown }>['file']> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes)]);
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes, encoded: { br, gzip: zipped } };
}
