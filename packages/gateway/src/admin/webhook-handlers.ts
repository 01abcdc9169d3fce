import type { ROUTES, Static } from '@poolgate/contract';
import { presentEvent } from '../events/present-event.ts';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';
import { formatIsoTimeFromMs } from '../kernel/times.ts';
import type { WebhookRecord } from '../records/index.ts';
import type { Handler } from '../runtime/handler.ts';
import { createWebhookSecret, encryptWebhookSecret } from '../webhooks/webhook-secret.ts';
import { parseWebhookUrl } from '../webhooks/webhook-url.ts';
import { parseEventType } from './list-audit-events.ts';

type WebhookBody = Static<(typeof ROUTES)['adminWebhookList']['responses'][200]['schema']>['webhooks'][number];

/** Each event is stored once more for each webhook until it is delivered. */
const MAX_WEBHOOKS = 20;
const MAX_DEAD_SHOWN = 60;

/** GET /admin/webhooks. */
export const listWebhooks: Handler<'adminWebhookList'> = async (deps) => {
  const webhooks = await deps.records.webhooks.list();
  return {
    status: 200,
    body: { status: 'success', message: 'The webhooks.', data: {}, webhooks: webhooks.map(presentWebhook) },
  };
};

/** POST /admin/webhooks: only this response contains the secret. */
export const createWebhook: Handler<'adminWebhookCreate'> = async (deps, { body, call }) => {
  const url = parseWebhookUrl(body.url, deps.settings);
  if (await deps.isWebhookUrlRefused(url)) {
    throw invalidFieldError(
      'url',
      'not_allowed',
      'must not point to a private address unless POOLGATE_WEBHOOK_PRIVATE is true',
    );
  }
  const events = [...new Set((body.events ?? []).map((word) => parseEventType(word, 'events')))];
  if ((await deps.records.webhooks.list()).length >= MAX_WEBHOOKS) {
    throw invalidFieldError('url', 'too_many', `exceeds the limit of ${MAX_WEBHOOKS} webhooks`);
  }
  const id = createWebhookId(deps);
  const secret = createWebhookSecret(deps);
  const webhook: WebhookRecord = {
    id,
    url,
    events,
    secretEncrypted: encryptWebhookSecret(deps, id, secret),
    description: body.description ?? '',
    createdAtMs: deps.clock.now(),
  };
  await deps.records.webhooks.insert(webhook);
  await recordGatewayEvent(deps, call, { type: 'webhook.created', details: { webhook: id } });
  return {
    status: 201,
    body: {
      status: 'success',
      message: 'The webhook was created.',
      data: {},
      webhook: presentWebhook(webhook),
      secret,
    },
  };
};

/** DELETE /admin/webhooks/{id}, and DELETE /admin/webhooks with the id in the body. */
export const deleteWebhook: Handler<'adminWebhookDelete'> = async (deps, { params, call }) => {
  if (!(await deps.records.webhooks.delete(params.id))) throw new GatewayError('webhook_not_found');
  await recordGatewayEvent(deps, call, { type: 'webhook.deleted', details: { webhook: params.id } });
  return { status: 200, body: { status: 'success', message: 'The webhook was deleted.', data: {} } };
};

/** GET /admin/webhooks/{id}/dead. */
export const listDeadDeliveries: Handler<'adminWebhookDead'> = async (deps, { params }) => {
  const webhooks = await deps.records.webhooks.list();
  if (!webhooks.some(({ id }) => id === params.id)) throw new GatewayError('webhook_not_found');
  const dead = await deps.records.deliveries.listDead(params.id, MAX_DEAD_SHOWN);
  const deliveries = dead.map(({ event, tries, deadAtMs, lastFailure }) => ({
    event: presentEvent(event),
    tries,
    given_up_at: deadAtMs === null ? null : formatIsoTimeFromMs(deadAtMs),
    failure: lastFailure,
  }));
  return { status: 200, body: { status: 'success', message: 'The undelivered events.', data: {}, deliveries } };
};

function presentWebhook({ id, url, events, description, createdAtMs }: WebhookRecord): WebhookBody {
  return { id, url, events, description, created_at: formatIsoTimeFromMs(createdAtMs) };
}

/** A UUID of version 4 (RFC 9562 §5.4). */
function createWebhookId({ random }: GatewayDeps): string {
  const bytes = random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
