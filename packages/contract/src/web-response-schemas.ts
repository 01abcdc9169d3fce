import { challenge } from './login-response-schemas.ts';
import type { Schema } from './schema.ts';
import { nullableText, nullableTime, stringMap, text, texts, time } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

const csrfToken = {
  type: 'string',
  description:
    'To be sent as X-CSRF-Token with every request that is no GET. Another one after each login, step-up and logout.',
} as const satisfies Schema;

/** The claims of the signed-in user, as of the last token refresh. */
export const sessionUser = {
  type: 'object',
  required: ['sub', 'username', 'email', 'email_verified', 'groups', 'attributes'],
  properties: {
    sub: text,
    username: text,
    email: nullableText,
    email_verified: {
      type: 'boolean',
      description: 'False: the user has not proven the address, which may belong to another person.',
    },
    phone_number: text,
    groups: texts,
    attributes: stringMap,
  },
} as const satisfies Schema;

/** The browser's session, or the information that it has none. */
export const webSession = {
  type: 'object',
  required: ['status', 'user', 'csrf_token', 'expires_at', 'authenticated_at', 'proofs', 'return_to'],
  properties: {
    status: { type: 'string', enum: ['success'] },
    user: { anyOf: [sessionUser, { type: 'null' }], description: 'Null if no one is signed in.' },
    csrf_token: csrfToken,
    expires_at: {
      ...nullableTime,
      description: 'When the session ends if nothing more is done with it. ISO 8601, UTC.',
    },
    authenticated_at: { ...nullableTime, description: 'When the user last proved who it is. ISO 8601, UTC.' },
    proofs: {
      type: 'array',
      items: { type: 'object', required: ['factor', 'at'], properties: { factor: text, at: time } },
      description: 'By which factors, by the names of their challenges, and when.',
    },
    return_to: {
      anyOf: [text, { type: 'null' }],
      description: 'The return_to of the query as an absolute URL, or null if it is not allowed.',
    },
  },
} as const satisfies Schema;

/** Where a browser signs in at another identity provider. */
export const providerLocation = {
  type: 'object',
  required: ['status', 'location'],
  properties: {
    status: { type: 'string', enum: ['success'] },
    location: { type: 'string', description: 'The address of the provider, for this browser and once.' },
  },
} as const satisfies Schema;

/** The step that a browser began last. */
export const webUnfinished = {
  type: 'object',
  required: ['status', 'flow', 'username', 'started_at', 'expires_at', 'challenge', 'is_first', 'codes_sent'],
  properties: {
    status: { type: 'string', enum: ['success'] },
    flow: {
      anyOf: [{ type: 'string', enum: ['login', 'sign_up', 'reset'] }, { type: 'null' }],
      description: 'Null if there is nothing to finish.',
    },
    username: { ...nullableText, description: 'As it was typed.' },
    started_at: { ...nullableTime, description: 'When the step began, or its code was sent. ISO 8601, UTC.' },
    expires_at: nullableTime,
    challenge: { anyOf: [challenge, { type: 'null' }], description: 'The challenge of a login, to be answered.' },
    is_first: { type: 'boolean', description: 'The login began with this challenge.' },
    codes_sent: {
      type: 'integer',
      description: 'How many codes were sent to this browser for it within the last hour. A browser gets at most five.',
    },
  },
} as const satisfies Schema;

/** A login whose tokens are stored in the browser session. */
export const webSignedIn = {
  type: 'object',
  required: ['status', 'user', 'csrf_token', 'expires_at'],
  properties: {
    status: { type: 'string', enum: ['success'] },
    user: sessionUser,
    csrf_token: csrfToken,
    expires_at: time,
    new_device_metadata: {
      type: 'object',
      required: ['device_key', 'device_group_key'],
      properties: { device_key: text, device_group_key: text },
    },
  },
} as const satisfies Schema;

/** The response to any login step that opens a browser session. */
export const webLoginOutcome = { anyOf: [webSignedIn, challenge] } as const satisfies Schema;

/** A code was accepted. */
export const codeAccepted = createSuccessSchema(
  {},
  {
    login: {
      ...webLoginOutcome,
      description:
        'Browser sessions only, with sign_in: the session that is now open, or the next challenge. Absent if the person signs in next.',
    },
  },
);
