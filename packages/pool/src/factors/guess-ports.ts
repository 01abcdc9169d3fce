import type { EventPorts } from '../kernel/ports.ts';
import type { NoticePorts } from '../messages/delivery-ports.ts';

/** What counting guesses takes: the one that locks is recorded, and its user notified. */
export interface GuessPorts extends EventPorts, NoticePorts {}
