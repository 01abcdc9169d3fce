import { OAuthError } from '@poolgate/provider';
import { constantTimeEqual, utf8 } from '@poolgate/srp';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { requireSameOrigin } from '../web/csrf.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { type OAuthRequest, readFormValue } from './oauth-endpoint.ts';

/** Ensures that a page of this service sent the form. */
export function requireOwnPage(runtime: GatewayRuntime, session: WebSession | undefined, request: OAuthRequest): void {
  requireSameOrigin(runtime.settings.baseUrl, request.headers);
  const sent = readFormValue(request, 'csrf_token') ?? '';
  const expected = session?.content.csrfToken ?? '';
  if (expected === '' || !constantTimeEqual(utf8(sent), utf8(expected))) {
    throw new OAuthError('invalid_request', 'This page has expired. Go back to the application.');
  }
}

/**
 * Reads the button that the user pressed on our page.
 * @throws {GatewayError} `csrf_failed`: another site sent the form
 * @throws {OAuthError} `invalid_request`: the page belongs to another session
 */
export function readConfirmedChoice(
  runtime: GatewayRuntime,
  session: WebSession | undefined,
  request: OAuthRequest,
): string | undefined {
  requireOwnPage(runtime, session, request);
  return readFormValue(request, 'choice');
}
