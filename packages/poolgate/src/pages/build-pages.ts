import { basename } from 'node:path';
import { type BundledFile, buildBundle, findFileOf, findLanguages } from './build-bundle.ts';
import type { PageBundle, PageManifest } from './page-bundle.ts';

const sources = new URL('./', import.meta.resolve('@poolgate/elements/pages'));
const client = new URL('./', import.meta.resolve('@poolgate/client'));

/** Bundles the scripts and styles of the pages from their sources. */
export const buildPages = (): Promise<PageBundle> =>
  buildBundle({
    folder: sources,
    entries: {
      page: new URL('page.ts', sources),
      'srp-worker': new URL('srp-worker.ts', client),
      poolgate: new URL('../look/poolgate.css', sources),
      pages: new URL('pages.css', sources),
      logo: new URL('logo.svg', sources),
    },
    chunkPrefix: '',
    toManifest,
  });

/** Files that most visits never need. */
const LOADED_WHEN_NEEDED = [
  /define-registration-proof\.ts$/,
  /define-follow-ups\.ts$/,
  /browser-step-history\.ts$/,
  /last-question\.ts$/,
  /code-flow\.ts$/,
  /provider-buttons\.ts$/,
  /offered-providers\.ts$/,
];

function toManifest(all: readonly BundledFile[]): PageManifest {
  const madeFrom = (source: RegExp): BundledFile => findFileOf(all, source);
  const isTranslation = ({ entryPoint = '' }: BundledFile): boolean => /translations\/[\w-]+\.ts$/.test(entryPoint);
  const parts = {
    account: madeFrom(/(^|\.\.\/)account\.ts$/),
    forms: madeFrom(/(^|\.\.\/)forms\.ts$/),
    'mail-links': madeFrom(/(^|\.\.\/)mail-links\.ts$/),
  };
  const later = LOADED_WHEN_NEEDED.map(madeFrom);
  const apart = new Set([...Object.values(parts), ...later, ...all.filter(isTranslation)]);
  /** Everything that a file eventually loads, except parts of single pages, languages, and files that most visits never need. */
  const loadedBy = (output: BundledFile, found = new Set<BundledFile>()): ReadonlySet<BundledFile> => {
    for (const { path, kind } of output.imports) {
      const file = all.find(({ name }) => name === basename(path));
      if (file === undefined || found.has(file) || (kind === 'dynamic-import' && apart.has(file))) continue;
      found.add(file);
      loadedBy(file, found);
    }
    return found;
  };
  const listNames = (files: Iterable<BundledFile>): readonly string[] => [...files].map(({ name }) => name);
  const page = madeFrom(/(^|\/)page\.ts$/);
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
    languages: findLanguages(all, /translations\/([a-z]+)\.ts$/),
    languageParts: {
      forms: findLanguages(all, /translations\/forms-([a-z]+)\.ts$/),
      account: findLanguages(all, /translations\/account-([a-z]+)\.ts$/),
    },
  };
}
