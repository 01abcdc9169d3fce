import { readFile } from 'node:fs/promises';
import { type ConsoleSettings, createConsoleShells } from '@poolgate/console/pages';
import type { Pages } from '@poolgate/gateway';
import { escapeHtml } from '@poolgate/provider';
import { CONSOLE_MANIFEST_FILE, type ConsoleBundle, type ConsoleManifest } from './console-bundle.ts';
import { memoizeAsync, memoizeByKey } from './memoize-async.ts';
import { openPageFile } from './page-file.ts';

/** Opens the page of the console. Nothing is read, bundled or compressed before a browser requests it. */
export function openConsole(settings: ConsoleSettings): Pages {
  const bundle = memoizeAsync(openConsoleBundle);
  const shells = memoizeAsync(async () => createShells((await bundle()).manifest, settings));
  const files = memoizeByKey((name: string) => bundle().then((opened) => openPageFile(opened, name)));
  return {
    names: ['console'],
    shells,
    file: async (name) => ((await bundle()).names.includes(name) ? files(name) : undefined),
  };
}

function createShells({ script, imports, logo, styles, languages }: ConsoleManifest, settings: ConsoleSettings) {
  const toAssetUrl = (name: string): string => `${settings.prefix}/console/assets/${name}`;
  const files = {
    scriptUrl: toAssetUrl(script),
    styleUrls: styles.map(toAssetUrl),
    iconUrl: toAssetUrl(logo),
    preloadUrls: (language: string) =>
      [...imports, ...(languages[language] === undefined ? [] : [languages[language]])].map(toAssetUrl),
  };
  return createConsoleShells(settings, files, escapeHtml);
}

/** The published package contains the bundle. In the repository it is built from the sources. */
async function openConsoleBundle(): Promise<ConsoleBundle> {
  const folder = new URL('./pages/', import.meta.url);
  const text = await readFile(new URL(CONSOLE_MANIFEST_FILE, folder), 'utf8').catch(() => undefined);
  if (text === undefined) {
    // Not a literal: the published program contains neither this module nor a bundler.
    const { buildConsole } = (await import(new URL('./build-console.ts', import.meta.url).href)) as ConsoleBuilder;
    return buildConsole();
  }
  const { names, ...manifest } = JSON.parse(text) as ConsoleManifest & Pick<ConsoleBundle, 'names'>;
  return { manifest, names, read: (name) => readFile(new URL(name, folder)) };
}

interface ConsoleBuilder {
  readonly buildConsole: () => Promise<ConsoleBundle>;
}
