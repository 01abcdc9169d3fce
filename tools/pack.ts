/**
 * Packs every package as it is published: `npm run pack -- <folder for the tarballs>`. In the repository `exports` and `bin` refer to the
 * sources; in a tarball they refer to the compiled files.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { buildSite } from '../packages/poolgate/src/documentation/build-site.ts';
import { API_URL, BASE } from '../packages/poolgate/src/documentation/open-documentation.ts';
import { SITE_FOLDER, SITE_MANIFEST } from '../packages/poolgate/src/documentation/site.ts';
import { OLDEST_NODE } from '../packages/poolgate/src/node-version.ts';
import { buildConsole } from '../packages/poolgate/src/pages/build-console.ts';
import { buildPages } from '../packages/poolgate/src/pages/build-pages.ts';
import { CONSOLE_MANIFEST_FILE } from '../packages/poolgate/src/pages/console-bundle.ts';
import { MANIFEST_FILE } from '../packages/poolgate/src/pages/page-bundle.ts';
import { bundleClient } from './client-bundle.ts';
import { createBillOfMaterials, type Lock } from './sbom.ts';

interface PackageManifest {
  name: string;
  version: string;
  exports: Record<string, string>;
  imports?: Record<string, Record<string, string>>;
  bin?: Record<string, string>;
  files?: string[];
  customElements?: string;
  dependencies?: Record<string, string>;
  engines?: Record<string, string>;
  private?: boolean;
  devDependencies?: unknown;
  repository?: { readonly type: string; readonly url: string };
  homepage?: string;
  bugs?: string;
}

/** A package that is published as a bundle. */
interface BundleDefinition {
  /** Its files, by their names in the bundle. */
  readonly entries: Readonly<Record<string, string>>;
  /** Its module for programs: a file that checks the version of Node, then exports what the entry of this name exports. */
  readonly entryPoint: { readonly name: string; readonly behind: string };
  /** Packages that are not bundled. */
  readonly apart: readonly string[];
}

/**
 * Packages that are published as a bundle. The service starts twice as fast if Node need not find and read a thousand small files. Packages
 * that are loaded only on demand are not bundled.
 */
const BUNDLED: Readonly<Record<string, BundleDefinition>> = {
  poolgate: {
    entries: {
      main: 'src/main.ts',
      service: 'src/index.ts',
      'test-pools': 'src/test-pools.ts',
      'node-version': 'src/node-version.ts',
      'threads-worker': 'src/threads/worker.ts',
    },
    entryPoint: { name: 'index', behind: 'service' },
    apart: [
      'css-tree',
      'pg',
      'pg-native',
      'prom-client',
      'nodemailer',
      '@aws-sdk/client-cognito-identity-provider',
      '@aws-sdk/client-sns',
      '@smithy/core',
      'standardwebhooks',
    ],
  },
};

/** Packages that are published as files for browsers, and the functions that build them. */
const FOR_BROWSERS: Readonly<Record<string, (destination: string) => Promise<void>>> = { client: bundleClient };

/** Dependencies of the client: they require no newer Node than the client. */
const BESIDE_THE_CLIENT: readonly string[] = ['contract', 'srp'];

/** CommonJS packages inside an ESM bundle need `require`. */
const REQUIRE =
  "import { createRequire as poolgateRequire } from 'node:module'; const require = poolgateRequire(import.meta.url);";

/** Entry points for the project's own tests; they are not published. */
const PRIVATE_ENTRY_POINTS = ['./testing'];
const root = fileURLToPath(new URL('..', import.meta.url));
const LOCK = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const { repository, homepage, bugs } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageManifest;
/** The file in which a package lists all its dependencies. */
const BILL_OF_MATERIALS = 'sbom.cdx.json';

const compile = (source: string, extension: string): string =>
  source.replace('./src/', './dist/').replace(/\.ts$/, extension);

const createEntryPoint = (source: string) => ({ types: compile(source, '.d.ts'), default: compile(source, '.js') });

/** A stylesheet is published unchanged. */
const isStyle = (path: string): boolean => path.endsWith('.css');

/** No one imports the console: the program contains it, built. */
const BUNDLED_PACKAGE = 'console';

/** The repository's launcher only starts the program. In a tarball the program starts directly. */
const LAUNCHED = './src/main.ts';

/** Returns the packages that a bundle excludes, with the versions that the bundled packages require. */
function listExternalDependencies(names: readonly string[]): Record<string, string> {
  const wanted = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as PackageManifest;
    return Object.entries(dependencies).filter(([name]) => names.includes(name));
  });
  return Object.fromEntries(wanted);
}

function toPublishedManifest(manifest: PackageManifest, folder: string, apart: readonly string[]): object {
  const { private: _, devDependencies: __, ...rest } = manifest;
  const published = Object.entries(manifest.exports).filter(([name]) => !PRIVATE_ENTRY_POINTS.includes(name));
  const exports = Object.fromEntries(
    published.map(([name, source]) => [name, isStyle(source) ? compile(source, '.js') : createEntryPoint(source)]),
  ) as unknown as Record<string, string>;
  const imports = Object.entries(manifest.imports ?? {}).map(([name, files]) => [
    name,
    Object.fromEntries(Object.entries(files).map(([condition, source]) => [condition, compile(source, '.js')])),
  ]);
  const bin = Object.keys(manifest.bin ?? {}).map((name) => [name, compile(LAUNCHED, '.js')]);
  return {
    ...rest,
    exports,
    ...(imports.length > 0 ? { imports: Object.fromEntries(imports) as PackageManifest['imports'] } : {}),
    dependencies: { ...rest.dependencies, ...listExternalDependencies(apart) },
    ...(bin.length > 0 ? { bin: Object.fromEntries(bin) as Record<string, string> } : {}),
    repository: { ...repository, directory: relative(root, folder).replaceAll('\\', '/') },
    homepage,
    bugs,
    files: ['dist', BILL_OF_MATERIALS, ...(rest.customElements === undefined ? [] : [rest.customElements])],
    engines: rest.engines ?? { node: BESIDE_THE_CLIENT.includes(basename(folder)) ? '>=20' : `>=${OLDEST_NODE}` },
  };
}

