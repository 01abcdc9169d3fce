import { authenticateUser } from '../guards/authenticate-user.ts';
import { sessionEndedError } from './browser-guard.ts';
import { revokeLogin } from './end-session.ts';
import { presentSignedIn } from './present-signed-in.ts';
import { refreshTokensIfDue } from './refresh-session-tokens.ts';
import { removeSession } from './remove-session.ts';
import type { WebHandler } from './web-handler.ts';

/** POST /cognito/token/refresh: the tokens stay in the session. */
export const refreshSession: WebHandler<'webRefresh'> = async (runtime, { browser, call }) => {
  const fresh = browser.session && (await refreshTokensIfDue(runtime, browser.session, call, true));
  if (fresh === undefined) {
    browser.clearSessionCookie();
    throw sessionEndedError();
  }
  const caller = await authenticateUser(runtime, fresh.content, call);
  return { status: 200, body: presentSignedIn({ ...fresh, caller }) };
};

/** POST and PUT /cognito/logout. The session ends whatever the provider responds. */
export const logOutBrowser: WebHandler<'webLogout'> = async (runtime, { browser, call }) => {
  const { session } = browser;
  if (session === undefined) throw sessionEndedError();
  await removeSession(runtime, session.record.idDigestHex);
  browser.closeSession();
  await revokeLogin(runtime, { caller: session.caller, refreshToken: session.content.refreshToken }, call);
  return { status: 200, body: { status: 'success', message: 'The session has ended.', data: {} } };
};
