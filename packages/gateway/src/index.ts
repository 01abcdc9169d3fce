export type {
  BootstrapAdminKey,
  Clock,
  GatewayDeps,
  GatewaySettings,
  KeyRing,
  OutboxEntry,
  OutboxView,
  Random,
  RateLimits,
} from './deps.ts';
export { type AdminKeySecret, makeAdminKey, type NewAdminKey } from './guards/admin-key-secret.ts';
export { createGateway, type Gateway, type InjectedRequest } from './http/gateway.ts';
