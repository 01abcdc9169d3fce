import type { Schema } from './schema.ts';
import { text, time } from './schema-parts.ts';

/** A message in the development outbox. */
export const outboxEntry = {
  type: 'object',
  required: ['id', 'to', 'channel', 'subject', 'text', 'at'],
  properties: {
    id: { type: 'string', description: 'The same at every try to send it.' },
    to: text,
    channel: { type: 'string', enum: ['email', 'sms'] },
    subject: text,
    text,
    html: { type: 'string', description: 'The other text of a mail.' },
    code: text,
    at: time,
  },
} as const satisfies Schema;

/** An error response (RFC 9457) with the additional members `code` and `errors`. */
export const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', description: 'The page that explains the code.' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { type: 'string', description: 'Names this one request: its X-Request-Id.' },
    code: { type: 'string', description: 'A stable code for programs.' },
    reason: {
      type: 'string',
      description:
        'Of 401 `unauthenticated`: `missing`, `invalid`, `expired`, `not_an_access_token`, `revoked`, or `no_admin_key`. Of 403 `csrf_failed` and 421 `misdirected_request`: `wrong_address`, or `cookies_missing`.',
    },
    opened_at: { type: 'string', description: 'With 403 `wrong_address`: the address at which the page was opened.' },
    base_url: { type: 'string', description: 'With `wrong_address`: the address of the service.' },
    available_challenges: {
      type: 'array',
      items: text,
      description:
        'Of 429 `too_many_requests` for a password: the other first factors that the pool offers. The list is the same for every username.',
    },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: text, code: text, message: text },
      },
    },
    registration: {
      type: 'object',
      required: ['required_attributes'],
      description:
        'Of a 422 that says what a confirmation lacks: what a client needs to prove the password of the registration, or to set a new one.',
      properties: {
        username: { type: 'string', description: 'The SRP identity of the registration.' },
        salt: { type: 'string', description: 'The salt of its password, hexadecimal.' },
        required_attributes: {
          type: 'array',
          items: text,
          description: 'Attributes that must be sent with a new password.',
        },
      },
    },
  },
} as const satisfies Schema;
