export type { ExpectedPoolSettings, SettingsFinding } from './check-settings.ts';
export { checkSettings } from './check-settings.ts';
export type { CognitoProvider } from './cognito-provider.ts';
export { createCognitoProvider } from './cognito-provider.ts';
export type { AwsCredentials, Clock, CognitoLimits, CognitoOptions, Timer } from './options/cognito-options.ts';
export { DEFAULT_LIMITS } from './options/cognito-options.ts';
export type { QuotaCategory } from './options/quotas.ts';
export { QUOTAS } from './options/quotas.ts';
export type {
  CognitoSettings,
  MfaSettings,
  SettingsOperation,
  UserPoolClientSettings,
  UserPoolSettings,
} from './pool/cognito-settings.ts';
export { type CognitoCallFailure, cognitoCallFailure } from './upstream/call-failure.ts';
