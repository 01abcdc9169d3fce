import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { start } from '../../packages/poolgate/src/index.ts';

/** The reply to the parent's request. */
export interface SoakSnapshot {
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Open sockets, timers, files and threads. */
  readonly handles: number;
}

/** A day passes so fast that the sweeps of a run see rows of every age expire. */
const SPEED = 240;

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2);
const beganMs = Date.now();
const clock = { now: () => Math.trunc(beganMs + (Date.now() - beganMs) * SPEED) };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const service = await start({
  databaseUrl,
  dataDir,
  clock,
  port: 0,
  // Swept rows expire within the ten minutes between two sweeps: forty hours of this clock.
  auditDays: 1,
  registrationDays: 1,
  limitReads: 0,
  limitLoginSteps: 0,
  limitUserSteps: 0,
});
process.send?.({ url: service.url, bearer: service.adminKey?.bearer, userPoolId: service.userPoolId });
process.on('message', () => {
  // The second collection frees what the finalizers of the first released.
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  const look: SoakSnapshot = {
    heapBytes: heapUsed,
    residentBytes: rss,
    handles: process.getActiveResourcesInfo().length,
  };
  process.send?.(look);
});
process.once('disconnect', () => void service.close().then(() => process.exit()));
