import type { PagePart } from '@poolgate/elements/pages';

/** The files of the pages, and what each of them is; as JSON it stands beside them in the published package. */
export interface PageManifest {
  readonly script: string;
  /** What the script of every page loads, sooner or later. */
  readonly imports: readonly string[];
  /** The scripts that some pages have alone, and what these import. */
  readonly parts: Readonly<Record<PagePart, readonly string[]>>;
  readonly worker: string;
  readonly logo: string;
  readonly styles: readonly string[];
  /** The words of each language but English, by its tag. */
  readonly languages: Readonly<Record<string, string>>;
}

/** The files that pages load. Their names have a digest of what is in them. */
export interface PageBundle {
  readonly manifest: PageManifest;
  /** @throws where there is no such file */
  read(name: string): Promise<Uint8Array>;
  /** Every name. */
  readonly names: readonly string[];
}

/** The name of the manifest's file. */
export const MANIFEST_FILE = 'manifest.json';
