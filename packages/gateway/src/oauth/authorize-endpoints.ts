/**
 * The OAuth and OpenID Connect endpoints. A browser session is the single sign-on. `authorization-decision` is the pure table that decides
 * whether it is enough.
 */
import { type CheckedAuthorizationRequest, OAuthError, type OAuthServer } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { endStoredSession } from '../web/end-session.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { selectRequiredStep } from './authorization-decision.ts';
import {
  CONTINUE_PATH,
  createAuthorizationError,
  findOnlyProvider,
  formatContinuePath,
  formatPageUrl,
  isSessionAdmitted,
  MAX_HINT_LENGTH,
  mustLogIn,
  type PageName,
} from './authorization-response.ts';
import { readConfirmedChoice } from './confirmed-choice.ts';
import { redirectToProvider } from './federation-endpoints.ts';
import {
  continueByGet,
  createRedirect,
  ensureBrowserId,
  findBrowserSession,
  formatSessionRemovalCookies,
  readBrowserId,
  readLoginFacts,
  toPoolPath,
} from './oauth-browser.ts';
import {
  type OAuthEndpoint,
  type OAuthRequest,
  type OAuthResponse,
  readFormValue,
  requireOAuthServer,
} from './oauth-endpoint.ts';
import { readDisplayName, selectPageTexts } from './oauth-page-texts.ts';
import { renderPlainPage } from './plain-page.ts';
import { isPushedRequest, redeemPushedRequest } from './pushed-request-endpoint.ts';
import { sendToClient } from './send-to-client.ts';
import { checkLevel, createUnmetLevelError } from './session-level.ts';

/** GET /oauth2/authorize, and GET /login, which at Cognito is the same with the page. */
export const authorizeEndpoint: OAuthEndpoint = async (runtime, sent) => {
  const server = await requireOAuthServer(runtime, sent.call);
  const { checked, request } = await checkAuthorization(runtime, server, sent);
  if (checked.Request.prompts.includes('create')) {
    return encryptAuthorizationRequest(runtime, server, checked, request, 'register');
  }
  const session = await findAdmittedSession(runtime, checked, request);
  const need = selectRequiredStep(checked, {
    ...readLoginFacts(runtime, session),
    askedAtSeconds: undefined,
    isConfirmed: false,
  });
  const level = need === 'login' ? undefined : await checkLevel(runtime, server, { checked, session }, request);
  if (need === 'nothing' && level === undefined && session !== undefined)
    return grantAuthorization(runtime, server, { checked, session }, request);
  if (level === 'unreachable') throw createUnmetLevelError(checked);
  if (checked.Request.prompts.includes('none'))
    throw createAuthorizationError(checked, 'login_required', 'A login is required.');
  if (level !== undefined) {
    if (level.provider !== undefined) return signInAtProvider(runtime, server, checked, request, level.provider);
    return encryptAuthorizationRequest(runtime, server, checked, request, 'login', level.acrValues);
  }
  if (need === 'login' && findOnlyProvider(checked) !== undefined) {
    return signInAtProvider(runtime, server, checked, request);
  }
  return encryptAuthorizationRequest(runtime, server, checked, request, need === 'login' ? 'login' : undefined);
};

/** The session of the browser, if it began where the client's users sign in. */
async function findAdmittedSession(
  runtime: GatewayRuntime,
  checked: CheckedAuthorizationRequest,
  request: OAuthRequest,
): Promise<WebSession | undefined> {
  const session = await findBrowserSession(runtime, request);
  return session !== undefined && isSessionAdmitted(checked, session) ? session : undefined;
}

/** Sends the browser to a provider: by default the one that the client named, or the only one that it has. */
async function signInAtProvider(
  runtime: GatewayRuntime,
  server: OAuthServer,
  checked: CheckedAuthorizationRequest,
  request: OAuthRequest,
  providerName = findOnlyProvider(checked) ?? '',
): Promise<OAuthResponse> {
  const { name, headers } = ensureBrowserId(runtime, request);
  const { ClientId, Request } = checked;
  const waiting = { UserPoolId: runtime.userPoolId, ClientId, Request, Browser: name };
  const { Handle } = await server.encryptAuthorizationRequest(waiting, request.call);
  const signIn = {
    providerName,
    return: { ClientId, Handle, ReturnTo: formatContinuePath(runtime, Handle), IsNamedByClient: true },
    mustLogIn: mustLogIn(checked),
    loginHint: readHint(request),
    levels: Request.levels,
  };
  const cookies = Object.values(headers);
  try {
    return await redirectToProvider(runtime, signIn, request, cookies);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw createAuthorizationError(checked, error.error, error.message, error);
  }
}

function readHint({ query }: OAuthRequest): string | undefined {
  const [hint] = query.login_hint ?? [];
  return hint !== undefined && hint.length <= MAX_HINT_LENGTH ? hint : undefined;
}

/** POST /oauth2/authorize. Browsers send no cookies with a form from another site, so this redirects to GET. */
export const postedAuthorizeEndpoint: OAuthEndpoint = async (runtime, request) => {
  await requireOAuthServer(runtime, request.call);
  return continueByGet(toPoolPath(runtime, '/oauth2/authorize'), { ...request.query, ...request.form });
};

/** GET /signup, /forgotPassword and /passkeys/add: the page, and then the request that came with it. */
export function createPageEndpoint(page: PageName): OAuthEndpoint {
  return async (runtime, sent) => {
    const server = await requireOAuthServer(runtime, sent.call);
    const { checked, request } = await checkAuthorization(runtime, server, sent);
    return encryptAuthorizationRequest(runtime, server, checked, request, page);
  };
}

