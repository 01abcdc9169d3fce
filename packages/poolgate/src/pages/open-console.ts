import { type ConsoleSettings, createConsoleShells } from '@poolgate/console/pages';
import type { Pages } from '@poolgate/gateway';
import { escapeHtml } from '@poolgate/provider';
import { openBundle } from './bundle.ts';
import { CONSOLE_MANIFEST_FILE, type ConsoleBundle, type ConsoleManifest } from './console-bundle.ts';
import { memoizeAsync, memoizeByKey } from './memoize-async.ts';
import { openPageFile } from './page-file.ts';

/** Opens the page of the console. Nothing is read, bundled or compressed before a browser requests it. */
export function openConsole(settings: ConsoleSettings): Pages {
  const bundle = memoizeAsync(() => openBundle(CONSOLE_MANIFEST_FILE, buildConsoleBundle));
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

/** Not a literal import: the published program contains neither this module nor a bundler. */
const buildConsoleBundle = async (): Promise<ConsoleBundle> =>
  ((await import(new URL('./build-console.ts', import.meta.url).href)) as ConsoleBuilder).buildConsole();

interface ConsoleBuilder {
  readonly buildConsole: () => Promise<ConsoleBundle>;
}
