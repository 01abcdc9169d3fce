export type { StampedBrand } from './branding/find-brand.ts';
export type { DeliveryReport } from './delivery/delivery-report.ts';
export { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from './delivery/message-limits.ts';
export { SendFailure, type SendOutcome } from './delivery/send-failure.ts';
export type { Channel, Message, Sender, Senders } from './delivery/sender.ts';
export { createPool, type DeadMessage, type EmbeddedPool } from './embedded-pool.ts';
export {
  type FederatedProvider,
  IdentityProviderError,
  type IdentityProviderProtocol,
  type ProviderAccount,
  type ProviderCheck,
  type SignInProtection,
} from './federation/provider-protocol.ts';
export type { Clock, Timer } from './kernel/clock.ts';
export type { KeyRing, Random } from './kernel/ports.ts';
export type { BackgroundFailure } from './kernel/repeat-every.ts';
export type { PoolHint } from './login/challenges/login-ports.ts';
export type { MigratedUser, MigrateUserHook, MigrationLogin } from './login/challenges/migration-hook.ts';
export type { FetchClientKeys } from './oauth/client-keys.ts';
export type { CheckedIdentityProvider } from './operations/check-identity-providers.ts';
export type { ImportOutcome } from './operations/import-users.ts';
export type {
  Computations,
  PoolOptions,
  /** @deprecated Use {@link PoolOptions}. */
  PoolOptions as PoolContext,
} from './operations/pool-options.ts';
export {
  PASSKEY_REFUSALS,
  type PasskeyRefusalCode,
  type PasskeyRefusalReport,
  type ReportPasskeyRefusal,
} from './proofs/passkeys/passkey-refusals.ts';
export type {
  BreachCheck,
  LeakedPasswordLookup,
  /** @deprecated Use {@link LeakedPasswordLookup}. */
  LeakedPasswordLookup as LeakedRange,
} from './proofs/passwords/leaked-passwords.ts';
export { temporaryPassword } from './proofs/passwords/temporary-password.ts';
export { isEmailAddress, isPhoneNumber } from './settings/attribute-schema.ts';
export type {
  DesiredPoolSettings,
  /** @deprecated Use {@link DesiredPoolSettings}. */
  DesiredPoolSettings as PoolSetUpOptions,
} from './settings/desired-settings.ts';
export { CSV_ATTRIBUTES } from './settings/pool-schema.ts';
export type { PoolAndClient } from './settings/pools-and-clients.ts';
export { type RelyingPartyProblem, relyingPartyProblem } from './settings/relying-party.ts';
export type { SuppliedKey, SuppliedKeys } from './settings/supplied-keys.ts';
export type { AcceptedUnsupportedSettings, UnsupportedSetting } from './settings/unsupported-settings.ts';
export type { MessageKind, MessageSettings, MessageTemplate } from './store/pool-and-client-settings.ts';
export type { AddClaimsHook, AddedClaims, ClaimsRequest } from './tokens/claims-hook.ts';
export type { TriggerEvent, TriggerInvoker, TriggerOutcome, TriggerTarget } from './triggers/trigger-invoker.ts';
export type { ReportUnmappedTrigger, UnmappedTrigger } from './triggers/unmapped-triggers.ts';
export type { ExportedUser, ImportedUser } from './users/imported-user.ts';
