import { OAuthError, type OAuthServer, type OAuthTokens } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { type AuthenticatedClient, authenticateClient } from './authenticated-client.ts';
import { selectRequiredStep } from './authorization-decision.ts';
import { isSessionAdmitted } from './authorization-response.ts';
import { readConfirmedChoice } from './confirmed-choice.ts';
import {
  consumeDeviceOutcome,
  consumeDeviceRequest,
  DEVICE_CODE_SECONDS,
  type DeviceRequest,
  decideDeviceRequest,
  findDeviceOutcome,
  findDeviceRequest,
  formatUserCode,
  mayEnterCode,
  mayPoll,
  parseUserCode,
  startDeviceAuthorization,
} from './device-authorizations.ts';
import { renderCodePage, renderDevicePage, renderOutcomePage } from './device-pages.ts';
import { createRedirect, findBrowserSession, readLoginFacts, toPoolPath } from './oauth-browser.ts';
import {
  createJsonResponse,
  type OAuthEndpoint,
  type OAuthRequest,
  type OAuthResponse,
  readFormValue,
  requireForm,
  requireFormValue,
  requireOAuthServer,
} from './oauth-endpoint.ts';

/** The path of the page on which users enter a device's code. */
export const DEVICE_PATH = '/oauth2/device';

const POLL_SECONDS = 5;

/**
 * POST /oauth2/device_authorization (RFC 8628 §3.1). It has the limits of a login step, because anyone may send it in the name of a public
 * client.
 */
export const deviceAuthorizationEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call } = request;
  const server = await requireOAuthServer(runtime, call);
  requireForm(request);
  await runtime.sharedLimit.admit({ address: call.sourceAddress, username: undefined, clientId: undefined });
  const asking = await authenticateClient(runtime, server, request);
  const Scope = readFormValue(request, 'scope');
  const checked = await server.authorizeDevice({ ...asking, ...(Scope !== undefined && { Scope }) }, call);
  const { userCode, deviceCode } = await startDeviceAuthorization(runtime, checked, call.sourceAddress);
  const user_code = formatUserCode(userCode);
  const verification_uri = `${runtime.settings.baseUrl}${toPoolPath(runtime, DEVICE_PATH)}`;
  return createJsonResponse(200, {
    device_code: deviceCode,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: POLL_SECONDS,
  });
};

/** The grant `urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 §3.4). */
export async function exchangeDeviceCode(
  runtime: GatewayRuntime,
  server: OAuthServer,
  asking: AuthenticatedClient,
  request: OAuthRequest,
): Promise<OAuthTokens> {
  const deviceCode = requireFormValue(request, 'device_code');
  const Resource = readFormValue(request, 'resource');
  const found = await findDeviceOutcome(runtime, asking.ClientId, deviceCode);
  if (found === undefined) throw expiredCodeError();
  if (!(await mayPoll(runtime, deviceCode))) throw new OAuthError('slow_down', 'Poll less often.');
  if (found.state === 'pending') throw new OAuthError('authorization_pending', 'The user has not responded yet.');
  const outcome = await consumeDeviceOutcome(runtime, deviceCode);
  if (outcome === undefined) throw expiredCodeError();
  if (outcome.code === undefined) throw new OAuthError('access_denied', 'The user denied the request.');
  return server.exchangeDeviceCode(
    { ...asking, Code: outcome.code, ...(Resource !== undefined && { Resource }) },
    request.call,
  );
}

function expiredCodeError(): OAuthError {
  return new OAuthError('expired_token', 'The device code has expired or was already used.');
}

/**
 * GET and POST /oauth2/device: the user enters a code, sees which application asks from where, and decides. Only signed-in users can try
 * codes.
 */
export const devicePageEndpoint: OAuthEndpoint = async (runtime, request) => {
  const server = await requireOAuthServer(runtime, request.call);
  const isPosted = request.method === 'POST';
  const typed = (isPosted ? readFormValue(request, 'user_code') : request.query.user_code?.[0]) || undefined;
  const session = await findBrowserSession(runtime, request);
  const logIn = (more: Readonly<Record<string, string>> = {}) =>
    createRedirect(formatLoginUrl(runtime, typed, more), {}, isPosted ? 303 : 302);
  if (session === undefined) return logIn();
  const choice = isPosted ? readConfirmedChoice(runtime, session, request) : undefined;
  if (typed === undefined) return renderCodePage(runtime, request, session);
  // By network and by user, so that neither many accounts nor many addresses make guessing worthwhile.
  const { call } = request;
  await runtime.sharedLimit.admit({ address: call.sourceAddress, username: undefined, clientId: undefined });
  const userCode = parseUserCode(typed);
  if (!(await mayEnterCode(runtime, session.caller.sub))) return renderCodePage(runtime, request, session, 'too_many');
  if (userCode === undefined) return renderCodePage(runtime, request, session, 'wrong');
  const found = await findDeviceRequest(runtime, userCode);
  if (found === undefined) return renderCodePage(runtime, request, session, 'wrong');
  if (!isSessionAdmitted(found, session) || isLoginTooOld(runtime, session, found)) return logIn({ prompt: 'login' });
  if (choice !== 'continue' && choice !== 'deny') {
    return renderDevicePage(runtime, request, session, found, formatUserCode(userCode));
  }
  const asked = await consumeDeviceRequest(runtime, userCode);
  if (asked === undefined) return renderCodePage(runtime, request, session, 'wrong');
  return decide(runtime, server, { asked, session, isGranted: choice === 'continue' }, request);
};

/** Whether the user must sign in again, as at the client's authorization endpoint. */
function isLoginTooOld(runtime: GatewayRuntime, session: WebSession, asked: DeviceRequest): boolean {
  const askedAtSeconds = Math.floor(asked.expiresAtMs / 1000) - DEVICE_CODE_SECONDS;
  const facts = { ...readLoginFacts(runtime, session), askedAtSeconds, isConfirmed: true };
  return selectRequiredStep(asked, facts) === 'login';
}

/** The request that a user decides about. */
interface Decision {
  readonly asked: DeviceRequest;
  readonly session: WebSession;
  readonly isGranted: boolean;
}

async function decide(
  runtime: GatewayRuntime,
  server: OAuthServer,
  { asked, session, isGranted }: Decision,
  request: OAuthRequest,
): Promise<OAuthResponse> {
  const { ClientId, Request } = asked;
  if (isGranted) {
    const { accessToken: AccessToken } = session.caller;
    const input = { UserPoolId: runtime.userPoolId, ClientId, Request, AccessToken };
    const { Code: code } = await server.grantDevice(input, request.call);
    await decideDeviceRequest(runtime, asked, { state: 'granted', code });
  } else {
    await decideDeviceRequest(runtime, asked, { state: 'denied' });
  }
  return renderOutcomePage(runtime, request, isGranted);
}

function formatLoginUrl(
  runtime: GatewayRuntime,
  userCode: string | undefined,
  more: Readonly<Record<string, string>>,
): string {
  const code = parseUserCode(userCode);
  const query = code === undefined ? '' : `?user_code=${formatUserCode(code)}`;
  const returnTo = toPoolPath(runtime, `${DEVICE_PATH}${query}`);
  return `${runtime.settings.webPrefix}/login?${new URLSearchParams({ return_to: returnTo, ...more })}`;
}
