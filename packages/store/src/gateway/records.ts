import type { GatewayRecords } from '@poolgate/gateway/records';
import type { Database } from '../database.ts';
import { StoreUnavailable } from '../errors.ts';
import type { EventOptions } from '../events/separate-write.ts';
import { sweepEvents } from '../events/sweeps.ts';
import type { RefusedWrites } from '../refused-writes.ts';
import { ONE_ROW, statement } from '../statement.ts';
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
import { writeProbe } from './write-probe.ts';

const DAY_MS = 86_400_000;

const SWEEPS = [
  sweepOfTable({ table: 'endings', key: ['user_pool_id', 'subject'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'pending_srp', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'rates', key: ['name'], expiresAt: 'whole_at_ms' }),
  sweepOfTable({ table: 'replicas', key: ['id'], expiresAt: 'seen_at_ms', keptMs: DAY_MS }),
  sweepOfTable({ table: 'idempotency_keys', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'web_tickets', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'web_sessions', key: ['id_digest_hex'], expiresAt: 'expires_at_ms' }),
];

// A table of ours, not a constant: the schema must be there as well.
const probe = statement((db) => db.selectFrom('pools').select('id').limit(ONE_ROW));

async function answers(asked: () => Promise<unknown>): Promise<boolean> {
  try {
    await asked();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}

/**
 * The gateway's port on a database.
 * @param refused what the database lacked room for, whoever wrote it
 */
export function gatewayRecords(
  database: Omit<Database, 'withSchema' | 'close'>,
  rules: EventOptions,
  refused: RefusedWrites,
): GatewayRecords {
  const { reads, writes } = database;
  const tryWrites = writeProbe(database, refused);
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
    ready: async () => database.isInPlace() && (await answers(() => reads.run(probe, {}))),
    takesWrites: () => answers(tryWrites),
    async sweep(nowMs) {
      await tryEach([() => runSweeps(writes, SWEEPS, nowMs), () => sweepEvents(database, nowMs, rules.mostAnonymous)]);
    },
  };
}
