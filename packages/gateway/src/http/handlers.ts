import type { RouteName } from '@poolgate/contract';
import { changePassword } from '../account/change-password.ts';
import { confirmByLink } from '../account/confirm-by-link.ts';
import { confirmRegistration } from '../account/confirm-registration.ts';
import { deleteAccount } from '../account/delete-account.ts';
import { disownAccount } from '../account/disown-account.ts';
import { forgotPassword } from '../account/forgot-password.ts';
import { listIdentities, removeIdentity } from '../account/identity-handlers.ts';
import { listUserEvents } from '../account/list-user-events.ts';
import { listPasswordRange } from '../account/password-range.ts';
import { register } from '../account/register.ts';
import { resendCode } from '../account/resend-code.ts';
import { scheduleDeletion } from '../account/schedule-deletion.ts';
import { sendAttributeCode } from '../account/send-attribute-code.ts';
import { setForgottenPassword } from '../account/set-forgotten-password.ts';
import { showConfirmPage } from '../account/show-confirm-page.ts';
import { showNotMePage } from '../account/show-not-me-page.ts';
import { showProfile } from '../account/show-profile.ts';
import { startVerifierPassword } from '../account/start-verifier-password.ts';
import { updateProfile } from '../account/update-profile.ts';
import { endApplication, listApplications } from '../account/user-applications.ts';
import { verifyAttribute } from '../account/verify-attribute.ts';
import { listAdminKeys, makeAdminKey, revokeAdminKey } from '../admin/admin-key-handlers.ts';
import { createClient, deleteClient, listClients, showClient, updateClient } from '../admin/client-handlers.ts';
import { createSecret, deleteSecret } from '../admin/client-secret-handlers.ts';
import { createUser } from '../admin/create-user.ts';
import { deleteUser } from '../admin/delete-user.ts';
import { disableUser } from '../admin/disable-user.ts';
import { createDomain, deleteDomain, listDomains } from '../admin/domain-handlers.ts';
import { enableUser } from '../admin/enable-user.ts';
import { createGroup, deleteGroup, listGroups, showGroup, updateGroup } from '../admin/group-handlers.ts';
import {
  createIdentityProvider,
  deleteIdentityProvider,
  listIdentityProviders,
  showIdentityProvider,
  updateIdentityProvider,
} from '../admin/identity-provider-handlers.ts';
import { inviteUser } from '../admin/invite-user.ts';
import { listAuditEvents } from '../admin/list-audit-events.ts';
import { listMembers, listUsers } from '../admin/list-users.ts';
import { resetMfa } from '../admin/reset-user-mfa.ts';
import { resetUserPassword } from '../admin/reset-user-password.ts';
import {
  createResourceServer,
  deleteResourceServer,
  listResourceServers,
  showResourceServer,
  updateResourceServer,
} from '../admin/resource-server-handlers.ts';
import { showPool } from '../admin/show-pool.ts';
import { showUser } from '../admin/show-user.ts';
import { signOutUser } from '../admin/sign-out-user.ts';
import { listSigningKeys, rotateSigningKeys } from '../admin/signing-key-handlers.ts';
import { testWebhook } from '../admin/test-webhook.ts';
import { updateUser } from '../admin/update-user.ts';
import { forgetUserDevice, listUserDevices, showUserDevice } from '../admin/user-device-handlers.ts';
import { addToGroup, removeFromGroup } from '../admin/user-group-handlers.ts';
import { createWebhook, deleteWebhook, listDeadDeliveries, listWebhooks } from '../admin/webhook-handlers.ts';
import { createDevice } from '../devices/create-device.ts';
import { forgetDevice } from '../devices/forget-device.ts';
import { listDevices } from '../devices/list-devices.ts';
import { renameDevice } from '../devices/rename-device.ts';
import { showDevice } from '../devices/show-device.ts';
import { updateDevice } from '../devices/update-device.ts';
import { exportAccount } from '../export/export-account.ts';
import { answerChallenge } from '../login/answer-challenge.ts';
import { listChallenges } from '../login/list-challenges.ts';
import { logIn } from '../login/log-in.ts';
import { showLoginParameters } from '../login/login-parameters.ts';
import { startChallenge } from '../login/start-challenge.ts';
import { startCustomLogin } from '../login/start-custom-login.ts';
import { startSrpLogin } from '../login/start-srp-login.ts';
import { startStepUp } from '../login/start-step-up.ts';
import { activateMfa } from '../mfa/activate-mfa.ts';
import { deactivateMfa } from '../mfa/deactivate-mfa.ts';
import { disableMfa } from '../mfa/disable-mfa.ts';
import { enableMfa } from '../mfa/enable-mfa.ts';
import { makeRecoveryCodes } from '../mfa/make-recovery-codes.ts';
import { setMfaPreference } from '../mfa/set-mfa-preference.ts';
import { showFactors } from '../mfa/show-factors.ts';
import { verifyMfa, verifyMfaByPath } from '../mfa/verify-mfa.ts';
import { completePasskeyRegistration } from '../passkeys/complete-passkey-registration.ts';
import { deletePasskey } from '../passkeys/delete-passkey.ts';
import { listPasskeys } from '../passkeys/list-passkeys.ts';
import { renamePasskey } from '../passkeys/rename-passkey.ts';
import { startDiscoverableLogin } from '../passkeys/start-discoverable-login.ts';
import { startPasskeyRegistration } from '../passkeys/start-passkey-registration.ts';
import type { Handler } from '../runtime/handler.ts';
import { showHealth, showReadiness } from '../service/health-handlers.ts';
import { showDocs } from '../service/show-docs.ts';
import { showErrorPage } from '../service/show-error-page.ts';
import { showMailBody, showMails } from '../service/show-mails.ts';
import { showOpenApi } from '../service/show-openapi.ts';
import { showOutbox } from '../service/show-outbox.ts';
import {
  deleteSnapshot,
  listSnapshots,
  resetStore,
  restoreSnapshot,
  saveSnapshot,
} from '../service/snapshot-handlers.ts';
import { listSessions } from '../tokens/list-sessions.ts';
import { logOut } from '../tokens/log-out.ts';
import { logOutEverywhere } from '../tokens/log-out-everywhere.ts';
import { refreshTokens } from '../tokens/refresh-tokens.ts';
import { revokeSession } from '../tokens/revoke-session.ts';

