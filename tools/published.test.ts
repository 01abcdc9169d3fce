import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ARE_PACKAGES_PUBLISHED, namesTyped, PASSAGES, reworded } from './published.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What nobody reads, and what lists the wordings. */
const APART =
  /(?:^|\/)package-lock\.json$|\.(?:webp|png|woff2?|db|gz|tgz)$|^tools\/published(?:\.test)?\.ts$|^e2e\/releases\//;

test('no document, message, example or chart makes its reader fetch a name that is not ours yet', () => {
  const files = globSync(['*', '.{ci,github}/**', '{bench,deploy,docs,e2e,examples,packages,tools}/**'], {
    cwd: root,
    exclude: ['**/node_modules', '**/dist', 'examples/packages', 'node_modules'],
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !APART.test(file));
  assert.ok(files.length > 1000);
  const found = files.flatMap((file) => namesTyped(read(file)).map((typed) => `${file}: ${typed}`));
  if (!ARE_PACKAGES_PUBLISHED) assert.deepEqual(found, []);
});

test('such a command is recognized in every form, and a tarball, a script or a module is none', () => {
  for (const typed of [
    'npx poolgate serve',
    '`npx --yes poolgate@2 doctor`',
    'npm install --global poolgate',
    'npm i @poolgate/client@^2.0.6',
    'npm install lit \\\n  @poolgate/elements',
    'npm exec -- poolgate status',
    'pnpm add @poolgate/client',
    'yarn dlx poolgate serve',
    "spawn('npx', ['poolgate', 'serve'])",
    "execFileSync('npm', ['install', 'poolgate'])",
    'deno run npm:poolgate',
    'https://esm.sh/@poolgate/client',
    'https://www.npmjs.com/package/poolgate',
    '    image: poolgate',
    'repository: "poolgate:2.0.6"',
    'docker run -p 3000:3000 poolgate',
  ]) {
    assert.equal(namesTyped(typed).length, 1, typed);
  }
  for (const plain of [
    'poolgate serve',
    'npm install /tmp/poolgate-tarballs/*.tgz',
    'npm install ./poolgate-2.0.6.tgz',
    'npm ci\nnpm run poolgate -- doctor',
    'npm install; poolgate serve',
    'node_modules/.bin/poolgate serve',
    "import { start } from 'poolgate';",
    'docker build -t poolgate .',
    'image: registry.example.com/poolgate',
    'npm install express # then start poolgate',
  ]) {
    assert.deepEqual(namesTyped(plain), [], plain);
  }
});

test('one constant switches the commands of every document, there and back', () => {
  for (const passage of PASSAGES) {
    const text = read(passage.file);
    const [clone, registry] = [reworded(text, passage, false), reworded(text, passage, true)];
    assert.ok(namesTyped(registry).length > 0, passage.file);
    assert.deepEqual(namesTyped(clone), [], passage.file);
    assert.ok(text === (ARE_PACKAGES_PUBLISHED ? registry : clone), `${passage.file} is stale`);
    assert.equal(reworded(registry, passage, false), clone);
    assert.equal(reworded(clone, passage, true), registry);
  }
});

test('a document that lost its commands is named', () => {
  const passage = { file: 'a.md', unpublished: 'clone', published: 'registry' };
  for (const text of ['', 'clone clone', 'clone registry'])
    assert.throws(() => reworded(text, passage, true), /^RangeError: a\.md must have the commands/, text);
});
