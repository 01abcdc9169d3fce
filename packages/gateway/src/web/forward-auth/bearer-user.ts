import { type CallContext, type IdentifiedUser, OAuthError } from '@poolgate/provider';
import { readBearerToken } from '../../guards/authenticate-user.ts';
import { GatewayError, unauthenticatedError } from '../../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../../runtime/runtime.ts';
import type { Browser } from '../browser.ts';
import { toUserHeaders } from './user-headers.ts';

/**
 * Returns the access token of a request to an application, if a setting allows tokens. The browser session is then ignored. Only a trusted
 * proxy can ask for applications.
 */
export function findForwardedToken({ settings }: GatewayRuntime, browser: Browser): string | undefined {
  if (settings.forwardAuthClient === undefined || !browser.isFromProxy) return undefined;
  return readBearerToken(browser.headers.authorization);
}

/**
 * Returns the user of an application's access token.
 * @throws {GatewayError} unauthenticated
 */
export async function identifyBearerUser(
  { provider, settings, userPoolId: UserPoolId }: GatewayRuntime,
  AccessToken: string,
  call: CallContext,
): Promise<IdentifiedUser> {
  const { forwardAuthClient: ClientId } = settings;
  const { oauth } = provider.extensions;
  if (ClientId === undefined || oauth === undefined) throw invalidTokenError();
  try {
    return await oauth.identifyUser({ UserPoolId, ClientId, AccessToken }, call);
  } catch (error) {
    throw error instanceof OAuthError ? invalidTokenError(error) : error;
  }
}

/** 401 with empty user headers, so that a proxy overwrites what the client sent. */
function invalidTokenError(cause?: OAuthError): GatewayError {
  const { headers, message } = unauthenticatedError('invalid');
  return new GatewayError('unauthenticated', message, { headers: { ...headers, ...toUserHeaders(undefined) }, cause });
}
