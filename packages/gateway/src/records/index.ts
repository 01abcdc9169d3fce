import type { AdminScope, AuditEvent, EventType, RevocationRecord } from '@poolgate/provider';

import type { WebSessionRecords, WebTicketRecords } from './web-sessions.ts';

export type { RevocationRecord } from '@poolgate/provider';
export type {
  WebSessionRecord,
  WebSessionRecords,
  WebSessionTokens,
  WebTicketRecord,
  WebTicketRecords,
} from './web-sessions.ts';

/** What the gateway keeps of a user: only what the provider does not. Keyed by pool and `sub`. */
export interface LocalUserRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly username: string;
  readonly passwordResetRequired: boolean;
  readonly isWebauthnEnabled: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What the gateway keeps of a device: the name that its user gave it, and what the provider does not tell. */
export interface LocalDeviceRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly deviceKey: string;
  readonly name: string | null;
  /** Null where it is not known here. */
  readonly remembered: boolean | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The name that a user gave to a passkey. */
export interface LocalPasskeyRecord {
  readonly userPoolId: string;
  readonly sub: string;
  /** Base64url. */
  readonly credentialId: string;
  readonly name: string;
  readonly updatedAtMs: number;
}

/** A started SRP login whose answer the gateway must be able to check. Looked up by a digest; its content is encrypted. */
export interface PendingSrpRecord {
  readonly digestHex: string;
  readonly startEncrypted: string;
  readonly expiresAtMs: number;
}

/** What is taken of something that may be done so often in a minute. */
export interface RateTake {
  /** Who or what is counted. */
  readonly name: string;
  /** The share of a minute that it takes, in whole milliseconds. */
  readonly costMs: number;
}

/** A privileged backend identity. */
export interface AdminKeyRecord {
  /** Lower-case letters and digits, no underscore. */
  readonly id: string;
  /** SHA-256 of the secret, hex; the secret has 256 random bits. */
  readonly secretDigestHex: string;
  /** The secret again, encrypted: Signature V4 needs it to verify. */
  readonly signingSecretEncrypted: string;
  readonly scopes: readonly AdminScope[];
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** An event of the audit log, kept until `expiresAtMs`. */
export interface EventRecord extends AuditEvent {
  readonly expiresAtMs: number;
  /**
   * Of what an anonymous request caused: `bounded` is kept while there are not too many newer ones, `counted` until it is counted into a
   * record of its hour. Absent: it is never removed early.
   */
  readonly retention?: 'bounded' | 'counted';
}

/** Which events are asked for. What is left out is not asked. */
export interface EventFilter {
  readonly userPoolId: string;
  readonly sub?: string;
  readonly type?: EventType;
}

/** A page of the audit log, newest first. */
export interface EventPage {
  readonly rows: readonly AuditEvent[];
  /** Where the next page starts; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** Where events are posted to. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  /** The types it listens to; empty is all. */
  readonly events: readonly EventType[];
  /** The Standard Webhooks secret (`whsec_…`), encrypted. */
  readonly secretEncrypted: string;
  readonly description: string;
  readonly createdAtMs: number;
}

/** An event on its way to a webhook. */
export interface DeliveryRecord {
  readonly webhookId: string;
  readonly event: AuditEvent;
  readonly tries: number;
  readonly nextTryAtMs: number;
  /** Set once it was given up. */
  readonly deadAtMs: number | null;
  /** Why the last try failed, as a code word. */
  readonly lastFailure: string | null;
}

/** A request with an `Idempotency-Key`, and its answer once there is one. */
export interface IdempotencyRecord {
  /** Keyed digest of admin key, route and key, hex. */
  readonly digestHex: string;
  /** Digest of the request: the same key with another request is a mistake. */
  readonly requestDigestHex: string;
  /** Status and body, encrypted; null while the first request runs. */
  readonly answerEncrypted: string | null;
  readonly expiresAtMs: number;
}

/** What every method below rejects with while the store cannot be reached; callers know it by its code. */
export interface UnavailableError extends Error {
  readonly code: 'store_unavailable';
}

/** Where the gateway keeps its own records. Every method, those of its aggregates too, is one atomic statement, durable when it resolves. */
export interface GatewayRecords {
  /** Makes the local record of a user on first sight; later sights only move the user name. */
  upsertLocalUser(
    user: Pick<LocalUserRecord, 'userPoolId' | 'sub' | 'username'>,
    nowMs: number,
  ): Promise<LocalUserRecord>;
  localUser(userPoolId: string, sub: string): Promise<LocalUserRecord | undefined>;

  /** Sets the flag; the record is made where there is none. */
  setPasswordResetRequired(
    user: Pick<LocalUserRecord, 'userPoolId' | 'sub' | 'username'>,
    isRequired: boolean,
    nowMs: number,
  ): Promise<void>;
  /** Removes the local record of a user with its devices and passkeys. */
  deleteLocalUser(userPoolId: string, sub: string): Promise<void>;

