import type { Database } from '../sql/database.ts';
import { createTableSweep, runAllThenThrow, runSweeps, type Sweep } from '../sql/sweep.ts';
import { aggregateFailuresByHour } from './aggregate-failures.ts';
import { limitAnonymousEvents, limitCountedDeliveries } from './limit-events.ts';

/** The sweeps of the audit log. A delivery that is under way stays, but for those that an anonymous request caused. */
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
 * Removes from the audit log what has expired, counts the failures of names that nobody has, and bounds what anonymous requests
 * leave. For both ports: either may be the only one that is in use.
 * @param most how many rows that anonymous requests caused may stay
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
