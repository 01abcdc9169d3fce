import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StartError } from '../process/start-error.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { isCertificatePair, loadDevelopmentCertificate } from './stored-certificate.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

async function inFolder(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-tls-'));
  context.after(() => rm(folder, { recursive: true }));
  const load = (host: string, nowMs = START_MS) =>
    loadDevelopmentCertificate(folder, host, { ...HOST_SYSTEM, clock: { now: () => nowMs } });
  return { folder: join(folder, 'tls'), load };
}

test('a certificate is created once for a host, with a key that only its owner can read', async (context) => {
  const { folder, load } = await inFolder(context);
  const made = await load('localhost');
  assert.equal(made.authorityFile, join(folder, 'authority.pem'));
  for (const [name, mode, pem] of [
    ['key.pem', 0o600, made.key],
    ['certificate.pem', 0o644, made.certificate],
    ['authority.pem', 0o644, made.authority],
  ] as const) {
    const path = join(folder, name);
    assert.deepEqual([(await stat(path)).mode & 0o777, await readFile(path, 'utf8')], [mode, pem], name);
  }
  assert.deepEqual(await load('localhost'), made);
  assert.equal(isCertificatePair(made.certificate, made.key), true);
  // RFC 5280 §4.1.2.2 allows 20 octets.
  assert.ok(new X509Certificate(made.certificate).serialNumber.length <= 32);
});

test('a certificate of another host, of another key, or that ends within 30 days is renewed, with its authority', async (context) => {
  const { folder, load } = await inFolder(context);
  const first = await load('localhost');
  const endMs = Date.parse(new X509Certificate(first.certificate).validTo);
  assert.deepEqual(await load('localhost', endMs - 30 * DAY_MS - 1), first);
  const renewed = await load('localhost', endMs - 30 * DAY_MS);
  assert.notEqual(renewed.authority, first.authority);
  const address = await load('127.0.0.1', START_MS);
  assert.equal(new X509Certificate(address.certificate).checkIP('127.0.0.1'), '127.0.0.1');
  assert.notEqual(address.authority, renewed.authority);
  await writeFile(join(folder, 'key.pem'), first.key);
  const paired = await load('127.0.0.1', START_MS);
  assert.equal(isCertificatePair(paired.certificate, paired.key), true);
  assert.notEqual(paired.certificate, address.certificate);
  assert.equal(isCertificatePair(paired.certificate, first.key), false);
  assert.equal(isCertificatePair('no PEM', paired.key), false);
});

test('an unusable folder is named', async (context) => {
  const { folder } = await inFolder(context);
  const file = join(folder, '..', 'file');
  await writeFile(file, '');
  const loading = loadDevelopmentCertificate(file, 'localhost', HOST_SYSTEM);
  await assert.rejects(loading, (error) => error instanceof StartError && error.code === 'data_dir');
});
