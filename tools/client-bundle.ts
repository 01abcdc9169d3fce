/** The client as it is published: files without imports, for browsers, bundlers and Node alike. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../packages/client/', import.meta.url));

/** Runtimes that have BigInt, modules in workers, and top-level modules everywhere: browsers since 2023. */
const TARGET = 'es2022';

/** Its files by their names. The worker is one of its own: a page must find it beside the module, whoever has moved both. */
export const CLIENT_ENTRIES = {
  index: 'src/index.ts',
  'srp-worker': 'src/srp-worker.ts',
} as const;

/** Writes the files of the client into a folder. */
export async function bundleClient(destination: string): Promise<void> {
  await Promise.all(
    Object.entries(CLIENT_ENTRIES).map(([name, entry]) =>
      build({
        absWorkingDir: folder,
        entryPoints: [entry],
        outfile: join(destination, `${name}.js`),
        allowOverwrite: true,
        bundle: true,
        format: 'esm',
        platform: 'browser',
        target: TARGET,
        minify: true,
        logLevel: 'warning',
      }),
    ),
  );
}
