import type { GatewayDeps } from '../kernel/deps.ts';
import type { DeliveryRecord, WebhookRecord } from '../records/index.ts';
import type { DeliveryQueue } from './delivery-dispatcher.ts';
import { createWebhookPost } from './webhook-post.ts';

/** A delivery with its webhook; undefined if the webhook was deleted. */
interface WebhookDelivery extends DeliveryRecord {
  readonly webhook: WebhookRecord | undefined;
}

/** The queue of events for their webhooks. An event has the same id at every attempt. `postWebhook` signs the posts. */
export function createWebhookQueue(
  parts: Pick<GatewayDeps, 'records' | 'keyRing' | 'postWebhook'>,
): DeliveryQueue<WebhookDelivery> {
  const { records, postWebhook } = parts;
  const { deliveries, webhooks } = records;
  return {
    async lease(nowMs, leasedUntilMs, limit) {
      const due = await deliveries.lease(nowMs, leasedUntilMs, limit);
      if (due.length === 0) return [];
      const byId = new Map((await webhooks.list()).map((webhook) => [webhook.id, webhook]));
      return due.map((delivery) => ({ ...delivery, webhook: byId.get(delivery.webhookId) }));
    },
    async post({ webhook, event }, signal) {
      if (webhook === undefined) return { ok: true };
      const post = createWebhookPost(parts, webhook, event);
      return post === undefined
        ? { ok: false, failure: 'secret_unreadable', mayRetry: false }
        : postWebhook(post, signal);
    },
    finish: ({ webhookId, event }) => deliveries.finish(webhookId, event.id),
    postpone: ({ webhookId, event }, nextTryAtMs, failure) =>
      deliveries.postpone(webhookId, event.id, nextTryAtMs, failure),
    giveUp: ({ webhookId, event }, nowMs, failure) => deliveries.deadLetter(webhookId, event.id, nowMs, failure),
  };
}
