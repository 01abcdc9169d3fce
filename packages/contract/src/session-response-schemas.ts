import { nextCursor, nullableText, nullableTime, text, time } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';

/** A page of sessions. */
export const sessionList = createSuccessSchema({
  sessions: {
    type: 'array',
    items: {
      type: 'object',
      required: [
        'id',
        'session_id',
        'client_id',
        'current',
        'started_at',
        'refreshed_at',
        'expires_at',
        'device_key',
        'source_address',
        'kind',
        'browser',
        'system',
        'place',
      ],
      properties: {
        id: text,
        session_id: {
          type: 'string',
          description: 'Its ID in `ListUserSessions`, 28 characters. It can also be used to end the session.',
        },
        client_id: text,
        current: { type: 'boolean', description: 'Whether the access token of this request belongs to it.' },
        started_at: time,
        refreshed_at: { ...nullableTime, description: 'ISO 8601, UTC. Null before the first refresh.' },
        expires_at: { ...nullableTime, description: 'ISO 8601, UTC. Null if unknown.' },
        device_key: nullableText,
        source_address: { ...nullableText, description: 'The address from which it was started, or null if unknown.' },
        kind: {
          type: 'string',
          enum: ['session', 'application'],
          description: '`application`: an application that is signed in through OAuth.',
        },
        browser: { ...nullableText, description: 'The name of the browser, or null if unknown.' },
        system: { ...nullableText, description: 'The name of the operating system, or null if unknown.' },
        place: {
          anyOf: [
            {
              type: 'object',
              required: ['city', 'country'],
              properties: { city: nullableText, country: { type: 'string', description: 'ISO 3166-1 alpha-2.' } },
            },
            { type: 'null' },
          ],
          description: 'Where the address probably is, or null if unknown.',
        },
      },
    },
  },
  next_cursor: nextCursor,
});
