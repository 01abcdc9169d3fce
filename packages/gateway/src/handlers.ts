import type { RouteName } from '@poolgate/contract';
import { sendAttributeCode } from './account/attribute-code.ts';
import { changePassword } from './account/change-password.ts';
import { confirmByLink } from './account/confirm-by-link.ts';
import { showConfirmPage } from './account/confirm-page.ts';
import { confirmRegistration } from './account/confirm-registration.ts';
import { deleteAccount } from './account/delete-account.ts';
import { disownAccount } from './account/disown.ts';
import { forgotPassword } from './account/forgot-password.ts';
import { showNotMePage } from './account/not-me-page.ts';
import { passwordRange } from './account/password-range.ts';
import { showProfile } from './account/profile.ts';
import { register } from './account/register.ts';
import { resendCode } from './account/resend-code.ts';
import { setForgottenPassword } from './account/set-password.ts';
import { startPassword } from './account/start-password.ts';
import { updateProfile } from './account/update-profile.ts';
import { verifyAttribute } from './account/verify-attribute.ts';
import { listAuditEvents } from './admin/audit.ts';
import { createUser } from './admin/create-user.ts';
import { deleteUser } from './admin/delete-user.ts';
import { disableUser } from './admin/disable-user.ts';
import { enableUser } from './admin/enable-user.ts';
import { createGroup, deleteGroup, listGroups, showGroup, updateGroup } from './admin/groups.ts';
import { inviteUser } from './admin/invite-user.ts';
import { listMembers, listUsers } from './admin/list-users.ts';
import { resetMfa } from './admin/reset-mfa.ts';
import { resetUserPassword } from './admin/reset-password.ts';
import { showUser } from './admin/show-user.ts';
import { signOutUser } from './admin/sign-out-user.ts';
import { testWebhook } from './admin/test-webhook.ts';
import { updateUser } from './admin/update-user.ts';
import { forgetUserDevice, listUserDevices, showUserDevice } from './admin/user-devices.ts';
import { addToGroup, removeFromGroup } from './admin/user-groups.ts';
import { createWebhook, deleteWebhook, listDeadDeliveries, listWebhooks } from './admin/webhooks.ts';
import { createDevice } from './devices/create.ts';
import { forgetDevice } from './devices/forget.ts';
import { listDevices } from './devices/list.ts';
import { renameDevice } from './devices/rename.ts';
import { showDevice } from './devices/show.ts';
import { updateDevice } from './devices/update.ts';
import type { Handler } from './handler.ts';
import { answerChallenge } from './login/answer.ts';
import { startCustom } from './login/custom.ts';
import { listChallenges } from './login/list-challenges.ts';
import { showLoginParameters } from './login/parameters.ts';
import { logIn } from './login/password.ts';
import { startSrp } from './login/srp.ts';
import { startChallenge } from './login/start-challenge.ts';
import { activateMfa } from './mfa/activate.ts';
import { deactivateMfa } from './mfa/deactivate.ts';
import { disableMfa } from './mfa/disable.ts';
import { enableMfa } from './mfa/enable.ts';
import { showFactors } from './mfa/factors.ts';
import { setMfaPreference } from './mfa/preference.ts';
import { makeRecoveryCodes } from './mfa/recovery-codes.ts';
import { verifyMfa, verifyMfaByPath } from './mfa/verify.ts';
import { completePasskey } from './passkeys/complete.ts';
import { deletePasskey } from './passkeys/delete.ts';
import { startDiscoverable } from './passkeys/discoverable.ts';
import { listPasskeys } from './passkeys/list.ts';
import { renamePasskey } from './passkeys/rename.ts';
import { startPasskey } from './passkeys/start.ts';
import { showDocs } from './service/docs.ts';
import { showErrorPage } from './service/error-page.ts';
import { showHealth, showReadiness } from './service/health.ts';
import { showMailBody, showMails } from './service/mail.ts';
import { showOpenApi } from './service/openapi.ts';
import { showOutbox } from './service/outbox.ts';
import { listSessions } from './tokens/list-sessions.ts';
import { logOut } from './tokens/logout.ts';
import { logOutForced } from './tokens/logout-forced.ts';
import { refreshTokens } from './tokens/refresh.ts';
import { revokeSession } from './tokens/revoke-session.ts';

/** The handler of every route of the contract. */
export const handlers: { readonly [Name in RouteName]: Handler<Name> } = {
  login: logIn,
  loginCustom: startCustom,
  loginSrp: startSrp,
  loginAnswer: answerChallenge,
  loginParameters: showLoginParameters,
  passkeyChallenges: listChallenges,
  passkeyChallenge: startChallenge,
  passkeyDiscoverable: startDiscoverable,
  tokenRefresh: refreshTokens,
  logout: logOut,
  registerStart: startPassword,
  register,
  registerVerify: confirmRegistration,
  registerVerifyLink: confirmByLink,
  confirmPage: showConfirmPage,
  registerResend: resendCode,
  passwordForgot: forgotPassword,
  passwordRange,
  passwordReset: setForgottenPassword,
  passwordChange: changePassword,
  userProfile: showProfile,
  userUpdate: updateProfile,
  attributeCode: sendAttributeCode,
  attributeVerify: verifyAttribute,
  userDelete: deleteAccount,
  notMe: disownAccount,
  notMePage: showNotMePage,
  sessionList: listSessions,
  sessionEnd: revokeSession,
  logoutForced: logOutForced,
  deviceCreate: createDevice,
  deviceList: listDevices,
  deviceShow: showDevice,
  deviceUpdate: updateDevice,
  deviceRename: renameDevice,
  deviceForget: forgetDevice,
  mfaActivate: activateMfa,
  mfaVerify: verifyMfa,
  mfaVerifyByPath: verifyMfaByPath,
  mfaPreference: setMfaPreference,
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
  adminUserList: listUsers,
  adminUserUpdate: updateUser,
  adminUserDelete: deleteUser,
  adminUserDisable: disableUser,
  adminUserEnable: enableUser,
  adminUserResetPassword: resetUserPassword,
  adminUserSignOut: signOutUser,
  adminUserMfaReset: resetMfa,
  adminUserGroupAdd: addToGroup,
  adminUserGroupRemove: removeFromGroup,
  adminUserDevices: listUserDevices,
  adminUserDevice: showUserDevice,
  adminUserDeviceForget: forgetUserDevice,
  userInvite: inviteUser,
  adminGroupList: listGroups,
  adminGroupCreate: createGroup,
  adminGroupGet: showGroup,
  adminGroupUpdate: updateGroup,
  adminGroupDelete: deleteGroup,
  adminGroupMembers: listMembers,
  adminAudit: listAuditEvents,
  adminWebhookList: listWebhooks,
  adminWebhookCreate: createWebhook,
  adminWebhookDelete: deleteWebhook,
  adminWebhookTest: testWebhook,
  adminWebhookDead: listDeadDeliveries,
  openapi: showOpenApi,
  errorPage: showErrorPage,
  health: showHealth,
  ready: showReadiness,
  docs: showDocs,
  devOutbox: showOutbox,
  devMail: showMails,
  devMailBody: showMailBody,
};