  /** Sets the flag of a user that was seen before. */
  setWebauthnEnabled(userPoolId: string, sub: string, isEnabled: boolean, nowMs: number): Promise<void>;

  /** Names or renames a passkey. */
  putLocalPasskey(passkey: LocalPasskeyRecord): Promise<void>;
  /** The names that a user gave to passkeys: one indexed read. */
  localPasskeys(userPoolId: string, sub: string): Promise<readonly LocalPasskeyRecord[]>;
  deleteLocalPasskey(userPoolId: string, sub: string, credentialId: string): Promise<boolean>;

  /** Makes or replaces the local record of a device. */
  putLocalDevice(device: LocalDeviceRecord): Promise<void>;
  /** The local records of a user's devices among these keys: one indexed read. */
  localDevices(userPoolId: string, sub: string, deviceKeys: readonly string[]): Promise<readonly LocalDeviceRecord[]>;
  deleteLocalDevice(userPoolId: string, sub: string, deviceKey: string): Promise<boolean>;

  /** Revokes a login or a user's earlier tokens; a later end moves the times forward, never back. */
  recordRevocation(revocation: RevocationRecord): Promise<void>;
  /** What is revoked among these subjects: one indexed read. */
  revocations(userPoolId: string, subjects: readonly string[], nowMs: number): Promise<readonly RevocationRecord[]>;

  putPendingSrp(pending: PendingSrpRecord): Promise<void>;
  pendingSrp(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;
  /** Reads and removes a pending login. Defined for exactly one caller. */
  consumePendingSrp(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;

  /**
   * Takes of up to three allowances of a minute, over all replicas. Of those behind the first one nothing is taken where the first
   * is empty. Forgotten in a crash of the database's server.
   * @returns the names of those that had something left
   */
  takeRates(asked: readonly RateTake[], nowMs: number): Promise<readonly string[]>;

  insertAdminKey(key: AdminKeyRecord): Promise<void>;
  adminKey(id: string): Promise<AdminKeyRecord | undefined>;
  adminKeys(): Promise<readonly AdminKeyRecord[]>;
  touchAdminKey(id: string, nowMs: number): Promise<void>;
  revokeAdminKey(id: string, nowMs: number): Promise<boolean>;
  /** Lets a living key expire at this time, if it does not earlier. False where there is none. */
  shortenAdminKeyLife(id: string, expiresAtMs: number, nowMs: number): Promise<boolean>;

  /** Writes an event, and a delivery for each webhook that listens to its type. */
  appendEvent(event: EventRecord): Promise<void>;
  /** The same for what happened whether it is told or not: where it cannot be written, whoever opened the store hears of it, and nobody else. */
  tryAppendEvent(event: EventRecord): Promise<void>;
  /** Events, newest first, `limit` at most, after the cursor: one indexed read. */
  events(filter: EventFilter, limit: number, cursor: string | undefined): Promise<EventPage>;

  insertWebhook(webhook: WebhookRecord): Promise<void>;
  /** All webhooks, oldest first. */
  webhooks(): Promise<readonly WebhookRecord[]>;
  /** Removes a webhook and what is on its way to it. False where there is none. */
  deleteWebhook(id: string): Promise<boolean>;
  /** Takes deliveries that are due and that nobody is at, oldest first, and leases them. No two callers get the same one. */
  leaseDeliveries(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly DeliveryRecord[]>;
  /** Removes a delivery that arrived. */
  finishDelivery(webhookId: string, eventId: string): Promise<void>;
  /** Gives a delivery back for a later try, which counts one. */
  postponeDelivery(webhookId: string, eventId: string, nextTryAtMs: number, failure: string): Promise<void>;
  /** Gives a delivery up; it stays to be seen until its event expires. */
  deadLetterDelivery(webhookId: string, eventId: string, nowMs: number, failure: string): Promise<void>;
  /** Deliveries of a webhook that were given up, newest first. */
  deadDeliveries(webhookId: string, limit: number): Promise<readonly DeliveryRecord[]>;

  /**
   * Claims an idempotency key. Undefined for exactly one caller, who does the work; everybody else gets the record of that one.
   * A claim without an answer lapses with its expiry.
   */
  claimIdempotencyKey(claim: IdempotencyRecord, nowMs: number): Promise<IdempotencyRecord | undefined>;
  /** Keeps the answer of a claim until it expires. */
  storeIdempotentAnswer(digestHex: string, answerEncrypted: string, expiresAtMs: number): Promise<void>;
  /** Gives a claim up, so that the request may be made again. */
  releaseIdempotencyKey(digestHex: string): Promise<void>;

  readonly webSessions: WebSessionRecords;
  readonly webTickets: WebTicketRecords;

  /** True when the store answers a read. */
  ready(): Promise<boolean>;
  /** True when the store takes a write: it writes a little. A disk that is full, or read-only, answers reads. */
  takesWrites(): Promise<boolean>;
  /** Removes what has expired. Nothing depends on it. */
  sweep(nowMs: number): Promise<void>;
}
