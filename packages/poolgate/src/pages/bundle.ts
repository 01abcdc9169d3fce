import { readFile } from 'node:fs/promises';

/** The files of a bundle. Their names contain a digest of their content. */
export interface Bundle<Manifest> {
  readonly manifest: Manifest;
  /** @throws the file does not exist */
  read(name: string): Promise<Uint8Array>;
  /** All names. */
  readonly names: readonly string[];
}

/**
 * Opens a bundle: the published package contains it. In the repository it is built from the sources in a tenth of a second.
 * @param build called if the package does not contain the bundle
 */
export async function openBundle<Manifest extends object>(
  manifestFile: string,
  build: () => Promise<Bundle<Manifest>>,
): Promise<Bundle<Manifest>> {
  const folder = new URL('./pages/', import.meta.url);
  const text = await readFile(new URL(manifestFile, folder), 'utf8').catch(() => undefined);
  if (text === undefined) return build();
  const { names, ...manifest } = JSON.parse(text) as Manifest & Pick<Bundle<Manifest>, 'names'>;
  return { manifest: manifest as unknown as Manifest, names, read: (name) => readFile(new URL(name, folder)) };
}
