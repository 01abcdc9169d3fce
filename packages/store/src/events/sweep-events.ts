import type { Database } from '../sql/database.ts';
import { createTableSweep, runAllThenThrow, runSweeps, type Sweep } from '../sql/sweep.ts';
import { aggregateFailuresByHour } from './aggregate-failures.ts';
import { limitAnonymousEvents, limitCountedDeliveries } from './limit-events.ts';

/** The sweeps of the audit log. Pending deliveries stay, except those that an anonymous request caused. */
const EVENT_SWEEPS: readonly Sweep[] = [
  createTableSweep({ table: 'events', key: ['id'], expiresAt: 'expires_at_ms' }),
  createTableSweep({
    table: 'deliveries',
    key: ['webhook_id', 'event_id'],
    expiresAt: 'expires_at_ms',
    requiredColumn: 'dead_at_ms',
  }),
  createTableSweep({
    table: 'deliveries',
    key: ['webhook_id', 'event_id'],
    expiresAt: 'expires_at_ms',
    requiredColumn: 'retention',
  }),
];

/**
 * Deletes expired events, aggregates failures for unknown usernames, and limits the rows from anonymous requests. Both ports call it,
 * because either may be the only one in use.
 * @param most the maximum number of rows from anonymous requests
 */
export async function sweepEvents(
  database: Pick<Database, 'write' | 'writes'>,
  nowMs: number,
  most: number,
): Promise<void> {
  await runAllThenThrow([
    () => runSweeps(database.writes, EVENT_SWEEPS, nowMs),
    () => aggregateFailuresByHour(database),
    () => limitCountedDeliveries(database.writes),
    () => limitAnonymousEvents(database.writes, most),
  ]);
}
