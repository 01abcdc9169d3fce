import type { Schema } from './schema.ts';
import { nullableTime, text, texts, time } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

const key = {
  type: 'object',
  required: ['key_id', 'label', 'scopes', 'created_at', 'expires_at', 'created_by', 'last_used_at', 'revoked_at'],
  properties: {
    key_id: text,
    label: text,
    scopes: texts,
    created_at: time,
    expires_at: time,
    created_by: {
      anyOf: [text, { type: 'null' }],
      description: 'The id of the key that created it, with which it ends. Null if the operator created it.',
    },
    last_used_at: { ...nullableTime, description: 'Accurate to a minute. Null if the key was never used.' },
    revoked_at: {
      ...nullableTime,
      description: 'Null unless the key, or one in the chain of its creators, was revoked. ISO 8601, UTC.',
    },
  },
} as const satisfies Schema;

/** The stored admin keys. */
export const adminKeyList = createSuccessSchema({ keys: { type: 'array', items: key } });

/** A newly created admin key. */
export const createdAdminKey = createSuccessSchema({
  key,
  admin_key: { type: 'string', description: 'The whole key, pg_<id>_<secret>. Shown only once.' },
});
