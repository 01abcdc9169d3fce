import type { RouteName } from '@poolgate/contract';
import { showProfile } from './account/profile.ts';
import { createUser } from './admin/create-user.ts';
import { showUser } from './admin/show-user.ts';
import { createDevice } from './devices/create.ts';
import { forgetDevice } from './devices/forget.ts';
import { listDevices } from './devices/list.ts';
import { renameDevice } from './devices/rename.ts';
import { showDevice } from './devices/show.ts';
import { updateDevice } from './devices/update.ts';
import type { Handler } from './handler.ts';
import { answerChallenge } from './login/answer.ts';
import { listChallenges } from './login/list-challenges.ts';
import { showParameters } from './login/parameters.ts';
import { logIn } from './login/password.ts';
import { startSrp } from './login/srp.ts';
import { startChallenge } from './login/start-challenge.ts';
import { activateMfa } from './mfa/activate.ts';
import { deactivateMfa } from './mfa/deactivate.ts';
import { disableMfa } from './mfa/disable.ts';
import { enableMfa } from './mfa/enable.ts';
import { showFactors } from './mfa/factors.ts';
import { preferMfa } from './mfa/preference.ts';
import { makeRecoveryCodes } from './mfa/recovery-codes.ts';
import { verifyMfa, verifyMfaByPath } from './mfa/verify.ts';
import { completePasskey } from './passkeys/complete.ts';
import { deletePasskey } from './passkeys/delete.ts';
import { startDiscoverable } from './passkeys/discoverable.ts';
import { listPasskeys } from './passkeys/list.ts';
import { renamePasskey } from './passkeys/rename.ts';
import { startPasskey } from './passkeys/start.ts';
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
  passkeyChallenges: listChallenges,
  passkeyChallenge: startChallenge,
  passkeyDiscoverable: startDiscoverable,
  tokenRefresh: refreshTokens,
  logout: logOut,
  userProfile: showProfile,
  deviceCreate: createDevice,
  deviceList: listDevices,
  deviceShow: showDevice,
  deviceUpdate: updateDevice,
  deviceRename: renameDevice,
  deviceForget: forgetDevice,
  mfaActivate: activateMfa,
  mfaVerify: verifyMfa,
  mfaVerifyByPath: verifyMfaByPath,
  mfaPreference: preferMfa,
  mfaDeactivate: deactivateMfa,
  mfaRecoveryCodes: makeRecoveryCodes,
  userFactors: showFactors,
  mfaEnable: enableMfa,
  mfaDisable: disableMfa,
  passkeyStart: startPasskey,
  passkeyComplete: completePasskey,
  passkeyDelete: deletePasskey,
  passkeyList: listPasskeys,
  passkeyRename: renamePasskey,
  adminUserCreate: createUser,
  adminUserGet: showUser,
  openapi: showOpenApi,
  errorPage: showErrorPage,
  health: showHealth,
  ready: showReadiness,
  devOutbox: showOutbox,
};
