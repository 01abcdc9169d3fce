import type { AdminKeyRecords } from './admin-keys.ts';
import type { DeliveryRecords } from './deliveries.ts';
import type { EventRecords } from './events.ts';
import type { IdempotencyRecords } from './idempotency-keys.ts';
import type { LocalDeviceRecords } from './local-devices.ts';
import type { LocalPasskeyRecords } from './local-passkeys.ts';
import type { LocalUserRecords } from './local-users.ts';
import type { PendingSrpRecords } from './pending-srp.ts';
import type { RateRecords } from './rates.ts';
import type { RevocationRecords } from './revocations.ts';
import type { WebSessionRecords, WebTicketRecords } from './web-sessions.ts';
import type { WebhookRecords } from './webhooks.ts';

export type { RevocationRecord } from '@poolgate/provider';
export type { AdminKeyRecord, AdminKeyRecords } from './admin-keys.ts';
export type { DeliveryRecord, DeliveryRecords } from './deliveries.ts';
export type { EventFilter, EventPage, EventRecord, EventRecords } from './events.ts';
export type { IdempotencyRecord, IdempotencyRecords } from './idempotency-keys.ts';
export type { LocalDeviceRecord, LocalDeviceRecords } from './local-devices.ts';
export type { LocalPasskeyRecord, LocalPasskeyRecords } from './local-passkeys.ts';
export type { LocalUserRecord, LocalUserRecords, SeenUser } from './local-users.ts';
export type { PendingSrpRecord, PendingSrpRecords } from './pending-srp.ts';
export type { RateRecords, RateTake } from './rates.ts';
export type { RevocationRecords } from './revocations.ts';
export type {
  KnownWebSession,
  ReadWebSession,
  WebSessionRecord,
  WebSessionRecords,
  WebSessionState,
  WebSessionTokens,
  WebTicketRecord,
  WebTicketRecords,
} from './web-sessions.ts';
export type { WebhookRecord, WebhookRecords } from './webhooks.ts';

/** What every method below rejects with while the store cannot be reached; callers know it by its code. */
export interface UnavailableError extends Error {
  readonly code: 'store_unavailable';
}

/** Where the gateway keeps its own records. Every method of its aggregates is one atomic statement, durable when it resolves. */
export interface GatewayRecords {
  readonly adminKeys: AdminKeyRecords;
  readonly deliveries: DeliveryRecords;
  readonly events: EventRecords;
  readonly idempotencyKeys: IdempotencyRecords;
  readonly localDevices: LocalDeviceRecords;
  readonly localPasskeys: LocalPasskeyRecords;
  readonly localUsers: LocalUserRecords;
  readonly pendingSrp: PendingSrpRecords;
  readonly rates: RateRecords;
  readonly revocations: RevocationRecords;
  readonly webhooks: WebhookRecords;
  readonly webSessions: WebSessionRecords;
  readonly webTickets: WebTicketRecords;

  /** True when the store answers a read. */
  ready(): Promise<boolean>;
  /**
   * True when the store takes a write: it writes a little, or, once a write was refused for want of room, as much as a request does.
   * A disk that is full, or read-only, answers reads, and one that is full can have room for a little.
   */
  takesWrites(): Promise<boolean>;
  /** Removes what has expired. Nothing depends on it. */
  sweep(nowMs: number): Promise<void>;
}
