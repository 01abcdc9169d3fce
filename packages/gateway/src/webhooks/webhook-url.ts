import type { GatewaySettings } from '../kernel/deps.ts';
import { type GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';

/** Resolvers differ about these names (RFC 6761 §6.3); every one of them means this machine. */
const LOCAL_NAME = /(?:^|\.)localhost\.?$/;

/**
 * A URL that events may be posted to: https, or http where private webhooks are allowed, without user information and
 * fragment. Where it leads is checked when it is connected to, since names can change what they stand for.
 * @throws {GatewayError} validation_failed
 */
export function parseWebhookUrl(text: string, { privateWebhooks }: Pick<GatewaySettings, 'privateWebhooks'>): string {
  const url = URL.parse(text);
  if (url === null) throw invalidUrlError('format', 'is no URL');
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && privateWebhooks);
  if (!isAllowed) throw invalidUrlError('not_allowed', 'must begin with https://');
  if (LOCAL_NAME.test(url.hostname) && !privateWebhooks)
    throw invalidUrlError('not_allowed', 'must not lead to this machine');
  if (url.username !== '' || url.password !== '') throw invalidUrlError('not_allowed', 'must not name a user');
  if (url.hash !== '') throw invalidUrlError('not_allowed', 'must not have a fragment');
  return url.href;
}

function invalidUrlError(code: string, message: string): GatewayError {
  return invalidFieldError('url', code, message);
}
