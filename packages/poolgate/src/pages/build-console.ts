import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import type { ConsoleBundle, ConsoleManifest } from './console-bundle.ts';

const sources = new URL('./', import.meta.resolve('@poolgate/console/pages'));
const elements = new URL('./', import.meta.resolve('@poolgate/elements/pages'));
const resolveFile = (file: string, folder: URL): string => fileURLToPath(new URL(file, folder));

const ENTRIES = {
  'console-page': resolveFile('page.ts', sources),
  'console-look': resolveFile('../look/poolgate.css', elements),
  console: resolveFile('console.css', sources),
  'console-logo': resolveFile('logo.svg', elements),
};

/** Bundles the scripts and styles of the console from their sources. */
export async function buildConsole(): Promise<ConsoleBundle> {
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
    // Served as UTF-8: escapes would double the size of languages other than English.
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    entryNames: '[name]-[hash]',
    chunkNames: 'console-[name]-[hash]',
    // Lit's production export for browsers; its development build logs warnings in the console.
    conditions: ['browser', 'production'],
    loader: { '.svg': 'copy' },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  return {
    manifest: toManifest(metafile),
    names: [...files.keys()],
    async read(name) {
      const file = files.get(name);
      if (file === undefined) throw new RangeError('the console has no such file');
      return file;
    },
  };
}

function toManifest({ outputs }: Metafile): ConsoleManifest {
  const all = Object.entries(outputs).map(([path, { entryPoint = '', imports }]) => ({
    name: basename(path),
    entryPoint,
    imports,
  }));
  const find = (start: string): string => {
    const found = all.find(({ name }) => name.startsWith(start));
    if (found === undefined) throw new RangeError(`the bundle has nothing named ${start}`);
    return found.name;
  };
  const script = find('console-page-');
  const languages = all.flatMap(({ name, entryPoint }) => {
    const [, tag] = /translations\/([\w-]+)\.ts$/.exec(entryPoint) ?? [];
    return tag === undefined ? [] : [[tag, name] as const];
  });
  const { imports = [] } = all.find(({ name }) => name === script) ?? {};
  return {
    script,
    imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    logo: find('console-logo-'),
    styles: all
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.css'))
      .toSorted((one, other) => Number(other.startsWith('console-look')) - Number(one.startsWith('console-look'))),
    languages: Object.fromEntries(languages),
  };
}
