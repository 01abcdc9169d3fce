import type { RouteName } from '@poolgate/contract';
import { showProfile } from './account/profile.ts';
import { createUser } from './admin/create-user.ts';
import { showUser } from './admin/show-user.ts';
import type { Handler } from './handler.ts';
import { answerChallenge } from './login/answer.ts';
import { showParameters } from './login/parameters.ts';
import { logIn } from './login/password.ts';
import { startSrp } from './login/srp.ts';
import { showErrorPage } from './service/error-page.ts';
import { showHealth, showReadiness } from './service/health.ts';
import { showOpenApi } from './service/openapi.ts';
import { showOutbox } from './service/outbox.ts';
import { logOut } from './tokens/logout.ts';
import { refreshTokens } from './tokens/refresh.ts';

/** The handler of every route of the contract. */
export const handlers: { readonly [Name in RouteName]: Handler<Name> } = {
  login: logIn,
  loginSrp: startSrp,
  loginAnswer: answerChallenge,
  loginParameters: showParameters,
  tokenRefresh: refreshTokens,
  logout: logOut,
  userProfile: showProfile,
  adminUserCreate: createUser,
  adminUserGet: showUser,
  openapi: showOpenApi,
  errorPage: showErrorPage,
  health: showHealth,
  ready: showReadiness,
  devOutbox: showOutbox,
};
