import { createdWebhook, deadDeliveries, testedWebhook, webhookList } from './admin-response-schemas.ts';
import { eventType, webhookId } from './field-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const params = { type: 'object', required: ['id'], properties: { id: webhookId } } as const;
const webhookRouteDefaults = { mount: 'routes', guard: 'admin', scope: 'webhooks:write', limit: 'read' } as const;

/** Routes that manage webhooks. */
export const adminWebhookRoutes = defineRoutes({
  adminWebhookList: {
    ...webhookRouteDefaults,
    method: 'GET',
    path: '/admin/webhooks',
    aliases: [],
    summary: 'List the webhooks without their secrets',
    responses: { 200: { description: 'The webhooks, oldest first.', schema: webhookList } },
    errors: [],
  },
  adminWebhookCreate: {
    ...webhookRouteDefaults,
    method: 'POST',
    path: '/admin/webhooks',
    recentConsoleSignIn: true,
    aliases: [],
    idempotent: true,
    summary: 'Create a webhook that is signed as Standard Webhooks specify',
    body: {
      type: 'object',
      required: ['url'],
      // Rejects unknown members: a misspelled `events` would subscribe to everything.
      additionalProperties: false,
      properties: {
        url: {
          type: 'string',
          minLength: 9,
          maxLength: 2048,
          pattern: '^https?://[^/?#\\\\\\s][^\\s\\p{C}]*$',
          description:
            'https, without user information. http and private addresses only where the service allows private webhooks.',
        },
        events: {
          type: 'array',
          items: eventType,
          maxItems: 64,
          description: 'The event types to send. Default: all.',
        },
        description: { type: 'string', maxLength: 256, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$' },
      },
    },
    responses: { 201: { description: 'The webhook, and its secret this once.', schema: createdWebhook } },
    errors: [],
  },
  adminWebhookDelete: {
    ...webhookRouteDefaults,
    method: 'DELETE',
    path: '/admin/webhooks/{id}',
    recentConsoleSignIn: true,
    aliases: [{ method: 'DELETE', path: '/admin/webhooks' }],
    summary: 'Delete a webhook and its pending deliveries',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The webhook was deleted.', schema: success } },
    errors: ['webhook_not_found'],
  },
  adminWebhookTest: {
    ...webhookRouteDefaults,
    method: 'POST',
    path: '/admin/webhooks/{id}/test',
    aliases: [],
    summary: 'Send a webhook.tested event to a webhook now, whatever types it subscribes to',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'What the receiver answered. The event is not retried.', schema: testedWebhook } },
    errors: ['webhook_not_found'],
  },
  adminWebhookDead: {
    ...webhookRouteDefaults,
    method: 'GET',
    path: '/admin/webhooks/{id}/dead',
    aliases: [],
    summary: 'List the newest sixty deliveries that were given up',
    params,
    responses: { 200: { description: 'What was given up, newest first.', schema: deadDeliveries } },
    errors: ['webhook_not_found'],
  },
});
