import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LAYERS, listForbiddenFolders } from './layers.ts';

const tool = fileURLToPath(new URL('./folder-graph.ts', import.meta.url));

/** A `provider` package with one file in each of its folders. */
const SOUND = {
  'port.ts': 'export const port = 1;',
  'aws-json/serve.ts': "import { port } from '../port.ts';\nexport const serve = port;",
};

function runOn(context: TestContext, files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'folder-graph-'));
  context.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'packages/provider/src', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
  }
  return spawnSync(process.execPath, [tool, `--root=${root}`, ...flags, 'provider'], { encoding: 'utf8' });
}

test('the folders are printed from bottom to top, with what each one imports', (context) => {
  const { status, stdout, stderr } = runOn(context, SOUND);
  assert.deepEqual([status, stdout, stderr], [0, '\nprovider\n  .\n  aws-json -> . 1\n', '']);
});

test('the check prints nothing where every import keeps the order, those of tests and comments left out', (context) => {
  const files = {
    ...SOUND,
    'port.test.ts': "import './aws-json/serve.ts';",
    'comment.ts': "/** See {@link import('./aws-json/serve.ts').serve}. */\nexport const comment = 1;",
  };
  const { status, stdout, stderr } = runOn(context, files, '--check');
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test('an import against the order fails', (context) => {
  const files = { 'port.ts': "export type { A } from './aws-json/a.ts';", 'aws-json/a.ts': 'export type A = 1;' };
  const { status, stderr } = runOn(context, files, '--check');
  assert.equal(status, 1);
  assert.equal(stderr, 'packages/provider/src/port.ts may not import the folder aws-json: see tools/layers.ts\n');
});

test('a cycle between folders fails, a lazy import included', (context) => {
  const files = { ...SOUND, 'lazy.ts': "export const lazy = () => import('./aws-json/serve.ts');" };
  const { status, stderr } = runOn(context, files, '--check');
  assert.equal(status, 1);
  assert.match(stderr, /^packages\/provider\/src has a cycle of folders: \., aws-json$/m);
});

test('a folder that the table does not list fails, and so does a listed folder without files', (context) => {
  const { status, stderr } = runOn(context, { 'port.ts': '', 'more/more.ts': '' }, '--check');
  assert.equal(status, 1);
  assert.match(stderr, /^packages\/provider\/src\/more is missing in tools\/layers\.ts$/m);
  assert.match(stderr, /^packages\/provider\/src\/aws-json is listed in tools\/layers\.ts, but has no source file$/m);
});

test('the members of a group must not import each other', () => {
  const layers = ['low', ['one', 'two'], 'top'];
  assert.deepEqual(listForbiddenFolders(layers, 'one'), ['two', 'top']);
  assert.deepEqual(listForbiddenFolders(layers, 'low'), ['one', 'two', 'top']);
  assert.throws(() => listForbiddenFolders(layers, 'none'), RangeError);
});

test('no package lists a folder twice', () => {
  for (const layers of Object.values(LAYERS)) assert.equal(new Set(layers.flat()).size, layers.flat().length);
});
