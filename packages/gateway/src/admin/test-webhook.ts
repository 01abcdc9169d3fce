import { createGatewayEvent } from '../events/record-gateway-event.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { createWebhookPost } from '../webhooks/webhook-post.ts';

/**
 * POST /admin/webhooks/{id}/test: the event is posted immediately and only once, because the administrator waits for the receiver's
 * response.
 */
export const testWebhook: Handler<'adminWebhookTest'> = async (deps, { params, call }) => {
  const webhook = (await deps.records.webhooks.list()).find(({ id }) => id === params.id);
  if (webhook === undefined) throw new GatewayError('webhook_not_found');
  const event = createGatewayEvent(deps, call, { type: 'webhook.tested', details: { webhook: webhook.id } });
  const post = createWebhookPost(deps, webhook, event);
  const outcome =
    post === undefined
      ? ({ ok: false, failure: 'secret_unreadable' } as const)
      : await deps.postWebhook(post, new AbortController().signal);
  const { events, deliveries } = deps.records;
  if (outcome.ok) await events.append(event);
  else {
    const { failure } = outcome;
    await events.tryAppend({ ...event, outcome: 'failure', details: { ...event.details, failure } });
  }
  // If the webhook subscribes to this type, recording the event has also queued it.
  await deliveries.finish(webhook.id, event.id);
  return {
    status: 200,
    body: {
      status: 'success',
      message: outcome.ok ? 'The webhook accepted the event.' : 'The webhook did not accept the event.',
      data: {},
      delivered: outcome.ok,
      event_id: event.id,
      failure: outcome.ok ? null : outcome.failure,
    },
  };
};
