import { COUNTER_FAULTS } from './counters.ts';
import { DEVICE_FAULTS } from './devices.ts';
import { ORDER_FAULTS } from './order.ts';
import type { Fault } from './plant.ts';
import { SECRET_FAULTS } from './secrets.ts';
import { TRIGGER_FAULTS } from './triggers.ts';

/** One mistake of each kind. */
export const FAULTS: readonly Fault[] = [
  ...ORDER_FAULTS,
  ...SECRET_FAULTS,
  ...COUNTER_FAULTS,
  ...DEVICE_FAULTS,
  ...TRIGGER_FAULTS,
];
