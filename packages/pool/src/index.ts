export type {
  AddClaimsHook,
  AddedClaims,
  BreachCheck,
  Channel,
  ClaimsRequest,
  Clock,
  Computations,
  KeyRing,
  LeakedRange,
  Message,
  MigratedUser,
  MigrateUserHook,
  MigrationLogin,
  PoolContext,
  PoolHint,
  Random,
  Sender,
  Senders,
  Timer,
} from './context.ts';
export type { PoolSetUpOptions } from './desired-settings.ts';
export { createPool, type DeadMessage, type EmbeddedPool } from './embedded-pool.ts';
export { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from './messages/message-limits.ts';
export type { DeliveryReport } from './messages/report.ts';
export { SendFailure, type SendOutcome } from './messages/send-failure.ts';
export { type RelyingPartyProblem, relyingPartyProblem } from './passkeys/relying-party.ts';
export { temporaryPassword } from './passwords/temporary-password.ts';
export { CSV_ATTRIBUTES } from './pools/pool-schema.ts';
export type { PoolAndClient } from './pools/pools.ts';
export type { MessageKind, MessageSettings, MessageTemplate } from './settings.ts';
export type { SuppliedKey, SuppliedKeys } from './tokens/supplied-keys.ts';
export type { TriggerEvent, TriggerInvoker, TriggerOutcome, TriggerTarget } from './triggers/invoker.ts';
export type { ReportUnmappedTrigger, UnmappedTrigger } from './triggers/unmapped-triggers.ts';
export { isEmailAddress, isPhoneNumber } from './users/attribute-schema.ts';
export type { ExportedUser, ImportedUser } from './users/imported-user.ts';
export type { ImportOutcome } from './users/operations/import-users.ts';