/** @returns what was checked, and the request with the parameters that count: those that its client pushed, if it refers to such */
async function checkAuthorization(runtime: GatewayRuntime, server: OAuthServer, sent: OAuthRequest) {
  const { userPoolId: UserPoolId, settings } = runtime;
  const IsPushed = isPushedRequest(sent);
  const request = IsPushed ? await redeemPushedRequest(runtime, server, sent) : sent;
  const RequiresPkce = settings.pkce === 'required';
  const asked = { UserPoolId, Parameters: request.query, RequiresPkce, IsPushed };
  return { checked: await server.authorize(asked, request.call), request };
}

/** Encrypts the request for this browser and redirects to a page. If `page` is undefined, it redirects to the continue endpoint. */
async function encryptAuthorizationRequest(
  runtime: GatewayRuntime,
  server: OAuthServer,
  { ClientId, Request }: CheckedAuthorizationRequest,
  request: OAuthRequest,
  page: PageName | undefined,
  acrValues?: string,
): Promise<OAuthResponse> {
  const { name, headers } = ensureBrowserId(runtime, request);
  const { userPoolId: UserPoolId } = runtime;
  const { Handle } = await server.encryptAuthorizationRequest(
    { UserPoolId, ClientId, Request, Browser: name },
    request.call,
  );
  const next = formatContinuePath(runtime, Handle);
  const address = page === undefined ? next : formatPageUrl(runtime, page, next, request.query, acrValues);
  return createRedirect(address, headers);
}

/** GET and POST /oauth2/authorize/continue: after the login, and after a confirmation. */
export const continueAuthorizationEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call } = request;
  const server = await requireOAuthServer(runtime, call);
  const { userPoolId: UserPoolId } = runtime;
  const Handle = (request.method === 'POST' ? readFormValue(request, 'request') : request.query.request?.[0]) ?? '';
  const Browser = readBrowserId(request) ?? '';
  const pending = await server.decryptAuthorizationRequest({ UserPoolId, Handle, Browser }, call);
  const session = await findAdmittedSession(runtime, pending, request);
  const choice = request.method === 'POST' ? readConfirmedChoice(runtime, session, request) : undefined;
  const isConfirmed = choice === 'continue';
  const facts = { ...readLoginFacts(runtime, session), askedAtSeconds: pending.RequestedAt, isConfirmed };
  const need = selectRequiredStep(pending, facts);
  const page = (acrValues?: string) =>
    formatPageUrl(runtime, 'login', formatContinuePath(runtime, Handle), {}, acrValues);
  const isLoginNeeded = need === 'login' || session === undefined;
  if (isLoginNeeded && findOnlyProvider(pending) !== undefined)
    return signInAtProvider(runtime, server, pending, request);
  if (isLoginNeeded) return createRedirect(page());
  if (choice === 'other') {
    await endStoredSession(runtime, session, call);
    return createRedirect(page(), { 'set-cookie': formatSessionRemovalCookies(runtime) }, 303);
  }
  const isGranted = choice !== 'deny' && need !== 'refusal';
  const level = isGranted ? await checkLevel(runtime, server, { checked: pending, session }, request) : undefined;
  if (level !== undefined && level !== 'unreachable') {
    if (level.provider === undefined) return createRedirect(page(level.acrValues));
    return signInAtProvider(runtime, server, pending, request, level.provider);
  }
  if (choice !== 'deny' && need === 'confirmation') {
    return renderConfirmationPage(runtime, pending, session, { handle: Handle, headers: request.headers });
  }
  await server.consumeAuthorizationRequest({ UserPoolId, Handle, Browser }, call);
  if (need === 'refusal') throw createAuthorizationError(pending, 'login_required', 'A different user is signed in.');
  if (level === 'unreachable') throw createUnmetLevelError(pending);
  if (choice === 'deny') throw createAuthorizationError(pending, 'access_denied', 'The user denied the request.');
  return grantAuthorization(runtime, server, { checked: pending, session }, request);
};

function renderConfirmationPage(
  runtime: GatewayRuntime,
  checked: CheckedAuthorizationRequest,
  session: WebSession,
  { handle, headers }: Pick<OAuthRequest, 'headers'> & { readonly handle: string },
): OAuthResponse {
  const { ClientName, Request } = checked;
  const asksConsent = Request.prompts.includes('consent');
  const { language, format, listScopes } = selectPageTexts(headers);
  const names = {
    client: ClientName,
    username: readDisplayName(session),
    scopes: listScopes(Request.scope),
  };
  return renderPlainPage({
    language,
    status: 200,
    title: format(asksConsent ? 'asks' : 'goOn', names),
    paragraphs: [format('signedInAs', names), ...(asksConsent ? [format('asksFor', names)] : [])],
    form: {
      action: toPoolPath(runtime, CONTINUE_PATH),
      hidden: { request: handle, csrf_token: session.content.csrfToken },
      buttons: [
        { field: { name: 'choice', value: 'continue' }, label: format(asksConsent ? 'allow' : 'continue') },
        { field: { name: 'choice', value: 'other' }, label: format('other') },
        { field: { name: 'choice', value: 'deny' }, label: format('cancel') },
      ],
      leadsTo: Request.redirectUri,
    },
  });
}

async function grantAuthorization(
  runtime: GatewayRuntime,
  server: OAuthServer,
  { checked, session }: { readonly checked: CheckedAuthorizationRequest; readonly session: WebSession },
  request: OAuthRequest,
): Promise<OAuthResponse> {
  const { ClientId, Request } = checked;
  const { accessToken: AccessToken } = session.caller;
  const { userPoolId: UserPoolId } = runtime;
  return sendToClient(await server.grant({ UserPoolId, ClientId, Request, AccessToken }, request.call), request);
}
