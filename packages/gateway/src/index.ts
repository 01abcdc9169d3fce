/** @deprecated Use {@link HealthCheckResult}. */
/** @deprecated Use {@link IsWebhookUrlRefused}. */
/** @deprecated Use {@link OperatorAccessRequest}. */
/** @deprecated Use {@link RequestResult}. */

/** @deprecated Use {@link createAdminKey}. */
export {
  type AdminKeySecret,
  createAdminKey,
  createAdminKey as makeAdminKey,
  type NewAdminKey,
} from './credentials/admin-key-secret.ts';
/** @deprecated Use {@link createAuditedProvider}. */
export { createAuditedProvider, createAuditedProvider as auditedProvider } from './events/audited-provider.ts';
export { type NewGatewayEvent, recordGatewayEvent } from './events/record-gateway-event.ts';
export { createGateway, type Gateway, type InjectedRequest } from './http/gateway.ts';
export type { AdminCaller, UserCaller } from './kernel/caller.ts';
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
} from './kernel/deps.ts';
export type { PageFile, PageShell, Pages } from './kernel/pages.ts';
/** @deprecated Use {@link findDeletedUsers}. */
export { findDeletedUsers, findDeletedUsers as deletedUsersAmong } from './kernel/revocations.ts';
export { createRefusalLogLimit } from './limits/refusal-log-limit.ts';
