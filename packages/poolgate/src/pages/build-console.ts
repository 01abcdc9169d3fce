import { basename } from 'node:path';
import { type BundledFile, buildBundle, findFileOf, findLanguages } from './build-bundle.ts';
import type { ConsoleBundle, ConsoleManifest } from './console-bundle.ts';

const sources = new URL('./', import.meta.resolve('@poolgate/console/pages'));
const elements = new URL('./', import.meta.resolve('@poolgate/elements/pages'));

/** Bundles the scripts and styles of the console from their sources. */
export const buildConsole = (): Promise<ConsoleBundle> =>
  buildBundle({
    folder: sources,
    entries: {
      'console-page': new URL('page.ts', sources),
      'console-look': new URL('../look/poolgate.css', elements),
      console: new URL('console.css', sources),
      'console-logo': new URL('logo.svg', elements),
    },
    chunkPrefix: 'console-',
    toManifest,
  });

function toManifest(files: readonly BundledFile[]): ConsoleManifest {
  const page = findFileOf(files, /(^|\/)page\.ts$/);
  return {
    script: page.name,
    imports: page.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    logo: findFileOf(files, /logo\.svg$/).name,
    styles: [findFileOf(files, /poolgate\.css$/).name, findFileOf(files, /console\.css$/).name],
    languages: findLanguages(files, /translations\/([\w-]+)\.ts$/),
  };
}
