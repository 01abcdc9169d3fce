import type { GatewayRecords } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { StoreUnavailable } from '../errors.ts';
import type { EventOptions } from '../events/separate-write.ts';
import { sweepEvents } from '../events/sweeps.ts';
import { statement } from '../statement.ts';
import { runSweeps, sweepOfTable, tryEach } from '../sweep.ts';
import { adminKeys } from './admin-keys.ts';
import { deliveries } from './deliveries.ts';
import { events } from './events.ts';
import { idempotencyKeys } from './idempotency-keys.ts';
import { localDevices } from './local-devices.ts';
import { localPasskeys } from './local-passkeys.ts';
import { localUsers } from './local-users.ts';
import { pendingSrp } from './pending-srp.ts';
import { rates } from './rates.ts';
import { revocations } from './revocations.ts';
import { webSessions } from './web-sessions.ts';
import { webTickets } from './web-tickets.ts';
import { webhooks } from './webhooks.ts';

const SWEEPS = [
  sweepOfTable({ table: 'endings', key: ['user_pool_id', 'subject'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'pending_srp', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'rates', key: ['name'], expiresAt: 'whole_at_ms' }),
  sweepOfTable({ table: 'idempotency_keys', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'web_tickets', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'web_sessions', key: ['id_digest_hex'], expiresAt: 'expires_at_ms' }),
];

// A table of ours, not a constant: the schema must be there as well.
const probe = statement((db) => db.selectFrom('pools').select('id').limit(1));

// A row that changes each time, so that something is written. A sweep may take it.
const probeOfWrites = statement((db) =>
  db
    .insertInto('rates')
    .values({ name: 'readiness', whole_at_ms: 0 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ whole_at_ms: sql<number>`rates.whole_at_ms + 1` })),
);

async function answers(asked: () => Promise<unknown>): Promise<boolean> {
  try {
    await asked();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}

/** The gateway's port on a database. */
export function gatewayRecords(database: Omit<Database, 'withSchema' | 'close'>, rules: EventOptions): GatewayRecords {
  const { reads, writes, deferredWrites } = database;
  return {
    adminKeys: adminKeys(database),
    deliveries: deliveries(database),
    events: events(database, rules),
    idempotencyKeys: idempotencyKeys(database),
    localDevices: localDevices(database),
    localPasskeys: localPasskeys(database),
    localUsers: localUsers(database),
    pendingSrp: pendingSrp(database),
    rates: rates(database),
    revocations: revocations(database),
    webhooks: webhooks(database),
    webSessions: webSessions(database),
    webTickets: webTickets(database),
    ready: () => answers(() => reads.run(probe, {})),
    takesWrites: () => answers(() => deferredWrites.run(probeOfWrites, {})),
    async sweep(nowMs) {
      await tryEach([() => runSweeps(writes, SWEEPS, nowMs), () => sweepEvents(database, nowMs, rules.mostAnonymous)]);
    },
  };
}
