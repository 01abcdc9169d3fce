import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleClient } from './client-bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'poolgate-client-'));
after(() => rmSync(folder, { recursive: true, force: true }));
await bundleClient(folder);

const read = (name: string): string => readFileSync(join(folder, `${name}.js`), 'utf8');
const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;

/** What an entry weighs, minified and compressed. */
async function weightOf(entry: string, external: string[] = []): Promise<number> {
  const entryPoints = [fileURLToPath(new URL(`../packages/${entry}`, import.meta.url))];
  const { outputFiles } = await build({
    ...{ entryPoints, external, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false },
  });
  return gzipped(outputFiles[0]?.text ?? '');
}

test('the client has at most 16 kB, compressed, and 6 kB of SRP', async () => {
  const client = await weightOf('client/src/index.ts', ['@poolgate/srp']);
  assert.ok(client > 1000 && client <= 16_000, `client ${client} bytes`);
  const worker = gzipped(read('srp-worker'));
  assert.ok(worker > 1000 && worker <= 6000, `worker ${worker} bytes`);
  const all = gzipped(read('index'));
  assert.ok(all <= 16_000 + 6000, `${all} bytes`);
});

test('all of the package srp has at most 6 KiB, compressed', async () => {
  const srp = await weightOf('srp/src/index.ts');
  assert.ok(srp > 1000 && srp <= 6144, `${srp} bytes`);
});

test('the files for browsers import nothing and have no word of Node', () => {
  for (const name of ['index', 'srp-worker']) {
    const found =
      /\b(?:Buffer|process|require|module\.exports|__dirname|global)\b|node:|\bfrom\s*["']|\bimport\s*\(/.exec(
        read(name),
      );
    assert.equal(found?.[0], undefined, name);
  }
});

test('nothing secret is kept where every script of the origin can read it', () => {
  assert.doesNotMatch(read('index'), /localStorage|sessionStorage|document\.cookie/);
});
