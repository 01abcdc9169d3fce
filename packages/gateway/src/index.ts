/** @deprecated Use {@link HealthCheckResult}. */
/** @deprecated Use {@link OperatorAccessRequest}. */
export type {
  AnsweredRequest,
  BootstrapAdminKey,
  Clock,
  GatewayDeps,
  GatewaySettings,
  HealthCheckResult,
  HealthCheckResult as PartState,
  KeyRing,
  MfaType,
  ObservedRequest,
  OperatorAccessRequest,
  OperatorAccessRequest as AuthorizationRequest,
  OutboxEntry,
  OutboxView,
  PostWebhook,
  Random,
  RateLimits,
  RefusesWebhook,
  RequestObserver,
  TlsCredentials,
  WebhookOutcome,
  WebhookPost,
} from './deps.ts';
export { auditedProvider } from './events/audited-provider.ts';
export { type NewGatewayEvent, recordGatewayEvent } from './events/record-gateway-event.ts';
export { type AdminKeySecret, makeAdminKey, type NewAdminKey } from './guards/admin-key-secret.ts';
export type { AdminCaller, UserCaller } from './guards/caller.ts';
export { createGateway, type Gateway, type InjectedRequest } from './http/gateway.ts';
export type { PageFile, PageShell, Pages } from './pages/pages.ts';
export { deletedUsersAmong } from './revocations.ts';
