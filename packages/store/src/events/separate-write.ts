import type { EventRecord } from '@poolgate/pool/store';
import type { Database } from '../database.ts';
import { appendEventTo } from './append.ts';

/** Called with events that could not be written; what they tell about happened all the same. */
export type OnEventsLost = (events: readonly EventRecord[], error: unknown) => void;

/** What a store does with the events of anonymous requests. */
export interface EventOptions {
  readonly onLost: OnEventsLost;
  /** How many rows of the audit log that anonymous requests caused may stay. */
  readonly mostAnonymous: number;
}

/** Writes events in a write of their own. It never rejects: what they tell about stands, and its caller has nothing to do with them. */
export async function appendEventsSeparately(
  { write }: Pick<Database, 'write'>,
  events: readonly EventRecord[],
  onLost: OnEventsLost,
): Promise<void> {
  try {
    await write(async (writer) => {
      for (const event of events) await appendEventTo(writer, event);
    });
  } catch (error) {
    onLost(events, error);
  }
}
