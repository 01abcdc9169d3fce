import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { presentDevice } from './present-device.ts';

const schema = ROUTES.deviceShow.responses[200].schema.properties.device;
const told = {
  DeviceKey: 'us-east-1_0a',
  DeviceAttributes: [
    { Name: 'device_name', Value: 'As it came' },
    { Name: 'last_ip_used', Value: '203.0.113.7' },
  ],
  DeviceCreateDate: 1_778_112_580.5,
};

test('a device has all members, with null if the provider reports nothing', () => {
  const shown = presentDevice(told, { local: undefined, remembered: undefined });
  assert.deepEqual(checkSchema(schema, shown), []);
  assert.deepEqual(shown, {
    device_key: 'us-east-1_0a',
    device_name: 'As it came',
    remembered: null,
    device_attributes: { device_name: 'As it came', last_ip_used: '203.0.113.7' },
    last_ip: '203.0.113.7',
    created_at: '2026-05-07T00:09:40.500Z',
    last_modified_at: null,
    last_authenticated_at: null,
  });
});

test('the local name replaces the provider’s, and the provider’s status replaces the local one', () => {
  const local = { name: 'Mine', remembered: true };
  assert.equal(presentDevice(told, { local, remembered: undefined }).device_name, 'Mine');
  assert.equal(presentDevice(told, { local, remembered: undefined }).remembered, true);
  assert.equal(presentDevice(told, { local, remembered: false }).remembered, false);
  assert.equal(presentDevice(told, { local: { ...local, name: null }, remembered: true }).device_name, 'As it came');
});

test('a device without a key is an invalid response', () => {
  assert.throws(() => presentDevice({}, { local: undefined, remembered: undefined }), { code: 'provider_error' });
});
