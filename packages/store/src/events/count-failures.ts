import type { Database } from '../sql/database.ts';
import { aggregateFailuresByHour } from './aggregate-failures.ts';
import { limitCountedDeliveries } from './limit-events.ts';

const EVENTS_BETWEEN_COUNTS = 100;

/** Says once for each hundred events that were written that failures are to be counted. */
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
 * Counts the failures of names that nobody has, and bounds how many of them wait for webhooks. If this fails, the next sweep does it and
 * reports the error.
 */
export async function countFailures(database: Pick<Database, 'write' | 'writes'>): Promise<void> {
  await Promise.allSettled([aggregateFailuresByHour(database), limitCountedDeliveries(database.writes)]);
}
