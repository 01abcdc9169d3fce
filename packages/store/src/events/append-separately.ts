import type { EventRecord } from '@poolgate/pool/store';
import type { Database } from '../sql/database.ts';
import { appendEventAndDeliveries } from './append-event.ts';
import { countFailures } from './count-failures.ts';

/** Called with events that could not be written; what they tell about happened all the same. */
export type OnEventsLost = (events: readonly EventRecord[], error: unknown) => void;

/** What a store does with the events of anonymous requests. */
export interface EventWriteOptions {
  readonly onLost: OnEventsLost;
  /** How many rows of the audit log that anonymous requests caused may stay. */
  readonly mostAnonymous: number;
  /** Whether failures of names that nobody has are to be counted, now that so many more events were written. */
  readonly isCountDue: (written: number) => boolean;
}

/**
 * Writes events in a write of their own. It never rejects: what they tell about stands, and its caller has nothing to do with them.
 *
 * A failure of a name that nobody has is written like a user's, so that time does not tell which names exist. After every hundred events of
 * any kind, the service counts these failures and deletes their rows.
 */
export async function appendEventsSeparately(
  database: Pick<Database, 'write' | 'writes'>,
  events: readonly EventRecord[],
  { onLost, isCountDue }: Pick<EventWriteOptions, 'onLost' | 'isCountDue'>,
): Promise<void> {
  try {
    await database.write(async (writer) => {
      for (const event of events) await appendEventAndDeliveries(writer, event);
    });
  } catch (error) {
    onLost(events, error);
  }
  if (isCountDue(events.length)) await countFailures(database);
}
