import {
  type CheckedAuthorizationRequest,
  createAuthorizationResponse,
  OAuthError,
  type OAuthErrorCode,
} from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { toPoolPath } from './oauth-browser.ts';
import type { OAuthRequest } from './oauth-endpoint.ts';

/** The pages of the service that a browser is sent to. */
export type PageName = 'login' | 'register' | 'forgot' | 'account';

/** The path where a browser continues an authorization request after the user has signed in. */
export const CONTINUE_PATH = '/oauth2/authorize/continue';

/** Returns the path that continues an authorization request at its pool. */
export function formatContinuePath(runtime: GatewayRuntime, handle: string): string {
  return toPoolPath(runtime, `${CONTINUE_PATH}?request=${handle}`);
}

/** Hints that the page may show; the page shows them as text. */
const HINTS = ['login_hint', 'lang', 'ui_locales', 'provider_error'] as const;

/** The maximum length of an email address. */
export const MAX_HINT_LENGTH = 256;

/** Returns the URL of a page that redirects the browser to `returnTo` when it is done. */
export function formatPageUrl(
  { settings }: GatewayRuntime,
  page: PageName,
  returnTo: string,
  query: OAuthRequest['query'],
  acrValues?: string,
): string {
  const parameters = new URLSearchParams({ return_to: returnTo });
  // A signed-in user must sign in again, because the earlier sign-in is too old for the request.
  if (page === 'login') parameters.set('prompt', 'login');
  // The page then asks the signed-in user only for the missing proofs.
  if (acrValues !== undefined) parameters.set('acr_values', acrValues);
  for (const hint of HINTS) {
    const [value] = query[hint] ?? [];
    if (value && value.length <= MAX_HINT_LENGTH) parameters.set(hint, value);
  }
  return `${settings.webPrefix}/${page}?${parameters}`;
}

/** A refusal that goes to the callback of a checked request. */
export function createAuthorizationError(
  { Request, Issuer }: CheckedAuthorizationRequest,
  error: OAuthErrorCode,
  message: string,
  cause?: unknown,
): OAuthError {
  const response = { error, error_description: message, iss: Issuer };
  const { Location: location, Form: form } = createAuthorizationResponse(Request, response);
  return new OAuthError(error, message, { location, form, ...(cause !== undefined && { cause }) });
}

/** Whether a request wants the user to sign in again, however recently that happened. */
export function mustLogIn({ Request: { prompts, maxAgeSeconds } }: CheckedAuthorizationRequest): boolean {
  return prompts.includes('login') || maxAgeSeconds !== null;
}

/** Whether a session began in a way that the client admits: at the pool itself, or at one of the client's providers. */
export function isSessionAdmitted(
  {
    AdmitsLocalUsers,
    IdentityProviders,
    Request,
  }: Pick<CheckedAuthorizationRequest, 'AdmitsLocalUsers' | 'IdentityProviders' | 'Request'>,
  { content: { identityProvider } }: WebSession,
): boolean {
  if (Request.identityProvider !== undefined) return identityProvider === Request.identityProvider;
  return identityProvider === undefined ? AdmitsLocalUsers : IdentityProviders.includes(identityProvider);
}

/** The provider that a user of a request signs in at without a choice. */
export function findOnlyProvider({
  AdmitsLocalUsers,
  IdentityProviders,
  Request,
}: CheckedAuthorizationRequest): string | undefined {
  if (Request.identityProvider !== undefined) return Request.identityProvider;
  return !AdmitsLocalUsers && IdentityProviders.length === 1 ? IdentityProviders[0] : undefined;
}
