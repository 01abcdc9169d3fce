import type { EventRecords } from '@poolgate/gateway/records';
import type { Database } from '../database.ts';
import { appendEventTo } from '../events/append.ts';
import { eventPage } from '../events/page.ts';
import { appendEventsSeparately, type EventOptions } from '../events/separate-write.ts';

/** The audit log, as the gateway writes and reads it. */
export function events(
  database: Pick<Database, 'reads' | 'write' | 'writes'>,
  rules: Pick<EventOptions, 'onLost' | 'isCountDue'>,
): EventRecords {
  const { reads, write } = database;
  return {
    append: (event) => write((writer) => appendEventTo(writer, event)),
    tryAppend: (event) => appendEventsSeparately(database, [event], rules),
    page: (filter, limit, cursor) => eventPage(reads, filter, limit, cursor),
  };
}
