import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ARE_PACKAGES_PUBLISHED, listUnpublishedNames, PUBLICATION_PASSAGES, replaceWording } from './published.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Files without readers, and the list of wordings. */
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
  const found = files.flatMap((file) => listUnpublishedNames(read(file)).map((typed) => `${file}: ${typed}`));
  if (!ARE_PACKAGES_PUBLISHED) assert.deepEqual(found, []);
});

test('one constant switches the commands of every document, there and back', () => {
  for (const passage of PUBLICATION_PASSAGES) {
    const text = read(passage.file);
    const [clone, registry] = [replaceWording(text, passage, false), replaceWording(text, passage, true)];
    assert.ok(listUnpublishedNames(registry).length > 0, passage.file);
    assert.deepEqual(listUnpublishedNames(clone), [], passage.file);
    assert.ok(text === (ARE_PACKAGES_PUBLISHED ? registry : clone), `${passage.file} is stale`);
    assert.equal(replaceWording(registry, passage, false), clone);
    assert.equal(replaceWording(clone, passage, true), registry);
  }
});
