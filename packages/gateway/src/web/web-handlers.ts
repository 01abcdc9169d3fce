import type { WebRouteName } from '@poolgate/contract';
import { answerBrowserChallenge, logInBrowser } from './browser-login.ts';
import { forwardAuthCallback } from './forward-auth/forward-auth-callback.ts';
import { checkForwardAuth } from './forward-auth/forward-auth-check.ts';
import { startForwardAuth } from './forward-auth/forward-auth-start.ts';
import { logOutBrowser, refreshSession } from './session-handlers.ts';
import { showSession } from './show-session.ts';
import { stepUp } from './step-up.ts';
import type { WebHandler } from './web-handler.ts';

/** The handler of every route of browser sessions. */
export const webHandlers: { readonly [Name in WebRouteName]: WebHandler<Name> } = {
  webSession: showSession,
  webStepUp: stepUp,
  webLogin: logInBrowser,
  webLoginAnswer: answerBrowserChallenge,
  webRefresh: refreshSession,
  webForwardAuth: checkForwardAuth,
  webForwardAuthStart: startForwardAuth,
  webForwardAuthCallback: forwardAuthCallback,
  webLogout: logOutBrowser,
};
