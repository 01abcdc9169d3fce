import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderExtensions, type ProviderOperations } from '@poolgate/provider';
import { bigIntEngine, makeDeviceVerifier, secureRandom } from '@poolgate/srp';
import type { LocalDeviceRecord } from '../records/index.ts';
import { createGuardRecords, createTestProvider, createTestRuntime, POOL, START_MS } from '../testing/gateway-deps.ts';
import { createDevice } from './create-device.ts';
import { forgetDevice } from './forget-device.ts';
import { listDevices } from './list-devices.ts';
import { renameDevice } from './rename-device.ts';
import { showDevice } from './show-device.ts';
import { updateDevice } from './update-device.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const caller = { kind: 'user', sub: 'sub-of-ada', username: 'ada', accessToken: 'a.b.c' };
const KEY = 'us-east-1_a';
const params = { device_key: KEY };
const AccessToken = caller.accessToken;
const DEVICE = { DeviceKey: KEY, DeviceAttributes: [{ Name: 'device_name', Value: 'Chrome' }] };

/** A gateway over a provider with one device, its records of devices, and the calls to the provider. */
function createService(operations: Partial<ProviderOperations> = {}, extensions: Partial<ProviderExtensions> = {}) {
  const asked: (readonly [name: string, input: object])[] = [];
  const records = new Map<string, LocalDeviceRecord>();
  const answer = (name: string, output: object) => async (input: object) => {
    asked.push([name, input]);
    return output as never;
  };
  const provider = {
    ...createTestProvider(() => [], {
      confirmDevice: answer('confirmDevice', {}),
      forgetDevice: answer('forgetDevice', {}),
      getDevice: answer('getDevice', { Device: DEVICE }),
      adminGetDevice: answer('adminGetDevice', { Device: DEVICE }),
      adminListDevices: answer('adminListDevices', { Devices: [] }),
      listDevices: answer('listDevices', { Devices: [DEVICE], PaginationToken: 'next' }),
      updateDeviceStatus: answer('updateDeviceStatus', {}),
      ...operations,
    }),
    extensions,
  };
  const localDevices = {
    put: async (record: LocalDeviceRecord) => void records.set(record.deviceKey, record),
    listByKeys: async (userPoolId: string, sub: string, keys: readonly string[]) => {
      assert.deepEqual([userPoolId, sub], [POOL.userPoolId, caller.sub]);
      return keys.flatMap((key) => records.get(key) ?? []);
    },
    delete: async (userPoolId: string, sub: string, key: string) => {
      assert.deepEqual([userPoolId, sub], [POOL.userPoolId, caller.sub]);
      return records.delete(key);
    },
  };
  const runtime = createTestRuntime({ provider, records: { ...createGuardRecords(), localDevices } });
  const request = (more: object) => ({ params, caller, call, query: {}, ...more }) as never;
  return { runtime, records, asked, request };
}

const known = (more: Partial<LocalDeviceRecord> = {}): LocalDeviceRecord => ({
  userPoolId: POOL.userPoolId,
  sub: caller.sub,
  deviceKey: KEY,
  name: null,
  remembered: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  ...more,
});

const device = { deviceGroupKey: '-aaaaaaaa', deviceKey: KEY };
const { config } = makeDeviceVerifier({ engine: bigIntEngine, device, random: secureRandom });
const device_config = JSON.stringify({ DeviceSecretVerifierConfig: config });

test('a device is registered with its verifier and name, and remembered unless the user must agree', async () => {
  for (const UserConfirmationNecessary of [undefined, false, true]) {
    const inputs: object[] = [];
    const { runtime, records, request } = createService({
      confirmDevice: async (input) => {
        inputs.push(input);
        return UserConfirmationNecessary === undefined ? {} : { UserConfirmationNecessary };
      },
    });
    const { body } = await createDevice(runtime, request({ body: { ...params, device_config, device_name: 'Mine' } }));
    assert.equal(body.user_confirmation_necessary, UserConfirmationNecessary === true);
    assert.deepEqual(inputs, [{ AccessToken, DeviceKey: KEY, DeviceSecretVerifierConfig: config, DeviceName: 'Mine' }]);
    const times = { createdAtMs: START_MS, updatedAtMs: START_MS };
    assert.deepEqual(
      records.get(KEY),
      known({ name: 'Mine', remembered: UserConfirmationNecessary !== true, ...times }),
    );
  }
});

