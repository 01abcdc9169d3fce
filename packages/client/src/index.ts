export type { ChangeOptions, ChangeOutcome, NamedUser, PageOf, PageRequest } from './account/context.ts';
export type { Device, Devices } from './account/devices.ts';
export type { Factors, Mfa, MfaPreference, NewAuthenticator } from './account/mfa.ts';
export type { Passkey, PasskeyCreation, Passkeys } from './account/passkeys.ts';
export type { Passwords } from './account/password.ts';
export type { CodeDelivery, Contact, Profile, User } from './account/profile.ts';
export type { RegistrationProof } from './account/registration-proof.ts';
export type { Sessions, UserSession } from './account/sessions.ts';
export type { ConfirmLink, NewUser, Registration, SignUp } from './account/sign-up.ts';
export { type Client, type ClientOptions, createClient, type SessionClient, type TokensClient } from './client.ts';
export { type DeviceOwner, type DeviceVault, type KeptDevice, memoryVault } from './devices/vault.ts';
export {
  type ClientErrorCode,
  type LocalErrorCode,
  PoolgateError,
  type PoolgateErrorFacts,
  type RegistrationRequirement,
} from './errors.ts';
export type { Login, NamedLogin } from './login/login.ts';
export type { Reauthentication } from './login/reauthentication.ts';
export type { LoginOptions, LoginParameters } from './login/run.ts';
export type {
  CustomStep,
  DeviceStep,
  DoneStep,
  FirstFactor,
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
  StepKind,
  StepOf,
  TotpStep,
} from './login/steps.ts';
export type { Session, SessionUser } from './modes/session.ts';
export { memoryStorage, type TokenStorage, type Tokens } from './modes/tokens.ts';
export type { PasskeyFailure } from './passkeys/outcome.ts';
export { type PasswordPolicy, type PasswordProblem, passwordProblems } from './passwords/policy.ts';
