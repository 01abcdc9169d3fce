import type { StoreOptions } from '@poolgate/store';
import type { WriteLine } from './log-line.ts';

/** Writes down that events could not be kept: of what kind, never of whom. */
export function lostEventLog(log: WriteLine): NonNullable<StoreOptions['onEventsLost']> {
  return (events, error) => {
    const { name = 'unknown' } = (error ?? {}) as { readonly name?: string };
    const types = [...new Set(events.map(({ type }) => type))];
    log('error', 'Events could not be written to the audit log.', { event_types: types, failure: name });
  };
}
