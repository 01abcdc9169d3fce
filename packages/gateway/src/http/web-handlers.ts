import type { WebRouteName } from '@poolgate/contract';
import { startIdentityLink, startProviderStepUp } from '../oauth/identity-link.ts';
import { answerBrowserChallenge, logInBrowser } from '../web/browser-login.ts';
import { forwardAuthCallback } from '../web/forward-auth/forward-auth-callback.ts';
import { checkForwardAuth } from '../web/forward-auth/forward-auth-check.ts';
import { startForwardAuth } from '../web/forward-auth/forward-auth-start.ts';
import { logOutBrowser, refreshSession } from '../web/session-handlers.ts';
import { showSession } from '../web/show-session.ts';
import { showUnfinishedFlow } from '../web/show-unfinished-flow.ts';
import { stepUp } from '../web/step-up.ts';
import type { WebHandler } from '../web/web-handler.ts';

/** The handler of every route of browser sessions. */
export const webHandlers: { readonly [Name in WebRouteName]: WebHandler<Name> } = {
  webSession: showSession,
  webUnfinished: showUnfinishedFlow,
  webStepUp: stepUp,
  webStepUpProvider: startProviderStepUp,
  webIdentityStart: startIdentityLink,
  webLogin: logInBrowser,
  webLoginAnswer: answerBrowserChallenge,
  webRefresh: refreshSession,
  webForwardAuth: checkForwardAuth,
  webForwardAuthStart: startForwardAuth,
  webForwardAuthCallback: forwardAuthCallback,
  webLogout: logOutBrowser,
};
