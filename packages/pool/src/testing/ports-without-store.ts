import type { PoolOptions } from '../operations/pool-options.ts';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { createClockPort, createMacPorts, RANDOM_PORT } from './test-ports.ts';

/** All ports of an instance without a store. Rules that need only a few ports use those of `test-ports.ts`. */
export function portsWithoutStore(nowMs = 0): PoolPorts {
  return createPoolPorts({
    ...createMacPorts(),
    ...createClockPort(nowMs),
    ...RANDOM_PORT,
  } as Partial<PoolOptions> as PoolOptions);
}
