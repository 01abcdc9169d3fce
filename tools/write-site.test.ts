import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readVersion } from '../packages/poolgate/src/process/version.ts';
import { writeRelease } from './write-site.ts';

test('each release keeps its copy of the documentation, and the root lists all of them, newest first', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-site-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['v1.9.0', 'v1.10.0']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.html'), name);
  }
  await writeRelease(folder, '/poolgate');

  const version = readVersion();
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const listed = [...read('index.html').matchAll(/href="\/poolgate\/v([^/]+)\/"/g)].map(([, name]) => name);
  assert.deepEqual(listed, [version, '1.10.0', '1.9.0']);
  assert.equal(read('v1.9.0/index.html'), 'v1.9.0');
  const page = read(`v${version}/reference/oauth/index.html`);
  assert.match(page, /<a href="\/poolgate\/">Other versions<\/a>/);
  assert.ok(page.includes(`href="/poolgate/v${version}/reference/domains"`));
  assert.match(read(`v${version}/guides/tests/index.html`), new RegExp(`url=/poolgate/v${version}/how-to/tests/`));
  await assert.rejects(writeRelease(folder, '/poolgate'), /A release keeps its documentation/);
});
