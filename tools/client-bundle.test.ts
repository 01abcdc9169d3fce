import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { clientFile } from './client-bundle.ts';

const files = { 'index.js': await clientFile('index.js'), 'srp-worker.js': await clientFile('srp-worker.js') };
const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;

/** What an entry weighs, minified and compressed. */
async function weightOf(entry: string, external: string[] = []): Promise<number> {
  const entryPoints = [fileURLToPath(new URL(`../packages/${entry}`, import.meta.url))];
  const { outputFiles } = await build({
    ...{ entryPoints, external, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false },
  });
  return gzipped(outputFiles[0]?.text ?? '');
}

test('the client has at most 16 kB, compressed, and what it loads of SRP at most 6 kB', async () => {
  const client = await weightOf('client/src/index.ts', ['@poolgate/srp']);
  assert.ok(client > 1000 && client <= 16_000, `client ${client} bytes`);
  const worker = gzipped(files['srp-worker.js']);
  assert.ok(worker > 1000 && worker <= 6000, `worker ${worker} bytes`);
  const all = gzipped(files['index.js']);
  assert.ok(all <= 16_000 + 6000, `${all} bytes`);
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
