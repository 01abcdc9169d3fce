import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigIntEngine, COGNITO_GROUP, makeDeviceVerifier, secureRandom, toBase64 } from '@poolgate/srp';
import { readDeviceConfig } from './device-config.ts';

const device = { deviceGroupKey: '-aaaaaaaa', deviceKey: 'us-east-1_0a' };
const { config } = makeDeviceVerifier({ engine: bigIntEngine, device, random: secureRandom });
const text = (value: object): string => JSON.stringify({ DeviceSecretVerifierConfig: value });

const refuses = (input: string, field: RegExp): void =>
  assert.throws(
    () => readDeviceConfig(input),
    (error: { code?: string; errors?: readonly { field: string; message: string }[] }) =>
      error.code === 'validation_failed' && field.test(error.errors?.[0]?.field ?? ''),
    input.slice(0, 100),
  );

test('a valid verifier is read in any JSON form', () => {
  assert.deepEqual(readDeviceConfig(text(config)), config);
  assert.deepEqual(readDeviceConfig(text(config).replaceAll('/', '\\/').replaceAll('+', '\\u002b')), config);
  assert.deepEqual(readDeviceConfig(` ${JSON.stringify(JSON.parse(text(config)), null, 2)}\n`), config);
});

test('a verifier that forces the result is refused by its field', () => {
  const N = COGNITO_GROUP.modulus;
  for (const value of [0n, 1n, N - 1n, N, N + 1n, 2n * N]) {
    const PasswordVerifier = toBase64(Buffer.from(value.toString(16).padStart(770, '0'), 'hex'));
    refuses(text({ ...config, PasswordVerifier }), /^device_config\.DeviceSecretVerifierConfig\.PasswordVerifier$/);
  }
});

test('a salt under 16 bytes, and invalid base64, are refused by their field', () => {
  for (const Salt of [
    toBase64(new Uint8Array(15).fill(7)),
    '!',
    'AA',
    `${config.Salt}=`,
    toBase64(new Uint8Array(65)),
  ]) {
    refuses(text({ ...config, Salt }), /^device_config\.DeviceSecretVerifierConfig\.Salt$/);
  }
  refuses(text({ ...config, PasswordVerifier: '*' }), /PasswordVerifier$/);
  refuses(text({ ...config, PasswordVerifier: 'A'.repeat(1028) }), /PasswordVerifier$/);
});

test('other members, duplicates and other forms are refused', () => {
  refuses(text({ ...config, More: 'x' }), /^device_config/);
  refuses(JSON.stringify({ ...JSON.parse(text(config)), more: {} }), /^device_config/);
  refuses(text(config).replace('"Salt"', `"Salt":"${config.Salt}","Salt"`), /^device_config$/);
  refuses(text(config).replace('"Salt"', `"\\u0053alt":"x","Salt"`), /^device_config$/);
  for (const other of ['', '{', 'null', '[]', '"x"', '{}', text({}), text([]), text({ Salt: config.Salt })]) {
    refuses(other, /^device_config/);
  }
});

test('no error repeats the value', () => {
  try {
    readDeviceConfig(text({ ...config, Salt: 'c2VjcmV0IQ==' }));
    assert.fail('it must be refused');
  } catch (error) {
    assert.ok(!JSON.stringify(error).includes('c2VjcmV0IQ'));
  }
});
