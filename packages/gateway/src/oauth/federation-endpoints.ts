/**
 * Sign-in with other identity providers, for browsers. The state of a sign-in is in a cookie; its session is a browser session like any other.
 */
import {
  type FederatedLogin,
  type FederatedReturn,
  type Federation,
  OAuthError,
  type OAuthServer,
  type PendingAuthorizationRequest,
} from '@poolgate/provider';
import { presentTokens } from '../challenges/present-login-step.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { Browser } from '../web/browser.ts';
import { formatSetCookie, readCookie, toCookieName } from '../web/cookies.ts';
import { findStoredSession } from '../web/find-session.ts';
import { openSession, renewSession } from '../web/open-session.ts';
import { parseReturnTarget } from '../web/return-to.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { createAuthorizationError, formatContinuePath, formatPageUrl, mustLogIn } from './authorization-response.ts';
import { finishIdentityLink, requireStartingSession, returnToPage, toResultWord } from './identity-link.ts';
import { createRedirect, readBrowserId, toPoolPath } from './oauth-browser.ts';
import { createJsonResponse, type OAuthEndpoint, type OAuthRequest, type OAuthResponse } from './oauth-endpoint.ts';
import {
  consumeProviderResponse,
  type ProviderResponse,
  readProviderResponse,
  storeProviderResponse,
} from './provider-response.ts';
import {
  expiredSignInError,
  formatRedirectUri,
  formatStateRemovalCookie,
  PROVIDER_RESPONSE_PATH,
  type ProviderSignIn,
  requireFederation,
  STATE_COOKIE,
  STATE_SECONDS,
  startProviderSignIn,
} from './provider-sign-in.ts';

/** The address by which users choose a provider. */
export const PROVIDER_START_PATH = '/oauth2/authorize/provider';

/** The list of providers that a page shows. */
export const PROVIDER_LIST_PATH = '/oauth2/identity-providers';

/** Sends the browser to a provider. */
export async function redirectToProvider(
  runtime: GatewayRuntime,
  signIn: ProviderSignIn,
  { call }: OAuthRequest,
  cookies: readonly string[] = [],
): Promise<OAuthResponse> {
  const { location, cookie } = await startProviderSignIn(runtime, signIn, call);
  return createRedirect(location, {
    'set-cookie': [...cookies, formatSetCookie(toCookieName(STATE_COOKIE, runtime), cookie, 'Lax', STATE_SECONDS)],
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
}

/** The context of a page: a pending authorization request, or a direct visit to the service's own pages. */
interface PageContext {
  readonly clientId: string;
  readonly pending: PendingAuthorizationRequest | undefined;
  readonly handle: string | undefined;
  readonly returnTo: string;
}

const readQuery = ({ query }: OAuthRequest, name: string): string | undefined => query[name]?.[0];

async function readPageContext(
  runtime: GatewayRuntime,
  server: OAuthServer,
  request: OAuthRequest,
): Promise<PageContext> {
  const handle = readQuery(request, 'request');
  if (handle === undefined) {
    const account = `${runtime.settings.webPrefix}/account`;
    const target = parseReturnTarget(runtime.settings, readQuery(request, 'return_to'));
    return { clientId: runtime.clientId, pending: undefined, handle, returnTo: target ?? account };
  }
  const asked = { UserPoolId: runtime.userPoolId, Handle: handle, Browser: readBrowserId(request) ?? '' };
  const pending = await server.decryptAuthorizationRequest(asked, request.call);
  return { clientId: pending.ClientId, pending, handle, returnTo: formatContinuePath(runtime, handle) };
}

/** GET /oauth2/identity-providers: the providers that the sign-in page offers. */
export const providerListEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { server, federation } = await requireFederation(runtime, request.call);
  const { clientId: ClientId } = await readPageContext(runtime, server, request);
  const { Providers, AdmitsLocalUsers } = await federation.listProviders(
    { UserPoolId: runtime.userPoolId, ClientId },
    request.call,
  );
  const providers = Providers.map(({ Name: name, Type: type }) => ({ name, type }));
  return createJsonResponse(200, { providers, password: AdmitsLocalUsers }, { 'cache-control': 'no-store' });
};

/** GET /oauth2/authorize/provider: the provider that the user chose on the page. */
export const providerStartEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { server } = await requireFederation(runtime, request.call);
  const { clientId: ClientId, pending, handle, returnTo: ReturnTo } = await readPageContext(runtime, server, request);
  const Return = { ClientId, ReturnTo, IsNamedByClient: false, ...(handle !== undefined && { Handle: handle }) };
  const signIn = {
    providerName: readQuery(request, 'provider') ?? '',
    return: Return,
    mustLogIn: pending === undefined ? readQuery(request, 'prompt') === 'login' : mustLogIn(pending),
    loginHint: undefined,
    levels: pending?.Request.levels,
  };
  return redirectToProvider(runtime, signIn, request);
};

