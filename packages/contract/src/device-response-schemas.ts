import type { Schema } from './schema.ts';
import { nextCursor, nullableText, nullableTime, stringMap, text } from './schema-parts.ts';
import { createSuccessSchema, successFields } from './success-schema.ts';

/** A device in a response. */
export const device = {
  type: 'object',
  required: [
    'device_key',
    'device_name',
    'remembered',
    'device_attributes',
    'last_ip',
    'created_at',
    'last_modified_at',
    'last_authenticated_at',
  ],
  properties: {
    device_key: text,
    device_name: nullableText,
    remembered: {
      anyOf: [{ type: 'boolean' }, { type: 'null' }],
      description: 'Null if unknown.',
    },
    device_attributes: stringMap,
    last_ip: nullableText,
    created_at: nullableTime,
    last_modified_at: nullableTime,
    last_authenticated_at: nullableTime,
  },
} as const satisfies Schema;

/** A success response with a device. */
export const deviceAnswer = createSuccessSchema({ device });

/** A page of devices. */
export const deviceList = createSuccessSchema({
  devices: { type: 'array', items: device },
  next_cursor: nextCursor,
});

/** A newly registered device. */
export const registeredDevice = {
  type: 'object',
  required: ['status', 'message', 'data', 'device_confirmed', 'user_confirmation_necessary'],
  properties: {
    ...successFields,
    data: {
      type: 'object',
      required: ['UserConfirmationNecessary'],
      properties: {
        UserConfirmationNecessary: {
          type: 'boolean',
          description: 'True: ask the user whether to remember the device, then update it.',
        },
      },
    },
    device_confirmed: { type: 'boolean' },
    user_confirmation_necessary: { type: 'boolean' },
  },
} as const satisfies Schema;
