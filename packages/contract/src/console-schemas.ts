import type { Schema } from './schema.ts';
import { text, time } from './schema-parts.ts';

const session = {
  type: 'object',
  required: ['admin_key_id', 'label', 'scopes', 'expires_at', 'ends_at'],
  properties: {
    admin_key_id: text,
    label: { ...text, description: 'The label of the admin key. Empty for a key without one.' },
    scopes: { type: 'array', items: text, description: 'What the session may do.' },
    expires_at: { ...time, description: 'When the session ends without further activity. ISO 8601, UTC.' },
    ends_at: { ...time, description: 'When the session ends despite any activity. ISO 8601, UTC.' },
  },
} as const satisfies Schema;

const csrfToken = {
  ...text,
  description: 'To be sent as X-CSRF-Token with every request that is no GET. It changes when the session does.',
} as const satisfies Schema;

const status = { type: 'string', enum: ['success'] } as const satisfies Schema;

/** The console session of a browser, or the information that it has none. */
export const consoleSession = {
  type: 'object',
  required: ['status', 'session', 'csrf_token'],
  properties: {
    status,
    session: { anyOf: [session, { type: 'null' }], description: 'Null if the browser has no console session.' },
    csrf_token: csrfToken,
  },
} as const satisfies Schema;

/** A new console session. */
export const openedConsoleSession = {
  type: 'object',
  required: ['status', 'session', 'csrf_token'],
  properties: { status, session, csrf_token: csrfToken },
} as const satisfies Schema;
