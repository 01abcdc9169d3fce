import type { EventRecords } from '@poolgate/gateway/records';
import { appendEventAndDeliveries } from '../events/append-event.ts';
import { appendEventsSeparately, type EventWriteOptions } from '../events/append-separately.ts';
import { readEventPage } from '../events/event-page.ts';
import type { Database } from '../sql/database.ts';

/** The gateway's access to the audit log. */
export function createEventRecords(
  database: Pick<Database, 'reads' | 'write' | 'writes'>,
  rules: Pick<EventWriteOptions, 'onLost' | 'isCountDue'>,
): EventRecords {
  const { reads, write } = database;
  return {
    append: (event) => write((writer) => appendEventAndDeliveries(writer, event)),
    tryAppend: (event) => appendEventsSeparately(database, [event], rules),
    page: (filter, limit, cursor) => readEventPage(reads, filter, limit, cursor),
  };
}
