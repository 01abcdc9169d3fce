import { start } from '../../packages/poolgate/src/index.ts';
import { readFastClock } from '../load/fast-clock.ts';

/** Poolgate's service, configured by the environment like `poolgate serve`, with a fast clock. */
await start({ environment: process.env, clock: { now: readFastClock } });
