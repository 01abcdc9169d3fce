/**
 * The gateway's records, one module for each interface in `@poolgate/gateway/records`.
 */
import type { GatewayRecords } from '@poolgate/gateway/records';
import type { EventWriteOptions } from '../events/append-separately.ts';
import { sweepEvents } from '../events/sweep-events.ts';
import type { Database } from '../sql/database.ts';
import type { RefusedWriteCount } from '../sql/refused-writes.ts';
import { defineStatement, LIMIT_ONE } from '../sql/statement.ts';
import { StoreUnavailable } from '../sql/store-errors.ts';
import { createTableSweep, runAllThenThrow, runSweeps } from '../sql/sweep.ts';
import { createAdminKeyRecords } from './admin-key-records.ts';
import { createConsoleSessionRecords } from './console-session-records.ts';
import { createDeliveryRecords } from './delivery-records.ts';
import { createEventRecords } from './event-records.ts';
import { createIdempotencyRecords } from './idempotency-key-records.ts';
import { createLocalDeviceRecords } from './local-device-records.ts';
import { createLocalPasskeyRecords } from './local-passkey-records.ts';
import { createLocalUserRecords } from './local-user-records.ts';
import { createLogoutNoticeRecords } from './logout-notice-records.ts';
import { createPendingSrpRecords } from './pending-srp-records.ts';
import { createRateRecords } from './rate-records.ts';
import { createRevocationRecords } from './revocation-records.ts';
import { createWebSessionRecords } from './web-session-records.ts';
import { createWebTicketRecords } from './web-ticket-records.ts';
import { createWebhookRecords } from './webhook-records.ts';
import { createWriteProbe } from './write-probe.ts';

const DAY_MS = 86_400_000;

const SWEEPS = [
  createTableSweep({ table: 'endings', key: ['user_pool_id', 'subject'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'pending_srp', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'rates', key: ['name'], expiresAt: 'whole_at_ms' }),
  createTableSweep({ table: 'replicas', key: ['id'], expiresAt: 'seen_at_ms', extraMs: DAY_MS }),
  createTableSweep({ table: 'idempotency_keys', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'web_tickets', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'console_sessions', key: ['id_digest_hex'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'web_sessions', key: ['id_digest_hex'], expiresAt: 'expires_at_ms' }),
];

// Reads one of our tables instead of a constant, so that it also fails if the schema is missing.
const probe = defineStatement((db) => db.selectFrom('pools').select('id').limit(LIMIT_ONE));

async function isAvailable(asked: () => Promise<unknown>): Promise<boolean> {
  try {
    await asked();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}

/**
 * Creates the gateway's port on a database.
 * @param refused the number of all writes that failed for lack of space
 */
export function createGatewayRecords(
  database: Omit<Database, 'withSchema' | 'close'>,
  rules: EventWriteOptions,
  refused: RefusedWriteCount,
): GatewayRecords {
  const { reads, writes } = database;
  const tryWrites = createWriteProbe(database, refused);
  return {
    adminKeys: createAdminKeyRecords(database),
    consoleSessions: createConsoleSessionRecords(database),
    deliveries: createDeliveryRecords(database),
    events: createEventRecords(database, rules),
    idempotencyKeys: createIdempotencyRecords(database),
    localDevices: createLocalDeviceRecords(database),
    localPasskeys: createLocalPasskeyRecords(database),
    localUsers: createLocalUserRecords(database),
    logoutNotices: createLogoutNoticeRecords(database),
    pendingSrp: createPendingSrpRecords(database),
    rates: createRateRecords(database),
    revocations: createRevocationRecords(database),
    webhooks: createWebhookRecords(database),
    webSessions: createWebSessionRecords(database),
    webTickets: createWebTicketRecords(database),
    ready: async () => database.isInPlace() && (await isAvailable(() => reads.run(probe, {}))),
    takesWrites: () => isAvailable(tryWrites),
    async sweep(nowMs) {
      await runAllThenThrow([
        () => runSweeps(writes, SWEEPS, nowMs),
        () => sweepEvents(database, nowMs, rules.mostAnonymous),
      ]);
    },
  };
}
