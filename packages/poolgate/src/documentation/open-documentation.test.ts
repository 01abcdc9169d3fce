import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { openDocumentation } from './open-documentation.ts';

const documentation = openDocumentation();

async function requireFile(path: string) {
  const answer = await documentation.find(path);
  return answer !== undefined && 'file' in answer ? answer.file : assert.fail(path);
}

test('pages have addresses without a suffix, and are compressed once', async () => {
  const home = await requireFile('');
  assert.equal(home.type, 'text/html; charset=utf-8');
  assert.ok(brotliDecompressSync(home.encoded.br).equals(Buffer.from(home.bytes)));
  assert.equal(await requireFile(''), home);
  assert.match(Buffer.from((await requireFile('reference/oauth')).bytes).toString(), /<h1[^>]*>OAuth/);
  assert.equal((await requireFile('assets/page-sign-in.webp')).type, 'image/webp');
});

test('a moved page redirects to its new address', async () => {
  assert.deepEqual(await documentation.find('guides/local-cognito'), { movedTo: '/docs/how-to/local-cognito' });
});

test('nothing outside of the site is found', async () => {
  for (const path of ['none', '../package.json', 'how-to', 'assets/none.webp', '__proto__', 'constructor'])
    assert.equal(await documentation.find(path), undefined, path);
});
