/** The gateway's own records as interfaces: types only. `packages/store` implements them. Each method is one statement or one write. */
import type { AdminKeyRecords } from './admin-key-records.ts';
import type { ConsoleSessionRecords } from './console-session-records.ts';
import type { DeliveryRecords } from './delivery-records.ts';
import type { EventRecords } from './event-records.ts';
import type { IdempotencyRecords } from './idempotency-key-records.ts';
import type { LocalDeviceRecords } from './local-device-records.ts';
import type { LocalPasskeyRecords } from './local-passkey-records.ts';
import type { LocalUserRecords } from './local-user-records.ts';
import type { LogoutNoticeRecords } from './logout-notice-records.ts';
import type { PendingSrpRecords } from './pending-srp-records.ts';
import type { RateRecords } from './rate-records.ts';
import type { RevocationRecords } from './revocation-records.ts';
import type { WebSessionRecords, WebTicketRecords } from './web-session-records.ts';
import type { WebhookRecords } from './webhook-records.ts';

export type { RevocationRecord } from '@poolgate/provider';
export type { AdminKeyRecord, AdminKeyRecords } from './admin-key-records.ts';
export type { ConsoleSessionRecord, ConsoleSessionRecords } from './console-session-records.ts';
export type { DeliveryRecord, DeliveryRecords } from './delivery-records.ts';
export type { EventFilter, EventPage, EventRecord, EventRecords } from './event-records.ts';
export type { IdempotencyRecord, IdempotencyRecords } from './idempotency-key-records.ts';
export type { LocalDeviceRecord, LocalDeviceRecords } from './local-device-records.ts';
export type { LocalPasskeyRecord, LocalPasskeyRecords } from './local-passkey-records.ts';
export type { LocalUserIdentity, LocalUserRecord, LocalUserRecords } from './local-user-records.ts';
export type { LogoutNoticeRecord, LogoutNoticeRecords } from './logout-notice-records.ts';
export type { PendingSrpRecord, PendingSrpRecords } from './pending-srp-records.ts';
export type { RateCharge, RateRecords } from './rate-records.ts';
export type { RevocationRecords } from './revocation-records.ts';
export type {
  CachedWebSession,
  WebSessionRecord,
  WebSessionRecords,
  WebSessionState,
  WebSessionTokens,
  WebSessionUpdate,
  WebTicketRecord,
  WebTicketRecords,
} from './web-session-records.ts';
export type { WebhookRecord, WebhookRecords } from './webhook-records.ts';

/** The rejection of every method below while the store is unreachable. Callers recognize it by its code. */
export interface UnavailableError extends Error {
  readonly code: 'store_unavailable';
}

/** Stores the gateway's own records. Every method of its aggregates is one atomic statement, durable when it resolves. */
export interface GatewayRecords {
  readonly adminKeys: AdminKeyRecords;
  readonly consoleSessions: ConsoleSessionRecords;
  readonly deliveries: DeliveryRecords;
  readonly events: EventRecords;
  readonly idempotencyKeys: IdempotencyRecords;
  readonly localDevices: LocalDeviceRecords;
  readonly localPasskeys: LocalPasskeyRecords;
  readonly localUsers: LocalUserRecords;
  readonly logoutNotices: LogoutNoticeRecords;
  readonly pendingSrp: PendingSrpRecords;
  readonly rates: RateRecords;
  readonly revocations: RevocationRecords;
  readonly webhooks: WebhookRecords;
  readonly webSessions: WebSessionRecords;
  readonly webTickets: WebTicketRecords;

  /** True if the store answers a read. */
  ready(): Promise<boolean>;
  /**
   * True if the store accepts a write. It writes a little, or as much as a request after a write failed for lack of space. A full or
   * read-only disk still answers reads, and a full one may have room for a small write.
   */
  takesWrites(): Promise<boolean>;
  /** Deletes expired records. Nothing depends on it. */
  sweep(nowMs: number): Promise<void>;
}

export type {
  /** @deprecated Use {@link LocalUserIdentity}. */
  LocalUserIdentity as SeenUser,
} from './local-user-records.ts';
export type {
  /** @deprecated Use {@link RateCharge}. */
  RateCharge as RateTake,
} from './rate-records.ts';
export type {
  /** @deprecated Use {@link CachedWebSession}. */
  CachedWebSession as KnownWebSession,
  /** @deprecated Use {@link WebSessionUpdate}. */
  WebSessionUpdate as ReadWebSession,
} from './web-session-records.ts';
