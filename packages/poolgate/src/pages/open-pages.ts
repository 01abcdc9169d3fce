/**
 * The pages that the service delivers: bundled from their sources in the repository, read from files in the package.
 */
import { createPageShells, getPage, PAGES, type PagePath, type PageSettings } from '@poolgate/elements/pages';
import type { PageFile, PageShell, Pages } from '@poolgate/gateway';
import { escapeHtml } from '@poolgate/provider';
import type { Brands } from './brand/brands.ts';
import type { RenderedBrand } from './brand/render-brand.ts';
import { openBundle } from './bundle.ts';
import { memoizeAsync, memoizeByKey } from './memoize-async.ts';
import { MANIFEST_FILE, type PageBundle, type PageManifest } from './page-bundle.ts';
import { compressFile, openPageFile } from './page-file.ts';

/** The page options from the configuration. */
export interface PageOptions {
  readonly appName: string;
  /** How a sign-in starts. */
  readonly signInFlow: PageSettings['signInFlow'];
  /** The prefix of the browser routes and pages, e.g. `/cognito`. */
  readonly prefix: string;
  readonly isDevelopment: boolean;
  readonly brands: Brands;
}

/** Opens the pages. Nothing is read, bundled or compressed before a browser requests it. */
export function openPages(options: PageOptions): Pages {
  const bundle = memoizeAsync(() => openBundle(MANIFEST_FILE, buildPageBundle));
  const shellsOf = memoizeByBrand((brand) =>
    memoizeByKey((path: PagePath) => bundle().then(({ manifest }) => createShells(path, manifest, options, brand))),
  );
  const files = memoizeByKey((name: string) => bundle().then((opened) => openPageFile(opened, name)));
  const brandFiles = new WeakMap<object, Promise<PageFile>>();
  return {
    names: (Object.keys(PAGES) as PagePath[]).filter((name) => getPage(name).isRoute !== true),
    plainStyle: async (scope) => (await options.brands.find(scope))?.plainStyle,
    shells: async (name, scope) => shellsOf(await options.brands.find(scope))(name as PagePath),
    file: async (name) => {
      if ((await bundle()).names.includes(name)) return files(name);
      const found = await options.brands.findFile(name);
      if (found === undefined) return undefined;
      const compressed = brandFiles.get(found) ?? compressFile(found);
      brandFiles.set(found, compressed);
      return compressed;
    },
  };
}

/** Pages of a brand that is no longer in use are forgotten with it. */
function memoizeByBrand<T>(make: (brand: RenderedBrand | undefined) => T): (brand: RenderedBrand | undefined) => T {
  const made = new WeakMap<RenderedBrand, T>();
  const unbranded = make(undefined);
  return (brand) => {
    if (brand === undefined) return unbranded;
    const found = made.get(brand) ?? make(brand);
    made.set(brand, found);
    return found;
  };
}

/** Not a literal import: the published program contains neither this module nor a bundler. */
const buildPageBundle = async (): Promise<PageBundle> =>
  ((await import(new URL('./build-pages.ts', import.meta.url).href)) as PageBuilder).buildPages();

interface PageBuilder {
  readonly buildPages: () => Promise<PageBundle>;
}

async function createShells(
  page: PagePath,
  { script, imports, parts, worker, logo, styles, languages, languageParts }: PageManifest,
  { prefix, brands: _brands, ...options }: PageOptions,
  brand: RenderedBrand | undefined,
): Promise<readonly PageShell[]> {
  const toAssetUrl = (name: string): string => `${prefix}/assets/${name}`;
  const settings = {
    page,
    prefix,
    ...options,
    logoUrl: toAssetUrl(brand?.logo ?? logo),
    workerUrl: toAssetUrl(worker),
    ...(brand?.favicon !== undefined && { faviconUrl: toAssetUrl(brand.favicon) }),
    ...(brand?.heading !== undefined && { heading: brand.heading }),
    ...(brand !== undefined && { brandLinks: brand.links }),
  };
  const { part, texts } = getPage(page);
  const always = part === undefined ? imports : [...imports, ...parts[part]];
  const files = {
    scriptUrl: toAssetUrl(script),
    styleUrls: (brand === undefined ? styles : [...styles, brand.style]).map(toAssetUrl),
    preloadUrls: (language: string) => {
      const loaded = [languages[language], texts && languageParts[texts][language]];
      return [...new Set([...always, ...loaded.filter((name) => name !== undefined)])].map(toAssetUrl);
    },
  };
  return createPageShells(settings, files, escapeHtml);
}
