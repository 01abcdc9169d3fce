export { createAppClient, updateAppClient } from './admin/client-extensions.ts';
export {
  type ClientChanges,
  listClientErrors,
  type NewClient,
} from './admin/client-settings.ts';
export { createDomainInput, readPoolDomains } from './admin/domain-handlers.ts';
export { type ClientBody, presentClient } from './admin/present-client.ts';
export { type PoolBody, readPool } from './admin/show-pool.ts';
export { presentSigningKey } from './admin/signing-key-handlers.ts';
export {
  type AdminKeySecret,
  createAdminKey,
  /** @deprecated Use {@link createAdminKey}. */
  createAdminKey as makeAdminKey,
  type NewAdminKey,
} from './credentials/admin-key-secret.ts';
export {
  createAuditedProvider,
  /** @deprecated Use {@link createAuditedProvider}. */
  createAuditedProvider as auditedProvider,
} from './events/audited-provider.ts';
export { type NewGatewayEvent, recordGatewayEvent } from './events/record-gateway-event.ts';
export { createGateway, type Gateway, type InjectedRequest } from './http/gateway.ts';
export type { AdminCaller, UserCaller } from './kernel/caller.ts';
export type {
  BootstrapAdminKey,
  Clock,
  GatewayDeps,
  GatewaySettings,
  HealthCheckResult,
  /** @deprecated Use {@link HealthCheckResult}. */
  HealthCheckResult as PartState,
  IsWebhookUrlRefused,
  /** @deprecated Use {@link IsWebhookUrlRefused}. */
  IsWebhookUrlRefused as RefusesWebhook,
  KeyRing,
  MfaType,
  ObservedRequest,
  OperatorAccessRequest,
  /** @deprecated Use {@link OperatorAccessRequest}. */
  OperatorAccessRequest as AuthorizationRequest,
  OutboxEntry,
  OutboxView,
  Place,
  PostLogoutToken,
  PostWebhook,
  Random,
  RateLimits,
  RequestObserver,
  RequestResult,
  /** @deprecated Use {@link RequestResult}. */
  RequestResult as AnsweredRequest,
  SavedSnapshot,
  Snapshots,
  TlsCredentials,
  WebhookOutcome,
  WebhookPost,
} from './kernel/deps.ts';
export type { Documentation, DocumentationAnswer, PageFile, PageShell, Pages } from './kernel/pages.ts';
export {
  findDeletedUsers,
  /** @deprecated Use {@link findDeletedUsers}. */
  findDeletedUsers as deletedUsersAmong,
} from './kernel/revocations.ts';
export { createRefusalLogLimit } from './limits/refusal-log-limit.ts';
