import { type IdTokenHint, OAuthError, type OAuthServer } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { endStoredSession } from '../web/end-session.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { requireOwnPage } from './confirmed-choice.ts';
import {
  continueByGet,
  createRedirect,
  findBrowserSession,
  formatSessionRemovalCookies,
  toPoolPath,
} from './oauth-browser.ts';
import {
  type OAuthEndpoint,
  type OAuthRequest,
  type OAuthResponse,
  requireOAuthServer,
  UNREADABLE,
} from './oauth-endpoint.ts';
import { readDisplayName, selectPageTexts } from './oauth-page-texts.ts';
import { renderPlainPage } from './plain-page.ts';

/**
 * GET /logout. A request with a registered redirect address ends the session at once, as at Cognito. Another site could cause any other
 * request, so the user confirms it.
 */
export const logoutEndpoint: OAuthEndpoint = async (runtime, request) => {
  const server = await requireOAuthServer(runtime, request.call);
  const { target, sub } = await parseLogoutRequest(runtime, server, request);
  const session = await findBrowserSession(runtime, request);
  // The user whom the application signs out has gone already: the one who is there now stays.
  if (target !== undefined && session !== undefined && sub !== undefined && sub !== session.caller.sub) {
    return createRedirect(target);
  }
  if (target !== undefined && (session === undefined || isTopLevelNavigation(request))) {
    return endSessionAndRedirect(runtime, session, target, request);
  }
  if (session === undefined) return renderSignedOutPage(runtime, request);
  const { language, format } = selectPageTexts(request.headers);
  return renderPlainPage({
    language,
    status: 200,
    title: format('signOutQuestion'),
    paragraphs: [format('signedInAs', { username: readDisplayName(session) })],
    form: {
      action: toPoolPath(runtime, '/logout/confirm'),
      hidden: { csrf_token: session.content.csrfToken, ...(target === undefined ? {} : listHiddenFields(request)) },
      buttons: [{ label: format('signOut') }],
      leadsTo: target,
    },
  });
};

/**
 * POST /logout with a form. Browsers send no cookies with a form of another site, so they repeat the request by GET. The address has the
 * subject of the ID token instead of the token, which is too long for an address and reveals too much.
 */
export const postedLogoutEndpoint: OAuthEndpoint = async (runtime, request) => {
  const server = await requireOAuthServer(runtime, request.call);
  const { id_token_hint: _hint, ...parameters } = { ...request.query, ...request.form };
  const hint = await readHint(runtime, server, { ...request, query: { ...request.query, ...request.form } });
  const hinted = hint === undefined ? {} : { client_id: [hint.ClientId], [HINTED_SUB]: [hint.Sub] };
  return continueByGet(toPoolPath(runtime, '/logout'), { ...parameters, ...hinted });
};

/** POST /logout/confirm: the page that asked. */
export const confirmLogoutEndpoint: OAuthEndpoint = async (runtime, request) => {
  const server = await requireOAuthServer(runtime, request.call);
  const session = await findBrowserSession(runtime, request);
  requireOwnPage(runtime, session, request);
  const { target } = await parseLogoutRequest(runtime, server, { ...request, query: request.form ?? {} });
  const answer = await endSessionAndRedirect(runtime, session, target, request);
  return answer.status === 302 ? { ...answer, status: 303 } : answer;
};

async function endSessionAndRedirect(
  runtime: GatewayRuntime,
  session: WebSession | undefined,
  target: string | undefined,
  request: OAuthRequest,
): Promise<OAuthResponse> {
  if (session !== undefined) await endStoredSession(runtime, session, request.call);
  const headers = { 'set-cookie': formatSessionRemovalCookies(runtime) };
  if (target !== undefined) return createRedirect(target, headers);
  const page = renderSignedOutPage(runtime, request);
  return { ...page, headers: { ...page.headers, ...headers } };
}