test('a key that no login received is a wrong parameter, and nothing is recorded', async () => {
  const refuse = async () => Promise.reject(new ProviderError('ResourceNotFoundException', 'no'));
  const { runtime, records, request } = createService({ confirmDevice: refuse });
  const body = { ...params, device_config };
  await assert.rejects(async () => createDevice(runtime, request({ body })), { code: 'invalid_parameter' });
  assert.equal(records.size, 0);
});

test('a device is forgotten by the provider first, then here; an unknown one stays', async () => {
  const { runtime, records, asked, request } = createService();
  records.set(KEY, known());
  await forgetDevice(runtime, request({}));
  assert.deepEqual([asked, records.size], [[['forgetDevice', { AccessToken, DeviceKey: KEY }]], 0]);
  const refuse = async () => Promise.reject(new ProviderError('ResourceNotFoundException', 'no'));
  const missing = createService({ forgetDevice: refuse });
  missing.records.set(KEY, known());
  await assert.rejects(async () => forgetDevice(missing.runtime, missing.request({})), { code: 'device_not_found' });
  assert.equal(missing.records.size, 1);
});

test('remembering a device is sent to the provider and recorded; its name stays', async () => {
  for (const [remembered_status, DeviceRememberedStatus] of [
    [true, 'remembered'],
    [false, 'not_remembered'],
  ] as const) {
    const { runtime, records, asked, request } = createService();
    records.set(KEY, known({ name: 'Mine' }));
    assert.equal((await updateDevice(runtime, request({ body: { remembered_status } }))).status, 200);
    assert.deepEqual(asked, [['updateDeviceStatus', { AccessToken, DeviceKey: KEY, DeviceRememberedStatus }]]);
    assert.deepEqual(records.get(KEY), known({ name: 'Mine', remembered: remembered_status, updatedAtMs: START_MS }));
  }
});

test('a caller can rename only their own device, and the new name replaces the original one', async () => {
  const { runtime, records, request } = createService();
  assert.equal((await showDevice(runtime, request({}))).body.device.device_name, 'Chrome');
  const { body } = await renameDevice(runtime, request({ body: { device_name: 'Mine' } }));
  assert.equal(body.device.device_name, 'Mine');
  assert.equal(records.get(KEY)?.name, 'Mine');
  assert.equal((await showDevice(runtime, request({}))).body.device.device_name, 'Mine');
  const refuse = async () => Promise.reject(new ProviderError('ResourceNotFoundException', 'no'));
  const missing = createService({ getDevice: refuse });
  const rename = async () => renameDevice(missing.runtime, missing.request({ body: { device_name: 'Mine' } }));
  await assert.rejects(rename, { code: 'device_not_found' });
  assert.equal(missing.records.size, 0);
});

test('devices are listed page by page, each with its local record', async () => {
  const { runtime, records, asked, request } = createService();
  records.set(KEY, known({ name: 'Mine', remembered: true }));
  const { body } = await listDevices(runtime, request({ query: { cursor: 'place', limit: '3' } }));
  assert.deepEqual(asked[0], ['listDevices', { AccessToken, Limit: 3, PaginationToken: 'place' }]);
  assert.deepEqual(
    body.devices.map(({ device_key, device_name, remembered }) => [device_key, device_name, remembered]),
    [[KEY, 'Mine', true]],
  );
  assert.equal(body.next_cursor, 'next');
  const told = createService(
    { listDevices: async () => assert.fail('the extension is asked') },
    { list_remembered_devices: async () => ({ Devices: [DEVICE], Remembered: { [KEY]: false } }) },
  );
  told.records.set(KEY, known({ remembered: true }));
  const last = await listDevices(told.runtime, told.request({}));
  assert.deepEqual([last.body.devices[0]?.remembered, last.body.next_cursor], [false, null]);
});

test('a cursor that the provider refuses is a wrong cursor, and a device without a key is a fault of the provider', async () => {
  const refuse = async () => Promise.reject(new ProviderError('InvalidParameterException', 'no'));
  const refused = createService({ listDevices: refuse });
  await assert.rejects(async () => listDevices(refused.runtime, refused.request({})), { code: 'validation_failed' });
  const nameless = createService({ listDevices: async () => ({ Devices: [{}] }) });
  await assert.rejects(async () => listDevices(nameless.runtime, nameless.request({})), { code: 'provider_error' });
});
