import type {
  CheckedAuthorizationRequest,
  OAuthError,
  OAuthServer,
  PendingAuthorizationRequest,
} from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { createAuthorizationError } from './authorization-response.ts';
import type { OAuthRequest } from './oauth-endpoint.ts';

/** The step that a request for a level still needs: another sign-in at this provider, or a step-up on the page. */
interface MissingLevel {
  readonly provider: string | undefined;
  /** The names of the requested levels. */
  readonly acrValues: string;
}

interface SessionOfRequest {
  readonly checked: CheckedAuthorizationRequest | PendingAuthorizationRequest;
  readonly session: WebSession | undefined;
}

/**
 * Compares the browser session with the level that a request asks for.
 * @returns undefined if it is enough, or if no level was requested; `unreachable`: the user lacks the factors
 */
export async function checkLevel(
  { userPoolId: UserPoolId }: GatewayRuntime,
  server: OAuthServer,
  { checked, session }: SessionOfRequest,
  { call }: OAuthRequest,
): Promise<MissingLevel | 'unreachable' | undefined> {
  const { levels: Levels } = checked.Request;
  if (Levels === undefined || session === undefined) return undefined;
  const { accessToken: AccessToken } = session.caller;
  const found = await server.checkLevel({ UserPoolId, Levels, AccessToken }, call);
  if (found.IsReached) return undefined;
  const { identityProvider: provider } = session.content;
  const { AcrValues: acrValues } = found;
  if (provider !== undefined && !wasAsked(checked, session)) return { provider, acrValues };
  const isPageAllowed = checked.AdmitsLocalUsers && checked.Request.identityProvider === undefined;
  if (found.IsReachable && isPageAllowed) return { provider: undefined, acrValues };
  return found.IsAcceptable ? undefined : 'unreachable';
}

/** Whether the provider has already signed the user in for this request. Asking again would give the same result. */
function wasAsked(checked: SessionOfRequest['checked'], { record }: WebSession): boolean {
  return 'RequestedAt' in checked && Math.floor(record.createdAtMs / 1000) >= checked.RequestedAt;
}

/**
 * The refusal of a request whose user has no factor for its levels.
 * @see https://openid.net/specs/openid-connect-unmet-authentication-requirements-1_0.html
 */
export function createUnmetLevelError(checked: CheckedAuthorizationRequest): OAuthError {
  const message = 'The user has no factor for any of the requested levels.';
  return createAuthorizationError(checked, 'unmet_authentication_requirements', message);
}
