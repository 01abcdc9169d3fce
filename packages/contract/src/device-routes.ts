import { deviceAnswer, deviceList, registeredDevice } from './device-response-schemas.ts';
import { cursor, deviceKey, deviceName, pageLimit } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const params = { type: 'object', required: ['device_key'], properties: { device_key: deviceKey } } as const;

/** Routes for the devices of the access token's user. */
export const deviceRoutes = defineRoutes({
  deviceCreate: {
    method: 'POST',
    path: '/device',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'Register the device of this login',
    body: {
      type: 'object',
      required: ['device_key', 'device_config'],
      properties: {
        device_key: deviceKey,
        device_name: deviceName,
        device_config: {
          type: 'string',
          minLength: 2,
          maxLength: 4096,
          description: 'JSON text: {"DeviceSecretVerifierConfig":{"Salt":"…","PasswordVerifier":"…"}}, both base64.',
        },
      },
    },
    responses: { 200: { description: 'The device is registered.', schema: registeredDevice } },
    errors: ['device_exists', 'invalid_parameter', 'feature_disabled'],
  },
  deviceList: {
    method: 'GET',
    path: '/device',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "List the caller's devices, ten per page by default",
    query: { type: 'object', properties: { limit: pageLimit, cursor } },
    responses: { 200: { description: 'A page of devices.', schema: deviceList } },
    errors: ['feature_disabled'],
  },
  deviceShow: {
    method: 'GET',
    path: '/device/{device_key}',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "Get one of the caller's devices",
    params,
    responses: { 200: { description: 'The device.', schema: deviceAnswer } },
    errors: ['device_not_found', 'feature_disabled'],
  },
  deviceUpdate: {
    method: 'PUT',
    path: '/device/{device_key}',
    aliases: [{ method: 'PUT', path: '/device' }],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'Trust a device, or stop trusting it',
    params,
    body: {
      type: 'object',
      required: ['remembered_status'],
      properties: { remembered_status: { type: 'boolean' } },
    },
    responses: { 200: { description: 'Done.', schema: success } },
    errors: ['device_not_found', 'invalid_parameter', 'feature_disabled'],
  },
  deviceRename: {
    method: 'PATCH',
    path: '/device/{device_key}',
    aliases: [{ method: 'PATCH', path: '/device' }],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'Rename a device',
    params,
    body: { type: 'object', required: ['device_name'], properties: { device_name: deviceName } },
    responses: { 200: { description: 'The device with its new name.', schema: deviceAnswer } },
    errors: ['device_not_found', 'feature_disabled'],
  },
  deviceForget: {
    method: 'DELETE',
    path: '/device/{device_key}',
    aliases: [{ method: 'DELETE', path: '/device' }],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: 'Remove a device. The client then deletes what it stored for it',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The device is removed.', schema: success } },
    errors: ['device_not_found', 'feature_disabled'],
  },
});