/** The handler of every route of the contract. */
export const handlers: { readonly [Name in RouteName]: Handler<Name> } = {
  login: logIn,
  loginCustom: startCustomLogin,
  loginSrp: startSrpLogin,
  loginStepUp: startStepUp,
  loginAnswer: answerChallenge,
  loginParameters: showLoginParameters,
  passkeyChallenges: listChallenges,
  passkeyChallenge: startChallenge,
  passkeyDiscoverable: startDiscoverableLogin,
  tokenRefresh: refreshTokens,
  logout: logOut,
  registerStart: startVerifierPassword,
  register,
  registerVerify: confirmRegistration,
  registerVerifyLink: confirmByLink,
  confirmPage: showConfirmPage,
  registerResend: resendCode,
  passwordForgot: forgotPassword,
  passwordRange: listPasswordRange,
  passwordReset: setForgottenPassword,
  passwordChange: changePassword,
  userProfile: showProfile,
  userUpdate: updateProfile,
  attributeCode: sendAttributeCode,
  attributeVerify: verifyAttribute,
  userEvents: listUserEvents,
  userApplications: listApplications,
  userApplicationEnd: endApplication,
  userExport: exportAccount,
  userDeletionSchedule: scheduleDeletion,
  userDelete: deleteAccount,
  notMe: disownAccount,
  notMePage: showNotMePage,
  sessionList: listSessions,
  identityList: listIdentities,
  identityRemove: removeIdentity,
  sessionEnd: revokeSession,
  logoutForced: logOutEverywhere,
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
  passkeyStart: startPasskeyRegistration,
  passkeyComplete: completePasskeyRegistration,
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
  adminIdentityProviderList: listIdentityProviders,
  adminIdentityProviderCreate: createIdentityProvider,
  adminIdentityProviderGet: showIdentityProvider,
  adminIdentityProviderUpdate: updateIdentityProvider,
  adminIdentityProviderDelete: deleteIdentityProvider,
  adminClientList: listClients,
  adminClientCreate: createClient,
  adminClientGet: showClient,
  adminClientUpdate: updateClient,
  adminClientDelete: deleteClient,
  adminClientSecretCreate: createSecret,
  adminClientSecretDelete: deleteSecret,
  adminPoolGet: showPool,
  adminResourceServerList: listResourceServers,
  adminResourceServerCreate: createResourceServer,
  adminResourceServerGet: showResourceServer,
  adminResourceServerUpdate: updateResourceServer,
  adminResourceServerDelete: deleteResourceServer,
  adminDomainList: listDomains,
  adminDomainCreate: createDomain,
  adminDomainDelete: deleteDomain,
  adminSigningKeyList: listSigningKeys,
  adminSigningKeyRotate: rotateSigningKeys,
  adminAudit: listAuditEvents,
  adminKeyList: listAdminKeys,
  adminKeyCreate: makeAdminKey,
  adminKeyRevoke: revokeAdminKey,
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
  adminSnapshotList: listSnapshots,
  adminSnapshotSave: saveSnapshot,
  adminSnapshotRestore: restoreSnapshot,
  adminSnapshotDelete: deleteSnapshot,
  adminReset: resetStore,
};
