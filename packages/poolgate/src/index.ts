export { ConfigurationError, type InvalidSetting } from './config/configuration-error.ts';
export type { Settings } from './config/settings.ts';
export { DEMO_USER } from './demo-user.ts';
export { type AdminKey, type Service, type StartOptions, start } from './start.ts';
export { StartError, type StartErrorCode } from './start-error.ts';
export type { TriggerFunction } from './triggers/function-target.ts';
