import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import type { Bundle } from './bundle.ts';

/** A file that the bundler wrote. */
export type BundledFile = Metafile['outputs'][string] & { readonly name: string };

/** How pages are bundled. */
export interface BundleOptions<Manifest> {
  /** The folder of the sources. */
  readonly folder: URL;
  /** The sources that pages name, by the start of the name of their files. */
  readonly entries: Readonly<Record<string, URL>>;
  /** The prefix of the other files' names. */
  readonly chunkPrefix: string;
  readonly toManifest: (files: readonly BundledFile[]) => Manifest;
}

/** Bundles scripts and styles for browsers from their sources. */
export async function buildBundle<Manifest>({
  folder,
  entries,
  chunkPrefix,
  toManifest,
}: BundleOptions<Manifest>): Promise<Bundle<Manifest>> {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, url]) => [name, fileURLToPath(url)])),
    absWorkingDir: fileURLToPath(folder),
    outdir: 'built',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    // Served as UTF-8: escapes would double the size of languages other than English.
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    entryNames: '[name]-[hash]',
    chunkNames: `${chunkPrefix}[name]-[hash]`,
    // Lit's production export for browsers; its development build logs warnings in the console.
    conditions: ['browser', 'production'],
    loader: { '.svg': 'copy' },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  return {
    manifest: toManifest(Object.entries(metafile.outputs).map(([path, file]) => ({ ...file, name: basename(path) }))),
    names: [...files.keys()],
    async read(name) {
      const file = files.get(name);
      if (file === undefined) throw new RangeError(`the bundle has no file ${name}`);
      return file;
    },
  };
}

/** Returns the files by the language that the path of their source names. */
export function findLanguages(files: readonly BundledFile[], path: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap(({ name, entryPoint = '' }) => {
      const [, tag] = path.exec(entryPoint) ?? [];
      return tag === undefined ? [] : [[tag, name]];
    }),
  );
}

/** Returns the output file of a source. @throws RangeError the source has no output file */
export function findFileOf(files: readonly BundledFile[], source: RegExp): BundledFile {
  const found = files.find(
    ({ entryPoint = '', inputs }) =>
      source.test(entryPoint) || Object.keys(inputs).some((input) => source.test(input) && /svg$/.test(input)),
  );
  if (found === undefined) throw new RangeError(`the bundle has nothing made from ${source.source}`);
  return found;
}
