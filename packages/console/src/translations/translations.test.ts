import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from './catalogue.ts';
import { messages as english } from './en.ts';

const placeholdersOf = (text: unknown): readonly string[] =>
  [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();

test('every language has the placeholders of English', async () => {
  assert.equal(LANGUAGES.length, 6);
  for (const { tag, load } of LANGUAGES) {
    const { messages } = await load();
    for (const [id, text] of Object.entries(english))
      assert.deepEqual(placeholdersOf(messages[id as keyof typeof english]), placeholdersOf(text), `${id} in ${tag}`);
  }
});

test('every text is used', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const source = globSync('{api,app,screens,ui}/*.ts', { cwd })
    .map((file) => readFileSync(`${cwd}/${file}`, 'utf8'))
    .join('\n');
  const unused = Object.keys(english).filter(
    (id) => !/^(?:status|outcome)\./.test(id) && !/^app\.script$/.test(id) && !source.includes(`'${id}'`),
  );
  assert.deepEqual(unused, []);
});
