/** The client as published: files without imports, for browsers, bundlers and Node. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../packages/client/', import.meta.url));

/** Runtimes that have BigInt and modules in workers: browsers since 2023. */
const TARGET = 'es2022';

/** The files of the client, by name. The worker is a separate file: a page must find it next to the module, wherever both are copied to. */
const ENTRIES = {
  'index.js': 'src/index.ts',
  'srp-worker.js': 'src/srp-worker.ts',
  'server.js': 'src/server.ts',
} as const;

/** The name of a file of the client. */
export type ClientFile = keyof typeof ENTRIES;

/** Builds one file of the client; returns its text. */
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

/**
 * Bundles a script for a page with everything that it imports, as an application's bundler does. @param resolveDir where packages are found
 */
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
