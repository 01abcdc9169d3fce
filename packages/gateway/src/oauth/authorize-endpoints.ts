/**
 * The OAuth and OpenID Connect endpoints. A browser session is the single sign-on. `authorization-decision` is the pure table that decides
 * whether it is enough.
 */
import {
  type CheckedAuthorizationRequest,
  createAuthorizationResponse,
  OAuthError,
  type OAuthErrorCode,
  type OAuthServer,
} from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { endStoredSession } from '../web/end-session.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { selectRequiredStep } from './authorization-decision.ts';
import { readConfirmedChoice } from './confirmed-choice.ts';
import {
  continueByGet,
  createRedirect,
  ensureBrowserId,
  findBrowserSession,
  formatSessionRemovalCookie,
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

/** The pages of the service that a browser may be sent to. */
type PageName = 'login' | 'register' | 'forgot' | 'account';

const CONTINUE_PATH = '/oauth2/authorize/continue';

/** GET /oauth2/authorize, and GET /login, which at Cognito is the same with the page. */
export const authorizeEndpoint: OAuthEndpoint = async (runtime, sent) => {
  const server = await requireOAuthServer(runtime, sent.call);
  const { checked, request } = await checkAuthorization(runtime, server, sent);
  if (checked.Request.prompts.includes('create')) {
    return encryptAuthorizationRequest(runtime, server, checked, request, 'register');
  }
  const session = await findBrowserSession(runtime, request);
  const need = selectRequiredStep(checked, {
    ...readLoginFacts(runtime, session),
    askedAtSeconds: undefined,
    isConfirmed: false,
  });
  if (need === 'nothing' && session !== undefined)
    return grantAuthorization(runtime, server, { checked, session }, request);
  if (checked.Request.prompts.includes('none'))
    throw createAuthorizationError(checked, 'login_required', 'A login is required.');
  return encryptAuthorizationRequest(runtime, server, checked, request, need === 'login' ? 'login' : undefined);
};

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

/** Keeps the request for this browser, and shows a page; undefined: the one on which it goes on. */
async function encryptAuthorizationRequest(
  runtime: GatewayRuntime,
  server: OAuthServer,
  { ClientId, Request }: CheckedAuthorizationRequest,
  request: OAuthRequest,
  page: PageName | undefined,
): Promise<OAuthResponse> {
  const { name, headers } = ensureBrowserId(runtime, request);
  const { userPoolId: UserPoolId } = runtime;
  const { Handle } = await server.encryptAuthorizationRequest(
    { UserPoolId, ClientId, Request, Browser: name },
    request.call,
  );
  const next = formatContinuePath(runtime, Handle);
  return createRedirect(page === undefined ? next : formatPageUrl(runtime, page, next, request.query), headers);
}

function formatContinuePath(runtime: GatewayRuntime, handle: string): string {
  return toPoolPath(runtime, `${CONTINUE_PATH}?request=${handle}`);
}

/** Hints that the page may show; the page shows them as text. */
const HINTS = ['login_hint', 'lang', 'ui_locales'] as const;

function formatPageUrl(
  { settings }: GatewayRuntime,
  page: PageName,
  returnTo: string,
  query: OAuthRequest['query'],
): string {
  const parameters = new URLSearchParams({ return_to: returnTo });
  // Who is signed in already is asked again: the request has found that login too old.
  if (page === 'login') parameters.set('prompt', 'login');
  for (const hint of HINTS) {
    const [value] = query[hint] ?? [];
    if (value && value.length <= MAX_HINT_LENGTH) parameters.set(hint, value);
  }
  return `${settings.webPrefix}/${page}?${parameters}`;
}

const MAX_HINT_LENGTH = 256;

/** GET and POST /oauth2/authorize/continue: after the login, and after a confirmation. */
export const continueAuthorizationEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call } = request;
  const server = await requireOAuthServer(runtime, call);
  const { userPoolId: UserPoolId } = runtime;
  const Handle = (request.method === 'POST' ? readFormValue(request, 'request') : request.query.request?.[0]) ?? '';
  const Browser = readBrowserId(request) ?? '';
  const pending = await server.decryptAuthorizationRequest({ UserPoolId, Handle, Browser }, call);
  const session = await findBrowserSession(runtime, request);
  const choice = request.method === 'POST' ? readConfirmedChoice(runtime, session, request) : undefined;
  const isConfirmed = choice === 'continue';
  const facts = { ...readLoginFacts(runtime, session), askedAtSeconds: pending.RequestedAt, isConfirmed };
  const need = selectRequiredStep(pending, facts);
  const page = () => formatPageUrl(runtime, 'login', formatContinuePath(runtime, Handle), {});
  if (need === 'login' || session === undefined) return createRedirect(page());
  if (choice === 'other') {
    await endStoredSession(runtime, session, call);
    return createRedirect(page(), { 'set-cookie': formatSessionRemovalCookie(runtime) }, 303);
  }
  if (choice !== 'deny' && need === 'confirmation') {
    return renderConfirmationPage(runtime, pending, session, { handle: Handle, headers: request.headers });
  }
  await server.consumeAuthorizationRequest({ UserPoolId, Handle, Browser }, call);
  if (need === 'refusal') throw createAuthorizationError(pending, 'login_required', 'Another user is signed in.');
  if (choice === 'deny') throw createAuthorizationError(pending, 'access_denied', 'The user did not agree.');
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
  const { language, format } = selectPageTexts(headers);
  const names = {
    client: ClientName,
    username: readDisplayName(session),
    scopes: Request.scope.split(' ').join(', '),
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

function createAuthorizationError(
  { Request, Issuer }: CheckedAuthorizationRequest,
  error: OAuthErrorCode,
  message: string,
): OAuthError {
  const response = { error, error_description: message, iss: Issuer };
  const { Location: location, Form: form } = createAuthorizationResponse(Request, response);
  return new OAuthError(error, message, { location, form });
}
