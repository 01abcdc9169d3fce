/**
 * A signed-in user's visit to a provider, to connect an account or to authenticate again. Each visit is bound to the browser session that
 * began it, so another person's account or proof never enters a session.
 */
import {
  type CallContext,
  type FederatedReturn,
  type Federation,
  OAuthError,
  type SignedInBrowserUser,
} from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { Browser } from '../web/browser.ts';
import { sessionEndedError } from '../web/browser-guard.ts';
import { parseReturnTarget } from '../web/return-to.ts';
import type { WebHandler } from '../web/web-handler.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { createRedirect, findBrowserSession } from './oauth-browser.ts';
import type { OAuthRequest, OAuthResponse } from './oauth-endpoint.ts';
import {
  expiredSignInError,
  formatStateRemovalCookie,
  requireFederation,
  STATE_COOKIE,
  STATE_SECONDS,
  startProviderSignIn,
} from './provider-sign-in.ts';

/** POST /cognito/user/identities/start. The guard requires a recent login, which is the proof of the local side. */
export const startIdentityLink: WebHandler<'webIdentityStart'> = (runtime, { browser, body, call }) =>
  startForUser(runtime, browser, { ...body, purpose: 'link' }, call);

/** POST /cognito/session/step-up/provider. */
export const startProviderStepUp: WebHandler<'webStepUpProvider'> = (runtime, { browser, body, call }) =>
  startForUser(runtime, browser, { ...body, purpose: 'step_up' }, call);

interface UserSignIn {
  readonly provider: string;
  readonly return_to?: string;
  readonly purpose: SignedInBrowserUser['Purpose'];
}

/** The user must sign in again at the provider. Otherwise another person could prepare the browser so that it connects their account. */
async function startForUser(
  runtime: GatewayRuntime,
  browser: Browser,
  { provider, return_to, purpose: Purpose }: UserSignIn,
  call: CallContext,
) {
  const { session } = browser;
  if (session === undefined) throw sessionEndedError();
  const account = `${runtime.settings.baseUrl}${runtime.settings.webPrefix}/account`;
  const SignedInUser = { Purpose, Sub: session.caller.sub, Session: session.record.familyId };
  const Return = {
    ClientId: runtime.clientId,
    ReturnTo: parseReturnTarget(runtime.settings, return_to) ?? account,
    IsNamedByClient: false,
    SignedInUser,
  };
  const signIn = { providerName: provider, return: Return, mustLogIn: true, loginHint: undefined };
  const { location, cookie } = await startProviderSignIn(runtime, signIn, call).catch(refuseStart);
  browser.setProviderCookie(STATE_COOKIE, cookie, STATE_SECONDS);
  return { status: 200, body: { status: 'success', location } } as const;
}

function refuseStart(error: unknown): never {
  if (error instanceof GatewayError && error.code === 'not_found') throw new GatewayError('feature_disabled');
  if (!(error instanceof OAuthError)) throw error;
  const code = error.error === 'server_error' ? 'unavailable' : 'identity_provider_not_found';
  throw new GatewayError(code, undefined, { cause: error });
}

/** The result that a page shows after the user returns. */
type ResultWord = 'connected' | 'declined' | 'failed' | 'in_use' | 'not_recent' | 'too_many';

/** Sends the browser to the page where the user began. */
export function returnToPage(runtime: GatewayRuntime, returnTo: string, word: ResultWord): OAuthResponse {
  const page = new URL(returnTo, runtime.settings.baseUrl);
  page.searchParams.set('provider_result', word);
  return createRedirect(page.href, { 'set-cookie': formatStateRemovalCookie(runtime), 'cache-control': 'no-store' });
}

/** Names the refusal of a provider. */
export function toResultWord({ error }: OAuthError): ResultWord {
  if (error === 'access_denied') return 'declined';
  return error === 'login_required' ? 'not_recent' : 'failed';
}

interface IdentityLinkAnswer {
  readonly answer: Omit<Parameters<Federation['link']>[0], 'AccessToken'>;
  readonly returning: FederatedReturn;
  readonly session: WebSession;
}

/** Connects the account that the browser comes back with. */
export async function finishIdentityLink(
  runtime: GatewayRuntime,
  request: OAuthRequest,
  { answer, returning: { ReturnTo }, session }: IdentityLinkAnswer,
): Promise<OAuthResponse> {
  const { federation } = await requireFederation(runtime, request.call);
  try {
    const asked = { ...answer, AccessToken: session.content.accessToken };
    const outcome = await federation.link(asked, request.call);
    if (outcome === undefined) throw expiredSignInError();
    return returnToPage(runtime, ReturnTo, outcome === 'linked' ? 'connected' : outcome);
  } catch (error) {
    if (!(error instanceof OAuthError) || error.error === 'invalid_request') throw error;
    return returnToPage(runtime, ReturnTo, toResultWord(error));
  }
}

/**
 * Returns the browser session that began to connect an account or to authenticate its user again. Call it before the account is redeemed at
 * the provider, so that a refusal leaves no login behind.
 * @throws {OAuthError} `invalid_request`: the session has ended, or another user is signed in
 */
export async function requireStartingSession(
  runtime: GatewayRuntime,
  request: OAuthRequest,
  user: SignedInBrowserUser,
): Promise<WebSession> {
  const session = await findBrowserSession(runtime, request);
  if (session?.record.familyId !== user.Session || session.caller.sub !== user.Sub) throw expiredSignInError();
  return session;
}
