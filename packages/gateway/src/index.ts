/** @deprecated Use {@link HealthCheckResult}. */
/** @deprecated Use {@link OperatorAccessRequest}. */
export type {
  BootstrapAdminKey,
  Clock,
  GatewayDeps,
  GatewaySettings,
  HealthCheckResult,
  HealthCheckResult as PartState,
  IsWebhookUrlRefused as RefusesWebhook,
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
  RequestObserver,
  RequestResult as AnsweredRequest,
  TlsCredentials,
  WebhookOutcome,
  WebhookPost,
} from './deps.ts';
export { createAuditedProvider as auditedProvider } from './events/audited-provider.ts';
export { type NewGatewayEvent, recordGatewayEvent } from './events/record-gateway-event.ts';
export { type AdminKeySecret, createAdminKey as makeAdminKey, type NewAdminKey } from './guards/admin-key-secret.ts';
export type { AdminCaller, UserCaller } from './guards/caller.ts';
export { createGateway, type Gateway, type InjectedRequest } from './http/gateway.ts';
export type { PageFile, PageShell, Pages } from './pages/pages.ts';
export { findDeletedUsers as deletedUsersAmong } from './revocations.ts';
