export type { Applications, ConnectedApplication } from './account/account-applications.ts';
export type { Device, Devices } from './account/account-devices.ts';
export type {
  ConnectedIdentity,
  Identities,
  IdentityProviderOffer,
  SessionIdentities,
} from './account/account-identities.ts';
export type { Factors, Mfa, MfaPreference, NewAuthenticator } from './account/account-mfa.ts';
export type { Passkey, PasskeyCreation, Passkeys } from './account/account-passkeys.ts';
export type { PasswordReset, Passwords } from './account/account-password.ts';
export type { AccountEvent, AccountExport, CodeDelivery, Contact, Profile, User } from './account/account-profile.ts';
export type {
  ChangeOptions,
  ChangeOutcome,
  PageOf,
  PageRequest,
  UserIdentifier,
  /** @deprecated Use {@link UserIdentifier}. */
  UserIdentifier as NamedUser,
} from './account/account-requests.ts';
export type { Sessions, UserSession } from './account/account-sessions.ts';
export type { RegistrationProof } from './account/registration-proof.ts';
export type { ConfirmLink, NewUser, Registration, SignUp } from './account/sign-up.ts';
export { type Client, type ClientOptions, createClient, type SessionClient, type TokensClient } from './client.ts';
export type {
  /** @deprecated Use {@link RememberedDevice}. */
  RememberedDevice as KeptDevice,
} from './devices/device-vault.ts';
export {
  type DeviceOwner,
  type DeviceVault,
  memoryVault,
  type RememberedDevice,
} from './devices/device-vault.ts';
export type {
  Login,
  UserLoginOptions,
  /** @deprecated Use {@link UserLoginOptions}. */
  UserLoginOptions as NamedLogin,
} from './login/login.ts';
export type { CodeOptions } from './login/login-by-code.ts';
export type { Reauthentication } from './login/reauthentication.ts';
export type { LoginOptions, LoginParameters, RequestedLevel } from './login/steps/login-run.ts';
export type {
  CustomStep,
  DeviceStep,
  DoneStep,
  FirstFactor,
  KeepAccountStep,
  LoginStep,
  NewPasswordStep,
  PasskeyStep,
  PasswordStep,
  RecoveryCodeStep,
  RefusedStep,
  SecondFactor,
  SelectFactorStep,
  SelectMfaStep,
  SentCodeStep,
  SetUpAuthenticatorStep,
  SignedInUser,
  StepKind,
  StepOf,
  TotpStep,
} from './login/steps/login-steps.ts';
export type { Unfinished } from './login/unfinished.ts';
export type { Session, SessionUser } from './modes/session-mode.ts';
export { memoryStorage, type TokenStorage, type Tokens } from './modes/tokens-mode.ts';
export type { PasskeyFailure } from './passkeys/passkey-failure.ts';
export { type PasswordPolicy, type PasswordProblem, passwordProblems } from './passwords/password-policy.ts';
export {
  type ClientErrorCode,
  type LocalErrorCode,
  PoolgateError,
  type PoolgateErrorFacts,
  type RegistrationRequirement,
} from './transport/poolgate-error.ts';
