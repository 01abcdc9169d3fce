import { device } from './device-response-schemas.ts';
import { connectedIdentity } from './identity-response-schemas.ts';
import { passkey } from './passkey-response-schemas.ts';
import type { Schema } from './schema.ts';
import { nextCursor, nullableText, text, texts, time } from './schema-parts.ts';
import { sessionList } from './session-response-schemas.ts';
import { createSuccessSchema } from './success-schema.ts';
import { user } from './user-response-schemas.ts';

/** An event of the audit log as its user sees it. */
const userEvent = {
  type: 'object',
  required: ['id', 'timestamp', 'type', 'outcome', 'by', 'client_id', 'source_address', 'factor'],
  properties: {
    id: { type: 'string', description: 'A UUID of version 7: later events have greater ones.' },
    timestamp: time,
    type: { type: 'string', description: 'One of the types that docs/reference/events.md lists.' },
    outcome: { type: 'string', enum: ['success', 'failure'] },
    by: {
      type: 'string',
      enum: ['you', 'administrator', 'service', 'unknown'],
      description: 'Who caused it. `unknown`: a request that proved nothing, such as a failed sign-in.',
    },
    client_id: nullableText,
    source_address: { ...nullableText, description: 'Null if the user did not cause it.' },
    factor: { ...nullableText, description: 'The factor or challenge, if the event is about one.' },
  },
} as const satisfies Schema;

/** A page of the user's own events. */
export const userEventList = createSuccessSchema({
  events: { type: 'array', items: userEvent },
  next_cursor: nextCursor,
});

/** An application that can act for the user. */
const application = {
  type: 'object',
  required: ['client_id', 'name', 'scopes', 'grants', 'connected_at', 'last_used_at'],
  properties: {
    client_id: text,
    name: text,
    scopes: texts,
    grants: { type: 'integer', description: 'The number of its active logins.' },
    connected_at: { ...time, description: 'When the oldest of them started. ISO 8601, UTC.' },
    last_used_at: { ...time, description: 'When one was last started or refreshed. ISO 8601, UTC.' },
  },
} as const satisfies Schema;

/** The applications with active grants of the user. */
export const applicationList = createSuccessSchema({ applications: { type: 'array', items: application } });

/** An application whose grants have ended. */
export const applicationEnd = createSuccessSchema({
  ended: { type: 'integer', description: 'The number of logins that have ended.' },
});

/** A deletion that the user can still prevent. */
export const scheduledDeletion = createSuccessSchema({ deletion_at: time });

/** Everything that the service stores about a user, in the form of the other routes. A list is empty if the service does not offer it. */
export const accountExport = createSuccessSchema({
  exported_at: time,
  user,
  factors: { type: 'array', items: text, description: 'The factors that are set up.' },
  recovery_codes_left: {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'Null if the provider has no recovery codes.',
  },
  identities: { type: 'array', items: connectedIdentity, description: 'The connected accounts.' },
  passkeys: { type: 'array', items: passkey },
  devices: { type: 'array', items: device },
  sessions: { type: 'array', items: sessionList.properties.sessions.items },
  applications: { type: 'array', items: application },
  events: { type: 'array', items: userEvent, description: 'The newest 3,000, newest first.' },
  events_truncated: {
    type: 'boolean',
    description: 'True if there are older events. `GET /user/events` returns them page by page.',
  },
});
