import { type Sweep, sweepOf } from '../sweep.ts';

/** The sweeps of the audit log, for both ports: either may be the only one that is in use. A delivery that is under way stays. */
export const EVENT_SWEEPS: readonly Sweep[] = [
  sweepOf({ table: 'events', key: ['id'], expiresAt: 'expires_at_ms' }),
  sweepOf({
    table: 'deliveries',
    key: ['webhook_id', 'event_id'],
    expiresAt: 'expires_at_ms',
    once: 'dead_at_ms',
  }),
];
