import type { Timer } from './clock.ts';

/**
 * Does background work now and then regularly, never twice at the same time. Failures are retried with the next run. Returns a function
 * that stops it once nothing is running.
 */
export function repeatEvery(timer: Timer, intervalMs: number, work: () => Promise<void>): () => Promise<void> {
  let callOff = (): void => {};
  let running = Promise.resolve();
  let isStopped = false;
  const run = (): void => {
    running = work()
      .catch(() => {})
      .then(() => {
        if (!isStopped) callOff = timer.after(intervalMs, run);
      });
  };
  run();
  return () => {
    isStopped = true;
    callOff();
    return running;
  };
}
