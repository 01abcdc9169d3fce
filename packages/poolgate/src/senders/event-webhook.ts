import type { IsWebhookUrlRefused, PostLogoutToken, PostWebhook, WebhookOutcome } from '@poolgate/gateway';
import type { Clock, Timer } from '@poolgate/pool';
import { isPublicAddress } from './public-address.ts';
import {
  type AllowedTargets,
  type DnsLookup,
  isSuccess,
  type PostOutcome,
  postBody,
  postSigned,
  resolveAddresses,
} from './signed-post.ts';

/** The options of event webhooks. */
export interface EventWebhookOptions {
  readonly clock: Clock;
  /** True: private addresses and plain HTTP are allowed too. */
  readonly allowPrivate: boolean;
  /** Default: the system's lookup. */
  readonly lookup?: DnsLookup;
}

/** The status by which a receiver says that it no longer exists (Standard Webhooks). */
const GONE = 410;

const REFUSED_URL: WebhookOutcome = { ok: false, failure: 'webhook_url_refused', mayRetry: false };

/**
 * Posts events to the receivers that administrators configured. Administrators are trusted less than the operator: unless the operator
 * allows it, nothing connects to a non-public address, however it is written or resolved.
 */
export function createEventWebhook({ clock, allowPrivate, lookup }: EventWebhookOptions): PostWebhook {
  const targets: AllowedTargets = { allows: allowPrivate ? () => true : isPublicAddress, ...(lookup && { lookup }) };
  return async ({ url, secret, id, body }, signal) => {
    const receiver = parseReceiverUrl(url, allowPrivate);
    if (receiver === undefined) return REFUSED_URL;
    const at = new Date(clock.now());
    return toWebhookOutcome(await postSigned({ url: receiver, secret, id, body, at }, signal, targets));
  };
}

/** Posts logout tokens to the addresses of app clients, with the same restrictions as webhooks. */
export function createLogoutTokenSender({ allowPrivate, lookup }: Omit<EventWebhookOptions, 'clock'>): PostLogoutToken {
  const targets: AllowedTargets = { allows: allowPrivate ? () => true : isPublicAddress, ...(lookup && { lookup }) };
  return async ({ url, logoutToken }, signal) => {
    const receiver = parseReceiverUrl(url, allowPrivate);
    if (receiver === undefined) return REFUSED_URL;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ logout_token: logoutToken }).toString();
    return toWebhookOutcome(await postBody({ url: receiver, headers, body }, signal, targets));
  };
}

/** A slow name server does not stop an administrator from creating a webhook. */
const MAX_LOOKUP_MS = 3_000;

/** The options of a new webhook's check. */
export interface WebhookCheckOptions extends Omit<EventWebhookOptions, 'clock'> {
  readonly timer: Timer;
}

/** Creates the check whether {@link createEventWebhook} would refuse the current addresses of a URL. */
export function createWebhookCheck({ allowPrivate, lookup, timer }: WebhookCheckOptions): IsWebhookUrlRefused {
  if (allowPrivate) return async () => false;
  return async (url) => {
    const { promise: tooLate, resolve } = Promise.withResolvers<readonly string[]>();
    const stopWaiting = timer.after(MAX_LOOKUP_MS, () => resolve([]));
    const addresses = await Promise.race([resolveAddresses(new URL(url), lookup), tooLate]);
    stopWaiting();
    return !addresses.every(isPublicAddress);
  };
}

function parseReceiverUrl(text: string, allowPrivate: boolean): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isSpoken = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:');
  return isSpoken && url.username === '' && url.password === '' ? url : undefined;
}

const UNANSWERED = {
  unreachable: { ok: false, failure: 'webhook_unreachable', mayRetry: true },
  unanswered: { ok: false, failure: 'webhook_no_answer', mayRetry: true },
  forbidden: { ok: false, failure: 'webhook_address_refused', mayRetry: false },
} as const satisfies Record<Exclude<PostOutcome['kind'], 'answered'>, WebhookOutcome>;

function toWebhookOutcome(outcome: PostOutcome): WebhookOutcome {
  if (outcome.kind !== 'answered') return UNANSWERED[outcome.kind];
  const { status } = outcome;
  if (isSuccess(status)) return { ok: true };
  return { ok: false, failure: `webhook_${status}`, mayRetry: status !== GONE };
}
