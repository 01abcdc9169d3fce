import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildClientFile } from './client-bundle.ts';

const files = {
  'index.js': await buildClientFile('index.js'),
  'srp-worker.js': await buildClientFile('srp-worker.js'),
};
const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;

/** Returns the size of an entry, minified and compressed. */
async function measureGzipBytes(entry: string): Promise<number> {
  const entryPoints = [fileURLToPath(new URL(`../packages/${entry}`, import.meta.url))];
  const { outputFiles } = await build({
    ...{ entryPoints, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false },
  });
  return gzipped(outputFiles[0]?.text ?? '');
}

test('the client has at most 18 kB, compressed, SRP included, and the whole of SRP at most 6 kB', async () => {
  const client = gzipped(files['index.js']);
  assert.ok(client > 1000 && client <= 18_000, `client ${client} bytes`);
  const srp = await measureGzipBytes('srp/src/index.ts');
  assert.ok(srp > 1000 && srp <= 6000, `srp ${srp} bytes`);
});

test('a worker computes SRP with at most 4 kB, compressed: it has none of the groups that are there for comparison', () => {
  const worker = gzipped(files['srp-worker.js']);
  assert.ok(worker > 1000 && worker <= 4000, `worker ${worker} bytes`);
  for (const [name, text] of Object.entries(files)) assert.ok(!text.includes('rfc5054'), name);
});

test('the files for browsers import nothing and have no word of Node', () => {
  for (const [name, text] of Object.entries(files)) {
    const found =
      /\b(?:Buffer|process|require|module\.exports|__dirname|global)\b|node:|\bfrom\s*["']|\bimport\s*\(/.exec(text);
    assert.equal(found?.[0], undefined, name);
  }
});

test('nothing secret is kept where every script of the origin can read it', () => {
  assert.doesNotMatch(files['index.js'], /localStorage|sessionStorage|document\.cookie/);
});
