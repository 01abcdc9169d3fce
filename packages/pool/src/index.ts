export type {
  AddClaims,
  AddedClaims,
  BreachCheck,
  Channel,
  ClaimsQuestion,
  Clock,
  KeyRing,
  Message,
  Migrate,
  Newcomer,
  NewcomerLogin,
  PoolContext,
  Random,
  Sender,
  Senders,
  Timer,
} from './context.ts';
export { isEmailAddress, isPhoneNumber } from './domain/attribute-schema.ts';
export type { ExportedUser, ImportedUser } from './domain/moved-user.ts';
export type { PoolAndClient } from './domain/pools.ts';
export { type RelyingPartyProblem, relyingPartyProblem } from './domain/relying-party.ts';
export { temporaryPassword } from './domain/temporary-password.ts';
export { createPool, type DeadMessage, type EmbeddedPool } from './embedded-pool.ts';
export { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from './messages/message-limits.ts';
export type { DeliveryReport } from './messages/report.ts';
export { SendFailure, type SendOutcome } from './messages/send-failure.ts';
export type { ImportOutcome } from './operations/import-users.ts';
export type { MessageKind, MessageSettings, MessageTemplate } from './settings.ts';
export type { SuppliedKey, SuppliedKeys } from './tokens/supplied-keys.ts';
export type { SetUp } from './wanted.ts';
