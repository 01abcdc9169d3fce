import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LAYERS } from './layers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether a path of the page names a file or folder: from the root, below a package, or below the pool, as in `login/next-step`. */
function namesSource(path: string): boolean {
  const [name = '', ...inside] = path.split('/');
  const sources = [join('packages', path), join('packages', name, 'src', ...inside), join('packages/pool/src', path)];
  return [path, ...sources, ...sources.map((source) => `${source}.ts`)].some((source) =>
    existsSync(join(root, source)),
  );
}

test('every path on the architecture page exists', () => {
  const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  const paths = Array.from(text.matchAll(/`([a-z][a-z0-9.-]*\/[a-z0-9./-]+)`/g), ([, path = '']) => path);
  assert.ok(paths.length > 30);
  assert.deepEqual(
    paths.filter((path) => !namesSource(path)),
    [],
  );
});

/** A comment at the start of a file that describes the folder: the imports or another comment follow it, not the declaration it describes. */
const FOLDER_COMMENT = /^\/\*\*(?:(?!\*\/)[\s\S])+\*\/\n(?:\n|\/\*\*|import |export (?:\{|\*|type \{))/;

test('every folder with several files says at the head of one of them what it holds', () => {
  const folders = Object.entries(LAYERS).flatMap(([name, layers]) =>
    layers
      .flat()
      .filter((folder) => folder !== '.')
      .map((folder) => `packages/${name}/src/${folder}`),
  );
  const silent = folders.filter((folder) => {
    const files = globSync('*.ts', { cwd: join(root, folder) }).filter((file) => !file.endsWith('.test.ts'));
    return (
      files.length > 1 && !files.some((file) => FOLDER_COMMENT.test(readFileSync(join(root, folder, file), 'utf8')))
    );
  });
  assert.ok(folders.length > 70);
  assert.deepEqual(silent, []);
});
