/**
 * Packs every package as it is published: `node tools/pack.ts <folder for the tarballs>`.
 * In the repository `exports` and `bin` point at the sources; in a tarball they point at the compiled files.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface Manifest {
  exports: Record<string, string>;
  bin?: Record<string, string>;
  files?: string[];
  engines?: Record<string, string>;
  private?: boolean;
  devDependencies?: unknown;
}

/** Doors for the project's own tests; they are not published. */
const PRIVATE_DOORS = ['./testing'];
const OLDEST_NODE = '>=24';
const root = new URL('..', import.meta.url).pathname;

const compiled = (source: string, extension: string): string =>
  source.replace('./src/', './dist/').replace(/\.ts$/, extension);

function published(manifest: Manifest): Manifest {
  const { private: _, devDependencies: __, ...rest } = manifest;
  const doors = Object.entries(manifest.exports).filter(([door]) => !PRIVATE_DOORS.includes(door));
  const exports = Object.fromEntries(
    doors.map(([door, source]) => [door, { types: compiled(source, '.d.ts'), default: compiled(source, '.js') }]),
  ) as unknown as Record<string, string>;
  const bin = Object.entries(manifest.bin ?? {}).map(([name, source]) => [name, compiled(source, '.js')]);
  return {
    ...rest,
    exports,
    ...(bin.length > 0 ? { bin: Object.fromEntries(bin) as Record<string, string> } : {}),
    files: ['dist'],
    engines: { node: OLDEST_NODE },
  };
}

function packOne(folder: string, destination: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'poolgate-pack-'));
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
    const isPublished = (path: string): boolean =>
      !path.endsWith('.tsbuildinfo') && !/[\\/]testing([\\/]|$)/.test(path);
    cpSync(join(folder, 'dist'), join(stage, 'dist'), { recursive: true, filter: isPublished });
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    cpSync(join(root, 'README.md'), join(stage, 'README.md'));
    const args = ['pack', '--silent', '--pack-destination', destination];
    return join(destination, execFileSync('npm', args, { cwd: stage, encoding: 'utf8' }).trim());
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/**
 * Compiles and packs all packages into a folder.
 * @returns the paths of the tarballs
 */
export function packAll(destination: string): readonly string[] {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-b'], { cwd: root, stdio: 'inherit' });
  mkdirSync(destination, { recursive: true });
  return globSync('packages/*/package.json', { cwd: root }).map((file) =>
    packOne(resolve(root, file, '..'), destination),
  );
}

if (import.meta.main) {
  const destination = process.argv[2];
  if (!destination) {
    console.error('usage: node tools/pack.ts <folder for the tarballs>');
    process.exit(2);
  }
  for (const tarball of packAll(resolve(destination))) console.log(tarball);
}
