import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import type { PageBundle, PageManifest } from './page-bundle.ts';

const sources = new URL('./', import.meta.resolve('@poolgate/elements/pages'));
const clientWorker = new URL('./srp-worker.ts', import.meta.resolve('@poolgate/client'));
const pathOf = (file: string): string => fileURLToPath(new URL(file, sources));

const ENTRIES = {
  page: pathOf('page.ts'),
  'srp-worker': fileURLToPath(clientWorker),
  poolgate: pathOf('../look/poolgate.css'),
  pages: pathOf('pages.css'),
  logo: pathOf('logo.svg'),
};

/** Bundles the scripts and styles of the pages from their sources. */
export async function buildPages(): Promise<PageBundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES,
    absWorkingDir: fileURLToPath(sources),
    outdir: 'built',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    // Served as UTF-8: other languages than English would be twice as long.
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    // Lit's own export for browsers in production; its development build warns on the console.
    conditions: ['browser', 'production'],
    loader: { '.svg': 'copy' },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  return {
    manifest: manifestOf(metafile),
    names: [...files.keys()],
    async read(name) {
      const file = files.get(name);
      if (file === undefined) throw new RangeError('the pages have no such file');
      return file;
    },
  };
}

function manifestOf({ outputs }: Metafile): PageManifest {
  const all = Object.entries(outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const madeFrom = (source: RegExp) => {
    const found = all.find(
      ({ entryPoint = '', inputs }) =>
        source.test(entryPoint) || Object.keys(inputs).some((input) => source.test(input) && /svg$/.test(input)),
    );
    if (found === undefined) throw new RangeError(`the bundle has nothing made from ${source.source}`);
    return found;
  };
  const staticImports = (output: (typeof all)[number]): readonly string[] =>
    output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
  const page = madeFrom(/(^|\/)page\.ts$/);
  const part = (source: RegExp): readonly string[] => {
    const output = madeFrom(source);
    return [output.name, ...staticImports(output)];
  };
  const languages = all.flatMap(({ name, entryPoint = '' }) => {
    const tag = /words\/([\w-]+)\.ts$/.exec(entryPoint)?.[1];
    return tag === undefined ? [] : [[tag, name] as const];
  });
  return {
    script: page.name,
    imports: staticImports(page),
    parts: { account: part(/(^|\.\.\/)account\.ts$/), 'mail-links': part(/(^|\.\.\/)mail-links\.ts$/) },
    worker: madeFrom(/srp-worker\.ts$/).name,
    logo: madeFrom(/logo\.svg$/).name,
    styles: [madeFrom(/poolgate\.css$/).name, madeFrom(/pages\.css$/).name],
    languages: Object.fromEntries(languages),
  };
}
