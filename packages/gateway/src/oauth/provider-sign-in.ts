import { type FederatedReturn, type Federation, OAuthError, type OAuthServer } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { formatSetCookie, toCookieName } from '../web/cookies.ts';
import { toPoolPath } from './oauth-browser.ts';
import { type OAuthRequest, requireOAuthServer } from './oauth-endpoint.ts';

/** Carries the encrypted state of a sign-in at a provider. */
export const STATE_COOKIE = '__Host-poolgate-provider';
export const STATE_SECONDS = 300;

/** Where providers send browsers back to: the address that is registered there. */
export const PROVIDER_RESPONSE_PATH = '/oauth2/idpresponse';

/** The whole address. */
export function formatRedirectUri(runtime: GatewayRuntime): string {
  return `${runtime.settings.baseUrl}${toPoolPath(runtime, PROVIDER_RESPONSE_PATH)}`;
}

/** @throws {GatewayError} not_found */
export async function requireFederation(
  runtime: GatewayRuntime,
  call: OAuthRequest['call'],
): Promise<{ readonly server: OAuthServer; readonly federation: Federation }> {
  const server = await requireOAuthServer(runtime, call);
  const { federation } = runtime.provider.extensions;
  if (federation === undefined) throw new GatewayError('not_found', 'The provider has no federation.');
  return { server, federation };
}

/** A sign-in at a provider that is about to begin. */
export interface ProviderSignIn {
  readonly providerName: string;
  readonly return: FederatedReturn;
  readonly mustLogIn: boolean;
  readonly loginHint: string | undefined;
  /** The requested authentication levels. */
  readonly levels?: readonly number[] | undefined;
}

/** Begins it. @returns the address of the provider, and the cookie that the browser needs when it comes back */
export async function startProviderSignIn(
  runtime: GatewayRuntime,
  { providerName: ProviderName, return: Return, mustLogIn: MustLogIn, loginHint, levels }: ProviderSignIn,
  call: OAuthRequest['call'],
): Promise<{ readonly location: string; readonly cookie: string }> {
  const { federation } = await requireFederation(runtime, call);
  const RedirectUri = formatRedirectUri(runtime);
  const asked = { UserPoolId: runtime.userPoolId, ProviderName, RedirectUri, Return, MustLogIn };
  const wishes = { ...(loginHint && { LoginHint: loginHint }), ...(levels && { Levels: levels }) };
  const { Location, Cookie } = await federation.start({ ...asked, ...wishes }, call);
  return { location: Location, cookie: Cookie };
}

export function formatStateRemovalCookie(runtime: GatewayRuntime): string {
  return formatSetCookie(toCookieName(STATE_COOKIE, runtime), '', 'Lax', 0);
}

/** The error for a browser that comes back too late, twice, or without the cookie of its sign-in. */
export function expiredSignInError(): OAuthError {
  return new OAuthError('invalid_request', 'The sign-in has expired or was finished. Go back to the application.');
}

const PAGE_CALL = { requestId: 'page', sourceAddress: '' };

/** Returns the path of the OAuth endpoints if the client of the service's pages offers providers. Costs no read for one that offers none. */
export async function findProvidersPath(runtime: GatewayRuntime): Promise<string | undefined> {
  const { userPoolId: UserPoolId, clientId: ClientId } = runtime;
  const { federation } = runtime.provider.extensions;
  if (federation === undefined || !runtime.settings.oauth) return undefined;
  const { Providers } = await federation.listProviders({ UserPoolId, ClientId }, PAGE_CALL);
  if (Providers.length === 0) return undefined;
  await requireOAuthServer(runtime, PAGE_CALL);
  return toPoolPath(runtime, '/oauth2');
}
