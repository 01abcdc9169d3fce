import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { StartError } from '../process/start-error.ts';
import { DEVELOPMENT_SECRET_PREFIX, loadDevelopmentSecrets } from './secrets-file.ts';

const random = (byteLength: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(byteLength));

async function emptyFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-secrets-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

const isStartError = (code: string) => (error: unknown) => error instanceof StartError && error.code === code;

test('the first start creates secrets that only the owner can read, the second finds them', async (context) => {
  const folder = join(await emptyFolder(context), 'data');
  const first = await loadDevelopmentSecrets(folder, random);
  assert.ok(first.secret.startsWith(DEVELOPMENT_SECRET_PREFIX));
  assert.match(first.adminKey.id, /^[a-z\d]+$/);
  assert.ok(first.adminKey.secret.length >= 32);
  assert.equal((await stat(join(folder, 'secrets.json'))).mode & 0o777, 0o600);
  assert.deepEqual(await loadDevelopmentSecrets(folder, random), first);
});

test('parallel starts agree on one set of secrets and leave no drafts', async (context) => {
  const folder = await emptyFolder(context);
  const all = await Promise.all(Array.from({ length: 20 }, () => loadDevelopmentSecrets(folder, random)));
  assert.equal(new Set(all.map((secrets) => JSON.stringify(secrets))).size, 1);
  assert.deepEqual(await readdir(folder), ['secrets.json']);
});

test('a file that others can read, or that is damaged, is refused and kept', async (context) => {
  const folder = await emptyFolder(context);
  const path = join(folder, 'secrets.json');
  await loadDevelopmentSecrets(folder, random);
  await chmod(path, 0o644);
  await assert.rejects(loadDevelopmentSecrets(folder, random), isStartError('secrets_file'));
  await chmod(path, 0o600);
  await writeFile(path, '{"secret":');
  await assert.rejects(loadDevelopmentSecrets(folder, random), isStartError('secrets_file'));
  assert.equal(await readFile(path, 'utf8'), '{"secret":');
});

test('an invalid data folder is reported in one line', async (context) => {
  const file = join(await emptyFolder(context), 'file');
  await writeFile(file, '');
  await assert.rejects(loadDevelopmentSecrets(join(file, 'data'), random), isStartError('data_dir'));
});
