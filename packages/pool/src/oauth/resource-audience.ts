import { OAuthError } from '@poolgate/provider';
import { isSystemUriScheme } from '../settings/system-uri-schemes.ts';
import type { OAuthErrorFactory } from './oauth-parameters.ts';

/** The scheme precedes an authority, and there is no fragment (RFC 8707 §2). */
const RESOURCE = /^[a-z][a-z0-9+.-]*:\/\/[^\s#]+$/;

/** https, http on this machine, or an application's scheme. */
function isResource(text: string): boolean {
  if (!RESOURCE.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' ? hostname === 'localhost' : !isSystemUriScheme(protocol);
}

/** Returns the resource for which a token is issued. */
export function parseAudience(resource: string | undefined, refuse: OAuthErrorFactory): string | null {
  if (resource === undefined) return null;
  if (isResource(resource)) return resource;
  throw refuse('invalid_target', 'The resource must be an absolute URL without a fragment.');
}

/**
 * The resource of a token, where its grant and the request for it may each name one.
 * @throws {OAuthError} `invalid_target`: they differ
 */
export function narrowAudience(granted: string | null, requested: string | null): string | null {
  if (granted === null || requested === null || granted === requested) return granted ?? requested;
  throw new OAuthError('invalid_target', 'The grant is bound to another resource.');
}
