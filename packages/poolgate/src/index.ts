export { ConfigurationError, type InvalidSetting } from './config/configuration-error.ts';
export type { Settings } from './config/settings.ts';
export { StartError, type StartErrorCode } from './process/start-error.ts';
export { DEMO_USER } from './providers/demo-user.ts';
export type { ServiceSnapshots } from './service/service-snapshots.ts';
export { type AdminKey, type Service, type StartOptions, start } from './service/start.ts';
export { SnapshotError } from './snapshots/check-snapshot.ts';
export type { TriggerFunction } from './triggers/function-target.ts';
