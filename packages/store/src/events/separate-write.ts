import type { EventRecord } from '@poolgate/pool/store';
import type { Database } from '../database.ts';
import { byBytes } from '../pages.ts';
import { appendEventTo, countEventIn } from './append.ts';
import { minuteRowId } from './counted-events.ts';

/** Called with events that could not be written; what they tell about happened all the same. */
export type OnEventsLost = (events: readonly EventRecord[], error: unknown) => void;

/** What a store does with the events of anonymous requests. */
export interface EventOptions {
  readonly onLost: OnEventsLost;
  /** How many rows of the audit log that anonymous requests caused may stay. */
  readonly mostAnonymous: number;
  /** Which of the rows of its minute counts the next failure of a name that nobody has. */
  readonly nextRow: () => number;
}

/** Writes events in a write of their own. It never rejects: what they tell about stands, and its caller has nothing to do with them. */
export async function appendEventsSeparately(
  { write }: Pick<Database, 'write'>,
  events: readonly EventRecord[],
  { onLost, nextRow }: Pick<EventOptions, 'onLost' | 'nextRow'>,
): Promise<void> {
  // Chosen before the write, which may run again, and in order, so that two writes at once never wait for each other in a circle.
  const entries = events
    .map((event) => ({ event, id: event.retention === 'counted' ? minuteRowId(event, nextRow()) : event.id }))
    .toSorted((one, other) => byBytes(one.id, other.id));
  try {
    await write(async (writer) => {
      for (const { event, id } of entries) {
        if (event.retention === 'counted') await countEventIn(writer, id, event);
        else await appendEventTo(writer, event);
      }
    });
  } catch (error) {
    onLost(events, error);
  }
}
