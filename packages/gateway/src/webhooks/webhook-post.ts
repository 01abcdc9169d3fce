import type { AuditEvent } from '@poolgate/provider';
import { presentEvent } from '../events/present-event.ts';
import type { GatewayDeps, WebhookPost } from '../kernel/deps.ts';
import type { WebhookRecord } from '../records/index.ts';
import { decryptWebhookSecret } from './webhook-secret.ts';

/** An event as it is posted to a webhook; undefined where the webhook's secret was encrypted by a key that is gone. */
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
