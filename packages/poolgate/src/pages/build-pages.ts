import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import type { PageBundle, PageManifest } from './page-bundle.ts';

const sources = new URL('./', import.meta.resolve('@poolgate/elements/pages'));
const clientWorker = new URL('./srp-worker.ts', import.meta.resolve('@poolgate/client'));
const resolveSource = (file: string): string => fileURLToPath(new URL(file, sources));

const ENTRIES = {
  page: resolveSource('page.ts'),
  'srp-worker': fileURLToPath(clientWorker),
  poolgate: resolveSource('../look/poolgate.css'),
  pages: resolveSource('pages.css'),
  logo: resolveSource('logo.svg'),
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
    // Served as UTF-8: escapes would double the size of languages other than English.
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
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
      if (file === undefined) throw new RangeError('the pages have no such file');
      return file;
    },
  };
}

/** What most visits never need. */
const LOADED_WHEN_NEEDED = [
  /define-registration-proof\.ts$/,
  /define-follow-ups\.ts$/,
  /browser-step-history\.ts$/,
  /last-question\.ts$/,
  /code-flow\.ts$/,
  /provider-buttons\.ts$/,
];

function toManifest({ outputs }: Metafile): PageManifest {
  type Output = Metafile['outputs'][string] & { readonly name: string };
  const all: readonly Output[] = Object.entries(outputs).map(([path, output]) => ({ name: basename(path), ...output }));
  const madeFrom = (source: RegExp) => {
    const found = all.find(
      ({ entryPoint = '', inputs }) =>
        source.test(entryPoint) || Object.keys(inputs).some((input) => source.test(input) && /svg$/.test(input)),
    );
    if (found === undefined) throw new RangeError(`the bundle has nothing made from ${source.source}`);
    return found;
  };
  const isTranslation = ({ entryPoint = '' }: Output): boolean => /translations\/[\w-]+\.ts$/.test(entryPoint);
  const parts = {
    account: madeFrom(/(^|\.\.\/)account\.ts$/),
    forms: madeFrom(/(^|\.\.\/)forms\.ts$/),
    'mail-links': madeFrom(/(^|\.\.\/)mail-links\.ts$/),
  };
  const later = LOADED_WHEN_NEEDED.map(madeFrom);
  const apart = new Set([...Object.values(parts), ...later, ...all.filter(isTranslation)]);
  /** Everything that a file loads at some point, except the parts of single pages, the languages, and what most visits never need. */
  const loadedBy = (output: Output, found = new Set<Output>()): ReadonlySet<Output> => {
    for (const { path, kind } of output.imports) {
      const file = all.find(({ name }) => name === basename(path));
      if (file === undefined || found.has(file) || (kind === 'dynamic-import' && apart.has(file))) continue;
      found.add(file);
      loadedBy(file, found);
    }
    return found;
  };
  const listNames = (files: Iterable<Output>): readonly string[] => [...files].map(({ name }) => name);
  const page = madeFrom(/(^|\/)page\.ts$/);
  const listLanguages = (path: RegExp): Readonly<Record<string, string>> =>
    Object.fromEntries(
      all.flatMap(({ name, entryPoint = '' }) => {
        const [, tag] = path.exec(entryPoint) ?? [];
        return tag === undefined ? [] : [[tag, name]];
      }),
    );
  return {
    script: page.name,
    imports: listNames(loadedBy(page)),
    parts: {
      account: listNames([parts.account, ...loadedBy(parts.account)]),
      forms: listNames([parts.forms, ...loadedBy(parts.forms)]),
      'mail-links': listNames([parts['mail-links'], ...loadedBy(parts['mail-links'])]),
    },
    worker: madeFrom(/srp-worker\.ts$/).name,
    logo: madeFrom(/logo\.svg$/).name,
    styles: [madeFrom(/poolgate\.css$/).name, madeFrom(/pages\.css$/).name],
    languages: listLanguages(/translations\/([a-z]+)\.ts$/),
    languageParts: {
      forms: listLanguages(/translations\/forms-([a-z]+)\.ts$/),
      account: listLanguages(/translations\/account-([a-z]+)\.ts$/),
    },
  };
}
