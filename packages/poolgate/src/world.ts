import type { Clock, Random } from '@poolgate/pool';
import { randomFromBlocks } from './random.ts';

/** What is given to a start from outside the configuration. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
}

/** The clock of the machine and the random source of the operating system. */
export const SYSTEM_WORLD: World = {
  clock: { now: Date.now },
  random: randomFromBlocks(),
};
