/**
 * The pages that the service delivers: bundled from their sources in the repository, read from files in the package.
 */
import { readFile } from 'node:fs/promises';
import { createPageShells, getPage, PAGES, type PagePath, type PageSettings } from '@poolgate/elements/pages';
import type { PageShell, Pages } from '@poolgate/gateway';
import { escapeHtml } from '@poolgate/provider';
import type { Brand } from './brand/read-brand.ts';
import { memoizeAsync, memoizeByKey } from './memoize-async.ts';
import { MANIFEST_FILE, type PageBundle, type PageManifest } from './page-bundle.ts';
import { compressFile, NO_FILE, openPageFile } from './page-file.ts';

/** The page options from the configuration. */
export interface PageOptions {
  readonly appName: string;
  /** How a sign-in starts. */
  readonly signInFlow: PageSettings['signInFlow'];
  /** The prefix of the browser routes and pages, e.g. `/cognito`. */
  readonly prefix: string;
  readonly isDevelopment: boolean;
  readonly brand?: Brand | undefined;
}

/** Opens the pages. Nothing is read, bundled or compressed before a browser requests it. */
export function openPages(options: PageOptions): Pages {
  const bundle = memoizeAsync(openPageBundle);
  const shells = memoizeByKey((path: PagePath) =>
    bundle().then(({ manifest }) => createShells(path, manifest, options)),
  );
  const files = memoizeByKey((name: string) => bundle().then((opened) => openPageFile(opened, name)));
  const brandFiles = memoizeByKey((name: string) => compressFile(options.brand?.files.get(name) ?? NO_FILE));
  return {
    names: (Object.keys(PAGES) as PagePath[]).filter((name) => getPage(name).isRoute !== true),
    ...(options.brand !== undefined && { plainStyle: createPlainStyle(options.brand, options.prefix) }),
    shells: (name) => shells(name as PagePath),
    file: async (name) => {
      if (options.brand?.files.has(name)) return brandFiles(name);
      return (await bundle()).names.includes(name) ? files(name) : undefined;
    },
  };
}

/** The logo stands above the title of pages that are rendered without files. */
function createPlainStyle({ logo, plainStyle }: Brand, prefix: string): string {
  if (logo === undefined) return plainStyle;
  return `main::before{content:"";display:block;height:2.5rem;margin-bottom:1.25rem;background:url("${prefix}/assets/${logo}") 0/contain no-repeat}\n${plainStyle}`;
}

/** The published package contains the bundles. In the repository they are built from the sources in a tenth of a second. */
async function openPageBundle(): Promise<PageBundle> {
  const folder = new URL('./pages/', import.meta.url);
  const text = await readFile(new URL(MANIFEST_FILE, folder), 'utf8').catch(() => undefined);
  if (text === undefined) {
    // Not a literal: the published program contains neither this module nor a bundler.
    const { buildPages } = (await import(new URL('./build-pages.ts', import.meta.url).href)) as PageBuilder;
    return buildPages();
  }
  const { names, ...manifest } = JSON.parse(text) as PageManifest & Pick<PageBundle, 'names'>;
  return { manifest, names, read: (name) => readFile(new URL(name, folder)) };
}

interface PageBuilder {
  readonly buildPages: () => Promise<PageBundle>;
}

async function createShells(
  page: PagePath,
  { script, imports, parts, worker, logo, styles, languages }: PageManifest,
  { prefix, brand, ...options }: PageOptions,
): Promise<readonly PageShell[]> {
  const toAssetUrl = (name: string): string => `${prefix}/assets/${name}`;
  const settings = {
    page,
    prefix,
    ...options,
    logoUrl: toAssetUrl(brand?.logo ?? logo),
    workerUrl: toAssetUrl(worker),
    ...(brand?.favicon !== undefined && { faviconUrl: toAssetUrl(brand.favicon) }),
    ...(brand !== undefined && { brandLinks: brand.links }),
  };
  const { part } = getPage(page);
  const always = part === undefined ? imports : [...imports, ...parts[part]];
  const files = {
    scriptUrl: toAssetUrl(script),
    styleUrls: (brand === undefined ? styles : [...styles, brand.style]).map(toAssetUrl),
    preloadUrls: (language: string) =>
      [...new Set([...always, ...(languages[language] === undefined ? [] : [languages[language]])])].map(toAssetUrl),
  };
  return createPageShells(settings, files, escapeHtml);
}
