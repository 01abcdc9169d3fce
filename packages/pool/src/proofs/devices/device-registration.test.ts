import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { bigIntEngine, makeDeviceVerifier, secureRandom, toBase64 } from '@poolgate/srp';
import type { PoolReads } from '../../store/pool-store.ts';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createClockPort, createMacPorts, createTestPoolRecord, RANDOM_PORT } from '../../testing/test-ports.ts';
import { toCognitoDevice } from './cognito-device.ts';
import {
  createDeviceMetadata,
  createDeviceRecord,
  decryptDeviceVerifier,
  deriveDeviceGroupKey,
  deviceNotFoundError,
  findDevice,
  isDeviceKey,
  MAX_DEVICES,
} from './device-registration.ts';

const ports = { ...createMacPorts(), ...createClockPort(1_700_000_000_123), ...RANDOM_PORT };
const pool = createTestPoolRecord();
const { DeviceKey: key, DeviceGroupKey } = createDeviceMetadata(ports, pool, 'ada');
const names = { deviceGroupKey: DeviceGroupKey, deviceKey: key };
const { config } = makeDeviceVerifier({ engine: bigIntEngine, device: names, random: secureRandom });
const registration = { key, name: 'Laptop', config, sourceAddress: '192.0.2.1' };

test('a device gets a unique key of the region, and the group key of its user', () => {
  const again = createDeviceMetadata(ports, pool, 'ada');
  assert.match(key, /^us-east-1_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.notEqual(again.DeviceKey, key);
  assert.equal(again.DeviceGroupKey, DeviceGroupKey);
  const digest = computeMacIndependently(pool, 'device-group', 'ada').toString('base64url');
  assert.equal(DeviceGroupKey, `-${digest.slice(0, 8)}`);
  assert.notEqual(deriveDeviceGroupKey(ports, pool, 'bob'), DeviceGroupKey);
  assert.notEqual(deriveDeviceGroupKey(ports, createTestPoolRecord(), 'ada'), DeviceGroupKey);
});

test('a verifier can be decrypted only for its own device', () => {
  const device = createDeviceRecord(ports, pool, 'ada', registration);
  const verifier = decryptDeviceVerifier(ports, device);
  assert.equal(toBase64(verifier), toBase64(decryptDeviceVerifier(ports, { ...device, name: 'Other' })));
  for (const moved of [{ username: 'bob' }, { key: again() }, { poolId: 'us-east-1_Other0001' }]) {
    assert.throws(
      () => decryptDeviceVerifier(ports, { ...device, ...moved }),
      (error) =>
        error instanceof ProviderError &&
        error.code === 'InternalErrorException' &&
        error.message === 'An encrypted record (device-verifier) cannot be decrypted.',
    );
  }
});

test('a device is registered for its user, with time and place', () => {
  const { verifierEncrypted, saltHex, ...device } = createDeviceRecord(ports, pool, 'ada', registration);
  assert.deepEqual(device, {
    poolId: pool.id,
    username: 'ada',
    key,
    groupKey: DeviceGroupKey,
    name: 'Laptop',
    remembered: false,
    lastIp: '192.0.2.1',
    createdAtMs: 1_700_000_000_123,
    modifiedAtMs: 1_700_000_000_123,
    lastAuthenticatedAtMs: 1_700_000_000_123,
  });
  assert.deepEqual(JSON.parse(verifierEncrypted).slice(0, 2), ['device-verifier', `${pool.id}/ada/${key}`]);
  assert.match(saltHex, /^[1-9a-f][0-9a-f]*$/);
  const untracked = { ...pool, settings: { ...pool.settings, deviceTracking: null } };
  assert.equal(createDeviceRecord(ports, untracked, 'ada', { ...registration, name: null }).remembered, false);
});

test("a key has up to 55 characters, a region and a UUID; an invalid one is refused in Cognito's words", () => {
  const longest = `${'r'.repeat(18)}_${'a'.repeat(36)}`;
  for (const [text, isKey] of [
    [key, true],
    [longest, true],
    [`r${longest}`, false],
    ['a_0', true],
    ['_0', false],
    ['a_', false],
    ['a_G', false],
    ['a.b_0', false],
  ] as const) {
    assert.equal(isDeviceKey(text), isKey, text);
  }
  const { code, message, reason } = deviceNotFoundError();
  assert.deepEqual(
    [code, message, reason],
    ['ResourceNotFoundException', 'Device does not exist.', 'device_not_found'],
  );
  assert.equal(MAX_DEVICES, 100);
});

test('a device with a weak or unreadable verifier is refused', () => {
  const bad = [
    undefined,
    {},
    { ...config, Salt: '' },
    { ...config, Salt: toBase64(new Uint8Array(11).fill(7)) },
    { ...config, Salt: '***' },
    { ...config, PasswordVerifier: '' },
    { ...config, PasswordVerifier: toBase64(Uint8Array.of(0)) },
    { ...config, PasswordVerifier: toBase64(Uint8Array.of(1)) },
    { ...config, PasswordVerifier: toBase64(new Uint8Array(385).fill(255)) },
    { ...config, PasswordVerifier: 'A'.repeat(131_072) },
  ];
  for (const config of bad) {
    assert.throws(
      () => createDeviceRecord(ports, pool, 'ada', { ...registration, config }),
      (error: unknown) =>
        error instanceof ProviderError &&
        error.code === 'InvalidParameterException' &&
        error.message === 'Invalid device secret verifier config given.' &&
        error.cause instanceof Error,
    );
  }
});

test('a salt without its leading zeros is accepted, as Amazon writes one in 512', () => {
  const Salt = toBase64(new Uint8Array(15).fill(7));
  assert.equal(
    createDeviceRecord(ports, pool, 'ada', { ...registration, config: { ...config, Salt } }).saltHex.length,
    29,
  );
  const shortest = toBase64(new Uint8Array(12).fill(7));
  const { saltHex } = createDeviceRecord(ports, pool, 'ada', {
    ...registration,
    config: { ...config, Salt: shortest },
  });
  assert.equal(saltHex.length, 23);
});

test('a confirmed device is remembered unless the pool leaves it to the user', () => {
  for (const onlyRememberedOnUserPrompt of [true, false]) {
    const deviceTracking = { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt };
    const tracking = { ...pool, settings: { ...pool.settings, deviceTracking } };
    assert.equal(createDeviceRecord(ports, tracking, 'ada', registration).remembered, !onlyRememberedOnUserPrompt);
  }
});

test('the store is not called for an invalid key', async () => {
  const asked: string[] = [];
  const store = {
    devices: { byKey: async (_pool: string, _user: string, text: string) => void asked.push(text) },
  } as Partial<PoolReads> as PoolReads;
  for (const text of ['', 'key', `${key}\u0000`, `${key}\n`, `x_${'a'.repeat(54)}`, key]) {
    await findDevice(store, pool, 'ada', text);
  }
  assert.deepEqual(asked, [key]);
});

test('users see name and address of a device, administrators also owner and trust', () => {
  const device = createDeviceRecord(ports, pool, 'ada', registration);
  const own = toCognitoDevice(device, 'user', '000000000000');
  assert.deepEqual(own, {
    DeviceKey: key,
    DeviceAttributes: [
      { Name: 'device_status', Value: 'valid' },
      { Name: 'device_name', Value: 'Laptop' },
      { Name: 'last_ip_used', Value: '192.0.2.1' },
    ],
    DeviceCreateDate: 1_700_000_000.123,
    DeviceLastModifiedDate: 1_700_000_000.123,
    DeviceLastAuthenticatedDate: 1_700_000_000.123,
  });
  assert.deepEqual(toCognitoDevice(device, 'admin', '000000000000').DeviceAttributes, [
    ...own.DeviceAttributes,
    {
      Name: 'dev:device_arn',
      Value: `arn:aws:cognito-idp:us-east-1:000000000000:owner/ada.us-east-1_Test00001/device/${key}`,
    },
    { Name: 'dev:device_owner', Value: 'ada.us-east-1_Test00001' },
    { Name: 'dev:device_name', Value: 'Laptop' },
    { Name: 'dev:device_remembered_status', Value: 'not_remembered' },
  ]);
  const unnamed = toCognitoDevice({ ...device, name: null, lastIp: null }, 'user', '000000000000').DeviceAttributes;
  assert.deepEqual(unnamed, [{ Name: 'device_status', Value: 'valid' }]);
});

function again(): string {
  return createDeviceMetadata(ports, pool, 'ada').DeviceKey;
}
