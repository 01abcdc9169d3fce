import type { Bundle } from './bundle.ts';

/** The files of the console and the purpose of each. The published package contains it as JSON. */
export interface ConsoleManifest {
  readonly script: string;
  /** What the script imports at once. */
  readonly imports: readonly string[];
  readonly logo: string;
  readonly styles: readonly string[];
  /** The texts of each language, by language tag. */
  readonly languages: Readonly<Record<string, string>>;
}

/** The files that the console loads. Their names contain a digest of their content. */
export type ConsoleBundle = Bundle<ConsoleManifest>;

/** The name of the manifest's file. */
export const CONSOLE_MANIFEST_FILE = 'console-manifest.json';
