/** Raises the version everywhere: manifests, lock files, the chart and the OpenAPI document. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Manifests and lock files, including those of the examples and benchmarks. */
const MANIFESTS = [
  'package{,-lock}.json',
  'packages/*/package.json',
  'e2e/package.json',
  'bench/package{,-lock}.json',
  'examples/package.json',
  'examples/*/package{,-lock}.json',
];

/** Files that contain the version, each in its own form. */
const TELLING: Readonly<Record<string, (version: string) => string>> = {
  'deploy/helm/poolgate/Chart.yaml': (version) => `ersion: ${version}\n`,
  'docs/openapi.json': (version) => `"version": "${version}"`,
  'packages/contract/src/openapi.ts': (version) => `'${version}'`,
};

type Json = { readonly [name: string]: unknown };

const isOurs = (name: unknown): boolean =>
  typeof name === 'string' && /^(?:@poolgate\/[\w-]+|poolgate(?:-workspace)?)$/.test(name);
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the package name of an entry. @param key of the entry: in a lock file the folder */
const findEntryName = (key: string, { name }: Json): unknown =>
  name ?? key.replace(/^(?:.*node_modules|packages)\//, '');

/** Versions of other packages stay, even if they are the same. The digest of a tarball is removed, because the next one differs. */
function raiseVersionIn(entry: Json, from: string, to: string, key = ''): Json {
  const ours = isOurs(findEntryName(key, entry));
  return Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
      if (isObject(value)) return [[name, raiseVersionIn(value, from, to, name)]];
      if (ours && name === 'integrity') return [];
      const tells = isOurs(name) || (ours && (name === 'version' || name === 'resolved'));
      return [[name, tells && typeof value === 'string' ? value.replace(from, to) : value]];
    }),
  );
}

/** Returns the files with the project's version in a checkout, as relative paths. */
export function listVersionedFiles(root: string): readonly string[] {
  return [...globSync(MANIFESTS, { cwd: root }), ...Object.keys(TELLING)].sort();
}

/**
 * Writes another version into all of them.
 * @param to such as `2.0.6` or `2.1.0-beta.1`
 * @throws {RangeError} it is not a version
 */
export function raiseVersion(root: string, to: string): void {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(to)) throw new RangeError(`${to} is no version`);
  const { version: from } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const file of listVersionedFiles(root)) {
    const text = readFileSync(join(root, file), 'utf8');
    const told = TELLING[file];
    const next =
      told === undefined
        ? `${JSON.stringify(raiseVersionIn(JSON.parse(text) as Json, from, to), null, 2)}\n`
        : text.replaceAll(told(from), told(to));
    writeFileSync(join(root, file), next);
  }
}
