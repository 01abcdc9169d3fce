import assert from 'node:assert/strict';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listVersionedFiles, raiseVersion } from './raise-version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const { version } = JSON.parse(read(root, 'package.json')) as { readonly version: string };

test('a release raises the version everywhere, and nobody else’s', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-version-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of listVersionedFiles(root)) cpSync(join(root, file), join(folder, file));
  raiseVersion(folder, '98.7.6-beta.5');
  for (const file of listVersionedFiles(root)) {
    const [before, after] = [read(root, file), read(folder, file)];
    assert.ok(after.includes('98.7.6-beta.5'), file);
    assert.equal(after.replaceAll('98.7.6-beta.5', version), before, file);
  }
  const { packages } = JSON.parse(read(folder, 'package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
  assert.ok(
    own.length > 10 && own.every(([, entry]) => entry.version === '98.7.6-beta.5'),
    'the workspaces in the lock file',
  );
  const client = (example: string): unknown =>
    (JSON.parse(read(folder, `examples/${example}/package.json`)) as { dependencies: Record<string, string> })
      .dependencies['@poolgate/client'];
  for (const example of ['html', 'express-api', 'react', 'nextjs'])
    assert.equal(client(example), 'file:../packages/poolgate-client-98.7.6-beta.5.tgz');
  assert.throws(() => raiseVersion(folder, 'next'), RangeError);
});

test('each example that is installed has a lock file, in step with what it asks for', () => {
  const asked = ['dependencies', 'devDependencies', 'version'] as const;
  const examples = globSync('examples/*/package.json', { cwd: root });
  assert.ok(examples.length >= 4, examples.join());
  for (const file of examples) {
    const manifest = JSON.parse(read(root, file)) as Record<string, unknown>;
    const { packages } = JSON.parse(read(root, file.replace('.json', '-lock.json'))) as {
      readonly packages: Readonly<Record<string, Record<string, unknown>>>;
    };
    for (const name of asked) assert.deepEqual(packages['']?.[name], manifest[name], file);
    for (const [path, entry] of Object.entries(packages)) {
      if (path.includes('node_modules/@poolgate/')) assert.equal(entry.integrity, undefined, path);
      else if (path !== '') assert.match(String(entry.integrity), /^sha512-/, path);
    }
  }
});
