import type { Database } from '../sql/database.ts';
import { aggregateFailuresByHour } from './aggregate-failures.ts';
import { limitCountedDeliveries } from './limit-events.ts';

const EVENTS_BETWEEN_COUNTS = 100;

/** Returns a function that is true once for every hundred written events, when failures should be aggregated. */
export function createCountSchedule(): (written: number) => boolean {
  let sinceLast = 0;
  return (written) => {
    sinceLast += written;
    const isDue = sinceLast >= EVENTS_BETWEEN_COUNTS;
    if (isDue) sinceLast = 0;
    return isDue;
  };
}

/**
 * Aggregates the failures for unknown usernames, and limits how many of them wait for webhooks. If this fails, the next sweep repeats it
 * and reports the error.
 */
export async function countFailures(database: Pick<Database, 'write' | 'writes'>): Promise<void> {
  await Promise.allSettled([aggregateFailuresByHour(database), limitCountedDeliveries(database.writes)]);
}
