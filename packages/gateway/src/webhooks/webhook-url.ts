import type { GatewaySettings } from '../kernel/deps.ts';
import { type GatewayError, invalidFieldError } from '../kernel/gateway-errors.ts';

/** Resolvers differ about these names (RFC 6761 §6.3). All of them mean this machine. */
const LOCAL_NAME = /(?:^|\.)localhost\.?$/;

/**
 * Parses a URL to which events may be posted: https, or http if private webhooks are allowed, without credentials and fragment. Its address
 * is checked when connecting, because names can resolve differently later.
 * @throws {GatewayError} validation_failed
 */
export function parseWebhookUrl(text: string, { privateWebhooks }: Pick<GatewaySettings, 'privateWebhooks'>): string {
  const url = URL.parse(text);
  if (url === null) throw invalidUrlError('format', 'must be a URL');
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && privateWebhooks);
  if (!isAllowed) throw invalidUrlError('not_allowed', 'must start with https://');
  if (LOCAL_NAME.test(url.hostname) && !privateWebhooks)
    throw invalidUrlError('not_allowed', 'must not point to this machine');
  if (url.username !== '' || url.password !== '') throw invalidUrlError('not_allowed', 'must not contain a username');
  if (url.hash !== '') throw invalidUrlError('not_allowed', 'must not have a fragment');
  return url.href;
}

function invalidUrlError(code: string, message: string): GatewayError {
  return invalidFieldError('url', code, message);
}
