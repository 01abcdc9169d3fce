import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBase64, toBase64 } from './bytes.ts';
import { deviceIdentity, makeDeviceVerifier, parseDeviceConfig } from './device.ts';
import { bytesFromInteger, integerFromBytes, padInteger } from './integer.ts';
import { openSslEngine as engine } from './openssl.ts';
import { hashPassword } from './password-hash.ts';
import type { RandomBytes } from './random.ts';
import { finishClient, startClient } from './srp-client.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import { answerSrpA } from './srp-server.ts';
import { createSeededRandom } from './testing/seeded-random.ts';

const device = { deviceGroupKey: '-v7w9UcY6', deviceKey: 'us-west-2_a1b2c3d4-5678-90ab-cdef-0123456789ab' };
const good = makeDeviceVerifier({ engine, device, random: createSeededRandom('good') }).config;

test('a registered device logs in with its secret', () => {
  const random = createSeededRandom('device');
  const { devicePassword, config } = makeDeviceVerifier({ engine, device, random });
  assert.equal(fromBase64(devicePassword).length, 40);
  const stored = parseDeviceConfig(config);
  const client = startClient({ engine, random });
  const { srpBHex, key } = answerSrpA({ engine, ...client, ...stored, random });
  const hash = hashPassword(engine, deviceIdentity(device), devicePassword);
  assert.deepEqual(finishClient({ engine, ...client, srpBHex, ...stored, passwordHash: hash }), key);
});

test('writes salt and verifier as signed integers and keeps at least 16 bytes of salt', () => {
  for (const first of [0x00, 0x7f, 0x80, 0xff]) {
    const random: RandomBytes = (length) => new Uint8Array(length).fill(1).fill(first, 0, 1);
    const { config } = makeDeviceVerifier({ engine, device, random });
    const salt = fromBase64(config.Salt);
    assert.equal(salt.length, first < 0x80 ? 16 : 17);
    assert.ok((salt[0] as number) < 0x80);
    assert.equal(integerFromBytes(salt), integerFromBytes(random(16)));
    const verifier = fromBase64(config.PasswordVerifier);
    assert.deepEqual(verifier, padInteger(integerFromBytes(verifier)));
    assert.equal(BigInt(`0x${parseDeviceConfig(config).saltHex}`), integerFromBytes(salt));
  }
});

test('reads a verifier without a sign byte as unsigned', () => {
  const v = COGNITO_GROUP.modulus - 5n;
  const [signed, unsigned] = [padInteger(v), bytesFromInteger(v, 384)].map((bytes) =>
    parseDeviceConfig({ ...good, PasswordVerifier: toBase64(bytes) }),
  );
  assert.deepEqual(signed, unsigned);
});

test('rejects a weak verifier', () => {
  const N = COGNITO_GROUP.modulus;
  for (const v of [0n, 1n, N - 1n, N, N + 1n, 2n * N, 1n << 8192n]) {
    const PasswordVerifier = toBase64(padInteger(v));
    assert.throws(() => parseDeviceConfig({ ...good, PasswordVerifier }), { code: 'weak_verifier' });
  }
  assert.throws(() => parseDeviceConfig({ ...good, PasswordVerifier: '' }), { code: 'weak_verifier' });
});

test('rejects a salt under 16 or over 64 bytes', () => {
  for (const length of [0, 8, 15, 65, 1024]) {
    const Salt = toBase64(new Uint8Array(length).fill(7));
    assert.throws(() => parseDeviceConfig({ ...good, Salt }), { code: 'weak_salt' });
  }
});

test('accepts a salt without its leading zeros where fewer bytes are allowed', () => {
  for (const length of [12, 15, 16, 17, 64]) {
    const Salt = toBase64(new Uint8Array(length).fill(7));
    const { saltHex } = parseDeviceConfig({ ...good, Salt }, { minSaltBytes: 12 });
    assert.equal(saltHex, '7'.padEnd(2 * length - 1, '07'));
  }
});

test('rejects a salt below the allowed minimum', () => {
  for (const length of [0, 11, 65]) {
    const Salt = toBase64(new Uint8Array(length).fill(7));
    assert.throws(() => parseDeviceConfig({ ...good, Salt }, { minSaltBytes: 12 }), { code: 'weak_salt' });
  }
  for (const minSaltBytes of [0, 7, 8.5, 65, Number.NaN]) {
    assert.throws(() => parseDeviceConfig(good, { minSaltBytes }), RangeError);
  }
});

test('rejects text that is not base64', () => {
  for (const text of ['***', 'AAA', 'AA==\n', 7, null, undefined, ['AAAA'], {}]) {
    const value = text as string;
    assert.throws(() => parseDeviceConfig({ ...good, Salt: value }), { code: 'malformed_base64', field: 'Salt' });
    assert.throws(() => parseDeviceConfig({ ...good, PasswordVerifier: value }), {
      code: 'malformed_base64',
      field: 'PasswordVerifier',
    });
  }
});
