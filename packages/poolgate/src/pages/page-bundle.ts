import type { PagePart, TextPart } from '@poolgate/elements/pages';
import type { Bundle } from './bundle.ts';

/** The files of the pages and the purpose of each. The published package contains it as JSON. */
export interface PageManifest {
  readonly script: string;
  /** Everything that the script of every page loads at some point. */
  readonly imports: readonly string[];
  /** The scripts that only some pages load, and what these import. */
  readonly parts: Readonly<Record<PagePart, readonly string[]>>;
  readonly worker: string;
  readonly logo: string;
  readonly styles: readonly string[];
  /** The texts of each language, by language tag. */
  readonly languages: Readonly<Record<string, string>>;
  /** The further texts of each language that only some pages load, by language tag. */
  readonly languageParts: Readonly<Record<TextPart, Readonly<Record<string, string>>>>;
}

/** The files that pages load. Their names contain a digest of their content. */
export type PageBundle = Bundle<PageManifest>;

/** The name of the manifest's file. */
export const MANIFEST_FILE = 'manifest.json';