function listExports(name: string, { outputs }: Metafile): readonly string[] {
  const [, output] = Object.entries(outputs).find(([path]) => basename(path) === `${name}.js`) ?? [];
  if (output === undefined) throw new RangeError(`the bundle has no ${name}.js`);
  return output.exports.toSorted();
}

/** An older Node would fail at the first missing module, with an error that does not help. */
const createLauncher = (
  behind: string,
  names: readonly string[],
): string => `import { findNodeVersionFault } from './node-version.js';

const fault = findNodeVersionFault(process.versions.node);
if (fault !== undefined) throw new Error(fault);

export const { ${names.join(', ')} } = await import('./${behind}.js');
`;

async function bundle(folder: string, destination: string): Promise<void> {
  const bundled = BUNDLED[basename(folder)];
  if (bundled === undefined) return;
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: { ...bundled.entries },
    external: [...bundled.apart],
    outdir: destination,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${OLDEST_NODE}`,
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    legalComments: 'linked',
    logLevel: 'warning',
    banner: { js: REQUIRE },
    metafile: true,
  });
  const { name, behind } = bundled.entryPoint;
  writeFileSync(join(destination, `${name}.js`), createLauncher(behind, listExports(behind, metafile)));
  await writePages(join(destination, 'pages'));
  await writeSite(join(destination, SITE_FOLDER));
}

/** The published pages are already bundled, because the installed program has no bundler. */
async function writePages(destination: string): Promise<void> {
  mkdirSync(destination, { recursive: true });
  for (const [file, bundle] of [
    [MANIFEST_FILE, await buildPages()],
    [CONSOLE_MANIFEST_FILE, await buildConsole()],
  ] as const) {
    const { manifest, names, read } = bundle;
    for (const name of names) writeFileSync(join(destination, name), await read(name));
    writeFileSync(join(destination, file), JSON.stringify({ ...manifest, names }));
  }
}

/** Each release contains its own documentation. */
async function writeSite(destination: string): Promise<void> {
  const { files, moved } = await buildSite(BASE, API_URL);
  for (const [name, bytes] of files) {
    mkdirSync(join(destination, name, '..'), { recursive: true });
    writeFileSync(join(destination, name), bytes);
  }
  writeFileSync(join(destination, SITE_MANIFEST), JSON.stringify({ names: [...files.keys()], moved }));
}

async function packOne(folder: string, destination: string): Promise<string> {
  const stage = mkdtempSync(join(tmpdir(), 'poolgate-pack-'));
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest;
    writeFileSync(
      join(stage, 'package.json'),
      `${JSON.stringify(toPublishedManifest(manifest, folder, BUNDLED[basename(folder)]?.apart ?? []), null, 2)}\n`,
    );
    const bundleForBrowsers = FOR_BROWSERS[basename(folder)];
    const isBundled = basename(folder) in BUNDLED || bundleForBrowsers !== undefined;
    const isPublished = (path: string): boolean =>
      !/\.tsbuildinfo$|[\\/]testing([\\/]|$)/.test(path) && !(isBundled && /\.(js|map)$/.test(path));
    cpSync(join(folder, 'dist'), join(stage, 'dist'), { recursive: true, filter: isPublished });
    for (const style of isBundled ? [] : globSync('**/*.css', { cwd: join(folder, 'src') }))
      cpSync(join(folder, 'src', style), join(stage, 'dist', style));
    await bundle(folder, join(stage, 'dist'));
    await bundleForBrowsers?.(join(stage, 'dist'));
    const { customElements } = manifest;
    if (customElements !== undefined) cpSync(join(folder, customElements), join(stage, customElements));
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    cpSync(join(folder, 'README.md'), join(stage, 'README.md'));
    const bill = createBillOfMaterials(
      relative(root, folder).replaceAll('\\', '/'),
      manifest.name,
      manifest.version,
      LOCK,
    );
    writeFileSync(join(stage, BILL_OF_MATERIALS), `${JSON.stringify(bill, null, 1)}\n`);
    const args = ['pack', '--silent', '--pack-destination', destination];
    return join(destination, execFileSync('npm', args, { cwd: stage, encoding: 'utf8' }).trim());
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/**
 * Compiles and packs all published packages into a folder.
 * @param say receives one line for each step
 * @returns the paths of the tarballs
 */
export async function packAll(
  destination: string,
  say: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  say('Compiling the packages. This takes up to two minutes the first time.');
  execFileSync(process.execPath, [join(root, 'tools/run.cjs'), 'tsc', '-b'], { cwd: root, stdio: 'inherit' });
  mkdirSync(destination, { recursive: true });
  const folders = globSync('packages/*/package.json', { cwd: root })
    .map((file) => resolve(root, file, '..'))
    .filter((folder) => basename(folder) !== BUNDLED_PACKAGE);
  let packed = 0;
  return Promise.all(
    folders.map(async (folder) => {
      const tarball = await packOne(folder, destination);
      packed += 1;
      say(`Packed ${packed} of ${folders.length}: ${basename(tarball)}`);
      return tarball;
    }),
  );
}

if (import.meta.main) {
  const destination = process.argv[2];
  if (!destination) {
    console.error('usage: npm run pack -- <folder for the tarballs>');
    process.exit(2);
  }
  for (const tarball of await packAll(resolve(destination), (line) => console.error(line))) console.log(tarball);
}
