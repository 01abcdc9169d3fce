import type { AuditEvent } from '@poolgate/provider';
import { presentEvent } from '../events/present-event.ts';
import type { GatewayDeps, WebhookPost } from '../kernel/deps.ts';
import type { WebhookRecord } from '../records/index.ts';
import { decryptWebhookSecret } from './webhook-secret.ts';

/** Creates the post of an event to a webhook; undefined if the key of the webhook's secret no longer exists. */
export function createWebhookPost(
  deps: Pick<GatewayDeps, 'keyRing'>,
  webhook: WebhookRecord,
  event: AuditEvent,
): WebhookPost | undefined {
  const secret = decryptWebhookSecret(deps, webhook);
  if (secret === undefined) return undefined;
  const shown = presentEvent(event);
  const body = JSON.stringify({ type: shown.type, timestamp: shown.timestamp, data: shown });
  return { url: webhook.url, secret, id: event.id, body };
}