function renderSignedOutPage({ settings }: GatewayRuntime, { headers }: OAuthRequest): OAuthResponse {
  const { language, format } = selectPageTexts(headers);
  const link = { href: `${settings.webPrefix}/login`, label: format('start') };
  return renderPlainPage({ language, status: 200, title: format('signedOut'), paragraphs: [format('close')], link });
}

/** Browsers say where a request comes from; no page can write these headers (Fetch Metadata). */
function isTopLevelNavigation({ headers }: OAuthRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

const TARGET_NAMES = ['client_id', 'logout_uri', 'post_logout_redirect_uri', 'id_token_hint', 'state'] as const;

function listHiddenFields({ query }: OAuthRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(TARGET_NAMES.flatMap((name) => (query[name]?.[0] ? [[name, query[name][0]]] : [])));
}

/** The user of a logout, if a POST sent an ID token that names one. It can only keep another user signed in. */
const HINTED_SUB = 'sub';

/** An application's request to sign a user out. */
interface LogoutRequest {
  /**
   * Where the browser goes afterwards: to an address that the client has registered, or, with a `redirect_uri`, to the login for it; undefined
   * where none was named.
   */
  readonly target: string | undefined;
  /** The user to sign out; undefined: the signed-in user. */
  readonly sub: string | undefined;
}

/** @throws {OAuthError} `invalid_request`: an address was named that is not registered, or hint and client do not agree */
async function parseLogoutRequest(
  runtime: GatewayRuntime,
  server: OAuthServer,
  request: OAuthRequest,
): Promise<LogoutRequest> {
  const hint = await readHint(runtime, server, request);
  const sub = hint?.Sub ?? readQueryValue(request, HINTED_SUB);
  return { target: await findLogoutTarget(runtime, server, request, hint?.ClientId), sub };
}

async function findLogoutTarget(
  runtime: GatewayRuntime,
  server: OAuthServer,
  request: OAuthRequest,
  hintedClientId: string | undefined,
): Promise<string | undefined> {
  const one = (name: string) => readQueryValue(request, name);
  const uri = one('logout_uri') ?? one('post_logout_redirect_uri');
  const loginUri = one('redirect_uri');
  const asked = uri ?? loginUri;
  if (asked === undefined) return undefined;
  const ClientId = one('client_id') ?? hintedClientId;
  const { userPoolId: UserPoolId } = runtime;
  const For = uri === undefined ? 'login' : 'logout';
  const isGood =
    ClientId !== undefined && (await server.isUriRegistered({ UserPoolId, ClientId, Uri: asked, For }, request.call));
  if (!isGood) throw new OAuthError('invalid_request', 'The app client has not registered this URL.');
  if (uri === undefined) return `${toPoolPath(runtime, '/login')}?${new URLSearchParams(listLoginParameters(request))}`;
  const state = one('state');
  return state === undefined ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}

/**
 * Whose ID token the hint is. One that cannot be verified, because the key that signed it is gone, is no hint.
 * @throws {OAuthError} `invalid_request`: it is the ID token of another client
 */
async function readHint(
  { userPoolId: UserPoolId }: GatewayRuntime,
  server: OAuthServer,
  request: OAuthRequest,
): Promise<IdTokenHint | undefined> {
  const Hint = readQueryValue(request, 'id_token_hint');
  const hint = Hint === undefined ? undefined : await server.readIdTokenHint({ UserPoolId, Hint }, request.call);
  const clientId = readQueryValue(request, 'client_id');
  if (hint !== undefined && clientId !== undefined && clientId !== hint.ClientId) {
    throw new OAuthError('invalid_request', 'The client_id does not match the id_token_hint.');
  }
  return hint;
}

function readQueryValue({ query }: OAuthRequest, name: string): string | undefined {
  const values = query[name] ?? [];
  if (values.length > 1) throw new OAuthError('invalid_request', `The parameter ${name} was sent more than once.`);
  if (UNREADABLE.test(values[0] ?? '')) throw new OAuthError('invalid_request', `The parameter ${name} is malformed.`);
  return values[0] || undefined;
}

function listLoginParameters({ query }: OAuthRequest): string[][] {
  return Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value]));
}
