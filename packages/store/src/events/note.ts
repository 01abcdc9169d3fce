import type { EventRecord } from '@poolgate/pool/store';
import type { Database } from '../database.ts';
import { append } from './append.ts';

/** Told of events that could not be written; what they tell of happened all the same. */
export type EventsLost = (events: readonly EventRecord[], error: unknown) => void;

/** What a store does with the events of anonymous requests. */
export interface EventRules {
  readonly onLost: EventsLost;
  /** How many rows of the audit log that anonymous requests caused may stay. */
  readonly mostAnonymous: number;
}

/** Writes events in a write of their own. It never rejects: what they tell of stands, and its caller has nothing to do with them. */
export async function note(
  { write }: Pick<Database, 'write'>,
  events: readonly EventRecord[],
  onLost: EventsLost,
): Promise<void> {
  try {
    await write(async (writer) => {
      for (const event of events) await append(writer, event);
    });
  } catch (error) {
    onLost(events, error);
  }
}
