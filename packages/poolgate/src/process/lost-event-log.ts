import type { StoreOptions } from '@poolgate/store';
import type { WriteLogLine } from './log-line.ts';

/** Writes down that events could not be kept: of what kind, never of whom. */
export function createLostEventLog(log: WriteLogLine): NonNullable<StoreOptions['onEventsLost']> {
  return (events, error) => {
    const { name = 'unknown' } = (error ?? {}) as { readonly name?: string };
    const types = [...new Set(events.map(({ type }) => type))];
    log('error', 'Events could not be written to the audit log.', { event_types: types, failure: name });
  };
}
