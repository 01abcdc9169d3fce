import type { WebRouteName } from '@poolgate/contract';
import { forwardAuthCallback } from './forward-auth/callback.ts';
import { forwardAuth } from './forward-auth/check.ts';
import { startForwardAuth } from './forward-auth/start.ts';
import { logOutBrowser, refreshSession } from './keep-session.ts';
import { answerBrowserChallenge, logInBrowser } from './login.ts';
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
  webForwardAuth: forwardAuth,
  webForwardAuthStart: startForwardAuth,
  webForwardAuthCallback: forwardAuthCallback,
  webLogout: logOutBrowser,
};
