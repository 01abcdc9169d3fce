import type { Schema } from './schema.ts';
import { nullableText, nullableTime, text, time } from './schema-parts.ts';
import { createSuccessSchema } from './success-schema.ts';
import { createdUser } from './user-response-schemas.ts';

/** Of lists whose pages can have fewer entries than requested. */
const shortPageCursor = {
  ...nullableText,
  description: 'For the next page, or null on the last one. A page can have fewer entries than requested, or none.',
} as const satisfies Schema;

const { mfa: _factors, groups: _groups, ...listedMembers } = createdUser.properties.user.properties;

/** A user in a list. It lacks the members that the provider returns for a single user only. */
export const listedUser = {
  type: 'object',
  required: [
    'username',
    'sub',
    'email',
    'email_verified',
    'attributes',
    'is_webauthn_enabled',
    'password_reset_required',
  ],
  properties: listedMembers,
} as const satisfies Schema;

/** A page of users. */
export const userList = createSuccessSchema({
  users: { type: 'array', items: listedUser },
  next_cursor: shortPageCursor,
});

/** A group in a response. */
export const group = {
  type: 'object',
  required: ['group_name', 'description', 'precedence', 'created_at', 'updated_at'],
  properties: {
    group_name: text,
    description: nullableText,
    precedence: {
      anyOf: [{ type: 'integer' }, { type: 'null' }],
      description: 'Lower values take precedence. Null is last.',
    },
    created_at: nullableTime,
    updated_at: nullableTime,
  },
} as const satisfies Schema;

/** A success response with a group. */
export const groupAnswer = createSuccessSchema({ group });

/** A page of groups. */
export const groupList = createSuccessSchema({
  groups: { type: 'array', items: group },
  next_cursor: shortPageCursor,
});

/** An event of the audit log. */
export const event = {
  type: 'object',
  required: [
    'id',
    'timestamp',
    'type',
    'outcome',
    'user_pool_id',
    'client_id',
    'actor',
    'user',
    'request_id',
    'source_address',
    'details',
  ],
  properties: {
    id: { type: 'string', description: 'A UUID of version 7: later events have greater ones.' },
    timestamp: time,
    type: { type: 'string', description: 'One of the types that docs/reference/events.md lists.' },
    outcome: { type: 'string', enum: ['success', 'failure', 'intent'] },
    user_pool_id: text,
    client_id: nullableText,
    actor: {
      type: 'object',
      required: ['kind', 'id'],
      properties: {
        kind: { type: 'string', enum: ['user', 'admin', 'operator', 'anonymous', 'system'] },
        id: { ...nullableText, description: 'The sub of a user or the ID of an admin key, otherwise null.' },
      },
      description: 'Who did it.',
    },
    user: {
      anyOf: [
        { type: 'object', required: ['sub', 'username'], properties: { sub: text, username: text } },
        { type: 'null' },
      ],
      description: 'Whom it is about.',
    },
    request_id: { type: 'string', description: 'The X-Request-Id of the request that caused it.' },
    source_address: text,
    details: { type: 'object', additionalProperties: text, description: 'Code words that say more.' },
    count: {
      type: 'integer',
      description:
        'Number of failures for unknown names that this event summarizes. Request and address are those of the last failure. Missing in other events.',
    },
  },
} as const satisfies Schema;

/** A page of the audit log. */
export const eventList = createSuccessSchema({
  events: { type: 'array', items: event },
  next_cursor: shortPageCursor,
});

/** A webhook in a response. */
export const webhook = {
  type: 'object',
  required: ['id', 'url', 'events', 'description', 'created_at'],
  properties: {
    id: text,
    url: text,
    events: { type: 'array', items: text, description: 'The event types that it receives. Empty means all.' },
    description: text,
    created_at: time,
  },
} as const satisfies Schema;

/** Every webhook. */
export const webhookList = createSuccessSchema({ webhooks: { type: 'array', items: webhook } });

/** A newly created webhook. */
export const createdWebhook = createSuccessSchema({
  webhook,
  secret: { type: 'string', description: 'Signs deliveries (Standard Webhooks). Shown only once.' },
});

/** The outcome of a webhook's test event. */
export const testedWebhook = createSuccessSchema({
  delivered: { type: 'boolean', description: 'Whether the receiver took the event.' },
  event_id: { type: 'string', description: 'The `webhook-id` of the event.' },
  failure: { ...nullableText, description: 'Why the receiver did not take it, as a code word.' },
});

/** Events that could not be delivered to a webhook. */
export const deadDeliveries = createSuccessSchema({
  deliveries: {
    type: 'array',
    items: {
      type: 'object',
      required: ['event', 'tries', 'given_up_at', 'failure'],
      properties: {
        event,
        tries: { type: 'integer' },
        given_up_at: nullableTime,
        failure: { ...nullableText, description: 'Why the last try failed, as a code word.' },
      },
    },
  },
});
