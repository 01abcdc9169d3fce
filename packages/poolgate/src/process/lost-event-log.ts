import type { StoreOptions } from '@poolgate/store';
import type { WriteLogLine } from './log-line.ts';

/** Logs that events could not be stored: their kind, never their users. */
export function createLostEventLog(log: WriteLogLine): NonNullable<StoreOptions['onEventsLost']> {
  return (events, error) => {
    const { name = 'unknown' } = (error ?? {}) as { readonly name?: string };
    const types = [...new Set(events.map(({ type }) => type))];
    log('error', 'Events could not be written to the audit log.', { event_types: types, failure: name });
  };
}