/** POST /oauth2/idpresponse: the response of a provider that posts a form, as Apple does. */
export const postedProviderResponseEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { federation } = await requireFederation(runtime, request.call);
  const response = readProviderResponse(request.form ?? {});
  const asked = { UserPoolId: runtime.userPoolId, State: response.state ?? '' };
  // Only responses to a sign-in that began here are stored.
  if (!(await federation.isIssuedState(asked, request.call))) throw expiredSignInError();
  const handle = await storeProviderResponse(runtime, response);
  return createRedirect(`${toPoolPath(runtime, PROVIDER_RESPONSE_PATH)}?handle=${handle}`, {}, 303);
};

/** GET /oauth2/idpresponse: the browser comes back from a provider. */
export const providerResponseEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { server, federation } = await requireFederation(runtime, request.call);
  const response = await readResponse(runtime, request);
  const { userPoolId: UserPoolId } = runtime;
  const Cookie = readCookie(request.headers.cookie, toCookieName(STATE_COOKIE, runtime)) ?? '';
  const asked = { UserPoolId, State: response.state ?? '', Cookie };
  const returning = await federation.readReturn(asked, request.call);
  if (returning === undefined) throw expiredSignInError();
  const { SignedInUser } = returning;
  const session = SignedInUser && (await requireStartingSession(runtime, request, SignedInUser));
  if (session !== undefined && SignedInUser?.Purpose === 'link') {
    const answer = { UserPoolId, Parameters: response, Cookie, RedirectUri: formatRedirectUri(runtime) };
    return finishIdentityLink(runtime, request, { answer, returning, session });
  }
  const login = await finishSignIn(federation, request, {
    ...{ UserPoolId, ClientId: runtime.clientId, Parameters: response, Cookie },
    RedirectUri: formatRedirectUri(runtime),
    UnknownAgeSeconds: runtime.settings.recentLoginSeconds + 1,
  });
  // Another callback of the same browser may still be finishing the sign-in, so the authorization request must stay.
  if (login === undefined) throw expiredSignInError();
  if (login instanceof OAuthError) return refuseSignIn(runtime, server, { request, returning, error: login });
  return openFederatedSession(runtime, request, login, { returnTo: returning.ReturnTo, session });
};

/** @returns the refusal of the sign-in if there is one */
async function finishSignIn(
  federation: Federation,
  { call }: OAuthRequest,
  answer: Parameters<Federation['finish']>[0],
): Promise<FederatedLogin | OAuthError | undefined> {
  try {
    return await federation.finish(answer, call);
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

async function readResponse(runtime: GatewayRuntime, request: OAuthRequest): Promise<ProviderResponse> {
  const handle = readQuery(request, 'handle');
  if (handle === undefined) return readProviderResponse(request.query);
  const stored = await consumeProviderResponse(runtime, handle);
  if (stored === undefined) throw expiredSignInError();
  return stored;
}

async function openFederatedSession(
  runtime: GatewayRuntime,
  { headers, call }: OAuthRequest,
  { Tokens, ProviderName, IsAuthTimeKnown }: FederatedLogin,
  { returnTo, session }: { readonly returnTo: string; readonly session: WebSession | undefined },
): Promise<OAuthResponse> {
  const browser = new Browser(runtime, headers, false);
  browser.storedSession = await findStoredSession(runtime, browser.sessionId);
  const proofs = [{ factor: 'FED', atMs: runtime.clock.now() }];
  const from = { identityProvider: ProviderName, hasUnknownAuthTime: !IsAuthTimeKnown };
  const login = { tokens: presentTokens(Tokens), proofs, staysSignedIn: false, ...from };
  if (session === undefined) await openSession(runtime, browser, login, call);
  else await renewSession(runtime, browser, session, login, call);
  return createRedirect(returnTo, {
    'set-cookie': [...browser.setCookies, formatStateRemovalCookie(runtime)],
    'cache-control': 'no-store',
  });
}

interface RefusedSignIn {
  readonly request: OAuthRequest;
  readonly returning: FederatedReturn;
  readonly error: OAuthError;
}

/** A user who changed their mind chooses again on the sign-in page. Everything else the application learns, if one asked. */
async function refuseSignIn(
  runtime: GatewayRuntime,
  server: OAuthServer,
  { request, returning, error }: RefusedSignIn,
): Promise<OAuthResponse> {
  const { Handle, ReturnTo, IsNamedByClient, SignedInUser } = returning;
  if (SignedInUser !== undefined) return returnToPage(runtime, ReturnTo, toResultWord(error));
  const isDeclined = error.error === 'access_denied' && !IsNamedByClient;
  if (Handle === undefined || isDeclined) {
    const word = error.error === 'access_denied' ? 'declined' : 'failed';
    const page = formatPageUrl(runtime, 'login', ReturnTo, { provider_error: [word] });
    return createRedirect(page, { 'set-cookie': formatStateRemovalCookie(runtime) });
  }
  const holder = { UserPoolId: runtime.userPoolId, Handle, Browser: readBrowserId(request) ?? '' };
  const pending = await server.decryptAuthorizationRequest(holder, request.call);
  await server.consumeAuthorizationRequest(holder, request.call);
  throw createAuthorizationError(pending, error.error, error.message, error);
}
