/** The documentation as files, and where pages that were moved are now. */
export interface Site {
  /** By their path below the start of the site; pages end with `.html`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** New addresses by old ones, both without the base and without a suffix. */
  readonly moved: Readonly<Record<string, string>>;
}

/** Where the published package has the site. */
export const SITE_FOLDER = './site/';

/** In that folder: the names of the files, and the pages that were moved. */
export const SITE_MANIFEST = 'site.json';

/** What the manifest contains. */
export interface SiteManifest {
  readonly names: readonly string[];
  readonly moved: Site['moved'];
}
