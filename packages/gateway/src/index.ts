/** @deprecated Use {@link HealthCheckResult}. */
/** @deprecated Use {@link IsWebhookUrlRefused}. */
/** @deprecated Use {@link OperatorAccessRequest}. */
/** @deprecated Use {@link RequestResult}. */
export type {
  BootstrapAdminKey,
  Clock,
  GatewayDeps,
  GatewaySettings,
  HealthCheckResult,
  HealthCheckResult as PartState,
  IsWebhookUrlRefused,
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
  RequestResult,
  RequestResult as AnsweredRequest,
  TlsCredentials,
  WebhookOutcome,
  WebhookPost,
} from './deps.ts';
/** @deprecated Use {@link createAuditedProvider}. */
export { createAuditedProvider, createAuditedProvider as auditedProvider } from './events/audited-provider.ts';
export { type NewGatewayEvent, recordGatewayEvent } from './events/record-gateway-event.ts';
/** @deprecated Use {@link createAdminKey}. */
export {
  type AdminKeySecret,
  createAdminKey,
  createAdminKey as makeAdminKey,
  type NewAdminKey,
} from './guards/admin-key-secret.ts';
export type { AdminCaller, UserCaller } from './guards/caller.ts';
export { createGateway, type Gateway, type InjectedRequest } from './http/gateway.ts';
export type { PageFile, PageShell, Pages } from './pages/pages.ts';
/** @deprecated Use {@link findDeletedUsers}. */
export { findDeletedUsers, findDeletedUsers as deletedUsersAmong } from './revocations.ts';
