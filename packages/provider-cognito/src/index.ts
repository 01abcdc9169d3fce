export type { QuotaCategory } from './limits/quotas.ts';
export { QUOTAS } from './limits/quotas.ts';
export type { AwsCredentials, Clock, CognitoLimits, CognitoOptions, Timer } from './options.ts';
export { DEFAULT_LIMITS } from './options.ts';
export type {
  CognitoSettings,
  MfaSettings,
  SettingsOperation,
  UserPoolClientSettings,
  UserPoolSettings,
} from './pool/settings.ts';
export type { CognitoProvider } from './provider.ts';
export { createCognitoProvider } from './provider.ts';
export type { ExpectedPoolSettings, SettingsFinding } from './settings-check.ts';
export { checkSettings } from './settings-check.ts';
export { type CognitoCallFailure, cognitoCallFailure } from './upstream/call-failure.ts';
