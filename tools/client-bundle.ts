/** The client as it is published: files without imports, for browsers, bundlers and Node alike. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../packages/client/', import.meta.url));

/** Runtimes that have BigInt and modules in workers: browsers since 2023. */
const TARGET = 'es2022';

/** Its files by their names. The worker is one of its own: a page must find it beside the module, whoever has moved both. */
const ENTRIES = {
  'index.js': 'src/index.ts',
  'srp-worker.js': 'src/srp-worker.ts',
  'server.js': 'src/server.ts',
} as const;

/** The name of a file of the client. */
export type ClientFile = keyof typeof ENTRIES;

/** The text of one file of the client. */
export async function buildClientFile(name: ClientFile): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [ENTRIES[name]],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/** Writes the files of the client into a folder. */
export async function bundleClient(destination: string): Promise<void> {
  mkdirSync(destination, { recursive: true });
  for (const name of Object.keys(ENTRIES) as ClientFile[]) {
    writeFileSync(join(destination, name), await buildClientFile(name));
  }
}

/** A script for a page with everything that it imports, as a bundler of an application makes it. @param resolveDir where packages are looked for */
export async function bundleScript(contents: string, resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    define: { global: 'globalThis' },
    minify: true,
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}
