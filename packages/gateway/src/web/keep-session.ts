import { authenticateUser } from '../guards/bearer.ts';
import { revokeLogin } from './end-session.ts';
import { sessionEnded } from './guard.ts';
import { presentSignedIn } from './present.ts';
import { freshTokens } from './refresh.ts';
import { removeSession } from './remove-session.ts';
import type { WebHandler } from './web-handler.ts';

/** POST /cognito/token/refresh: the tokens stay where they are. */
export const refreshSession: WebHandler<'webRefresh'> = async (runtime, { browser, context }) => {
  const fresh = browser.session && (await freshTokens(runtime, browser.session, context, true));
  if (fresh === undefined) {
    browser.forgetSession();
    throw sessionEnded();
  }
  const caller = await authenticateUser(runtime, fresh.content, context);
  return { status: 200, body: presentSignedIn({ ...fresh, caller }) };
};

/** POST and PUT /cognito/logout. The session is gone whatever the provider says. */
export const logOutBrowser: WebHandler<'webLogout'> = async (runtime, { browser, context }) => {
  const { session } = browser;
  if (session === undefined) throw sessionEnded();
  await removeSession(runtime, session.record.idDigestHex);
  browser.closeSession();
  await revokeLogin(runtime, { caller: session.caller, refreshToken: session.content.refreshToken }, context);
  return { status: 200, body: { status: 'success', message: 'The session has ended.', data: {} } };
};
