import { createdWebhook, deadDeliveries, testedWebhook, webhookList } from './admin-response-schemas.ts';
import { eventType, webhookId } from './field-schemas.ts';
import { success } from './response-schemas.ts';
import { defineRoutes } from './route-definition.ts';

const params = { type: 'object', required: ['id'], properties: { id: webhookId } } as const;
const webhookRouteDefaults = { mount: 'routes', guard: 'admin', scope: 'webhooks:write', limit: 'read' } as const;

/** Routes that manage webhooks. */
export const adminWebhookRoutes = defineRoutes({
  adminWebhookList: {
    ...webhookRouteDefaults,
    method: 'GET',
    path: '/admin/webhooks',
    aliases: [],
    summary: 'Every webhook, without its secret',
    responses: { 200: { description: 'The webhooks, oldest first.', schema: webhookList } },
    errors: [],
  },
  adminWebhookCreate: {
    ...webhookRouteDefaults,
    method: 'POST',
    path: '/admin/webhooks',
    aliases: [],
    idempotent: true,
    summary: 'Have events posted to a URL, signed as Standard Webhooks says',
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
        events: { type: 'array', items: eventType, maxItems: 64, description: 'The types to post; left out: all.' },
        description: { type: 'string', maxLength: 256, pattern: '^[^\\p{Cc}]*$' },
      },
    },
    responses: { 201: { description: 'The webhook, and its secret this once.', schema: createdWebhook } },
    errors: [],
  },
  adminWebhookDelete: {
    ...webhookRouteDefaults,
    method: 'DELETE',
    path: '/admin/webhooks/{id}',
    aliases: [{ method: 'DELETE', path: '/admin/webhooks' }],
    summary: 'Delete a webhook, and what is on its way to it',
    params,
    body: { type: 'object', properties: {} },
    responses: { 200: { description: 'The webhook is deleted.', schema: success } },
    errors: ['webhook_not_found'],
  },
  adminWebhookTest: {
    ...webhookRouteDefaults,
    method: 'POST',
    path: '/admin/webhooks/{id}/test',
    aliases: [],
    summary: 'Post one event, webhook.tested, to a webhook at once, whichever types it listens to',
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
    summary: 'The newest sixty events that were given up on their way to a webhook',
    params,
    responses: { 200: { description: 'What was given up, newest first.', schema: deadDeliveries } },
    errors: ['webhook_not_found'],
  },
});
