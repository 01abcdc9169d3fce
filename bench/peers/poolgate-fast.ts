import { start } from '../../packages/poolgate/src/index.ts';
import { readFastClock } from '../load/fast-clock.ts';

/** This project's service, set up by the environment as `poolgate serve` is, with a clock that runs fast. */
await start({ environment: process.env, clock: { now: readFastClock } });
