import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderOperations } from '@poolgate/provider';
import type { LocalDeviceRecord } from '../records/index.ts';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { forgetUserDevice, listUserDevices, showUserDevice } from './user-device-handlers.ts';

const SUB = '01234567-89ab-7def-8123-456789abcdef';
const KEY = 'us-east-1_a';
const IDENTIFIERS = { UserPoolId: POOL.userPoolId, Username: 'canonical' };
const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const params = { username: 'typed@example.test', device_key: KEY };
const DEVICE = {
  DeviceKey: KEY,
  DeviceAttributes: [
    { Name: 'device_name', Value: 'Chrome' },
    { Name: 'dev:device_remembered_status', Value: 'remembered' },
  ],
};
const LOCAL = { deviceKey: KEY, name: 'Mine', remembered: false } as LocalDeviceRecord;

/** A gateway over a provider with one user and one device, its record of the device, and the calls to the provider. */
function createService(operations: Partial<ProviderOperations> = {}) {
  const asked: (readonly [name: string, input: object])[] = [];
  const records = new Map([[KEY, LOCAL]]);
  const answer = (name: string, output: object) => async (input: object) => {
    asked.push([name, input]);
    return output as never;
  };
  const provider = createTestProvider(() => [], {
    adminGetUser: async () => ({ Username: 'canonical', UserAttributes: [{ Name: 'sub', Value: SUB }] }),
    adminForgetDevice: answer('adminForgetDevice', {}),
    adminGetDevice: answer('adminGetDevice', { Device: DEVICE }),
    adminListDevices: answer('adminListDevices', { Devices: [DEVICE], PaginationToken: 'next' }),
    ...operations,
  });
  const guarded = createGuardRecords();
  const localDevices = {
    ...guarded.localDevices,
    async listByKeys(userPoolId: string, sub: string, keys: readonly string[]) {
      assert.deepEqual([userPoolId, sub], [POOL.userPoolId, SUB]);
      return keys.flatMap((key) => records.get(key) ?? []);
    },
    async delete(userPoolId: string, sub: string, key: string) {
      assert.deepEqual([userPoolId, sub], [POOL.userPoolId, SUB]);
      return records.delete(key);
    },
  };
  const runtime = createTestRuntime({ provider, records: { ...guarded, localDevices } });
  const request = (query: object = {}) => ({ params, call, query, body: {} }) as never;
  return {
    asked,
    records,
    list: async (query?: object) => (await listUserDevices(runtime, request(query))).body,
    show: async () => (await showUserDevice(runtime, request())).body,
    forget: async () => forgetUserDevice(runtime, request()),
  };
}

const refuse =
  (code: 'InvalidParameterException' | 'ResourceNotFoundException' | 'UserNotFoundException') => async () =>
    Promise.reject(new ProviderError(code, 'no'));

test("a device is shown with its user's name for it, and the provider's status", async () => {
  const { asked, show } = createService();
  const { device } = await show();
  assert.deepEqual([device.device_key, device.device_name, device.remembered], [KEY, 'Mine', true]);
  assert.deepEqual(asked, [['adminGetDevice', { ...IDENTIFIERS, DeviceKey: KEY }]]);
  const missing = createService({ adminGetDevice: refuse('ResourceNotFoundException') });
  await assert.rejects(missing.show(), { code: 'device_not_found' });
});

test('the devices of a user are listed page by page, ten by default', async () => {
  const { asked, list } = createService();
  const { devices, next_cursor } = await list();
  assert.deepEqual(
    devices.map(({ device_key, device_name, remembered }) => [device_key, device_name, remembered]),
    [[KEY, 'Mine', true]],
  );
  assert.equal(next_cursor, 'next');
  await list({ cursor: 'place', limit: '3' });
  assert.deepEqual(asked, [
    ['adminListDevices', { ...IDENTIFIERS, Limit: 10 }],
    ['adminListDevices', { ...IDENTIFIERS, Limit: 3, PaginationToken: 'place' }],
  ]);
  const last = await createService({ adminListDevices: async () => ({}) }).list();
  assert.deepEqual([last.devices, last.next_cursor], [[], null]);
  const refused = createService({ adminListDevices: refuse('InvalidParameterException') });
  await assert.rejects(refused.list({ cursor: 'none' }), { code: 'validation_failed' });
});

test('a device is removed at the provider first, then here; a refusal leaves both unchanged', async () => {
  const { asked, records, forget } = createService();
  await forget();
  assert.deepEqual([asked, records.size], [[['adminForgetDevice', { ...IDENTIFIERS, DeviceKey: KEY }]], 0]);
  for (const [operations, code] of [
    [{ adminForgetDevice: refuse('ResourceNotFoundException') }, 'device_not_found'],
    [{ adminGetUser: refuse('UserNotFoundException') }, 'user_not_found'],
  ] as const) {
    const refused = createService(operations);
    await assert.rejects(refused.forget(), { code });
    assert.equal(refused.records.size, 1);
  }
});

test('a device that could not be removed here is reported as a failure', async () => {
  const { asked, records, forget } = createService();
  const full = new Error('the disk is full');
  records.delete = () => {
    throw full;
  };
  await assert.rejects(forget(), (error) => error === full);
  assert.deepEqual([asked.length, records.size], [1, 1]);
});
