import { OAuthError } from '@poolgate/provider';
import { constantTimeEqual, utf8 } from '@poolgate/srp';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { requireSameOrigin } from '../web/csrf.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { type OAuthRequest, readFormValue } from './oauth-endpoint.ts';

/**
 * What the user chose on the page of the request: sent by that page, and by nothing that another site made.
 * @throws {GatewayError} csrf_failed
 */
export function readConfirmedChoice(
  runtime: GatewayRuntime,
  session: WebSession | undefined,
  request: OAuthRequest,
): string | undefined {
  requireSameOrigin(runtime.settings.baseUrl, request.headers);
  const sent = readFormValue(request, 'csrf_token') ?? '';
  const expected = session?.content.csrfToken ?? '';
  if (expected === '' || !constantTimeEqual(utf8(sent), utf8(expected))) {
    throw new OAuthError('invalid_request', 'The page is out of date. Go back to the application.');
  }
  return readFormValue(request, 'choice');
}
