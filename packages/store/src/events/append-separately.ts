import type { EventRecord } from '@poolgate/pool/store';
import type { Database } from '../sql/database.ts';
import { appendEventAndDeliveries } from './append-event.ts';
import { countFailures } from './count-failures.ts';

/** Called with events that could not be written, although the actions that they report have happened. */
export type OnEventsLost = (events: readonly EventRecord[], error: unknown) => void;

/** How the store handles events of anonymous requests. */
export interface EventWriteOptions {
  readonly onLost: OnEventsLost;
  /** The maximum number of audit log rows from anonymous requests. */
  readonly mostAnonymous: number;
  /** Whether failures for unknown usernames should be aggregated now, given how many events were just written. */
  readonly isCountDue: (written: number) => boolean;
}

/**
 * Writes events in a separate write. It never rejects, because the caller's change is already committed.
 *
 * A failure for an unknown username is written like a failure of a user, so that timing does not reveal which usernames exist. After every
 * hundred events of any kind, the service aggregates these failures and deletes their rows.
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
