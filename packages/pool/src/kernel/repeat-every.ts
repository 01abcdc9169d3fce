import type { Timer } from './clock.ts';

/**
 * Does background work now and then regularly. Failures are retried with the next run. Returns a function that stops it once nothing is
 * running.
 */
export function repeatEvery(timer: Timer, intervalMs: number, work: () => Promise<void>): () => Promise<void> {
  let callOff = (): void => {};
  let running = Promise.resolve();
  const run = (): void => {
    running = work().catch(() => {});
    callOff = timer.after(intervalMs, run);
  };
  run();
  return () => {
    callOff();
    return running;
  };
}
