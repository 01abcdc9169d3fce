import type { Timer } from '../options/cognito-options.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/**
 * Runs something that may hang, for so many milliseconds at most. What it still does afterwards is called off, and
 * however it ends then is of no interest.
 * @throws {UpstreamFailure} `slow` when the time is up
 */
export async function runWithTimeout<T>(
  timer: Timer,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const callOff = timer.after(ms, () => {
    reject(new UpstreamFailure('slow'));
    controller.abort();
  });
  try {
    return await Promise.race([run(controller.signal), tooLate]);
  } finally {
    callOff();
  }
}

/** Waits. */
export function delay(timer: Timer, ms: number): Promise<void> {
  return new Promise((resolve) => void timer.after(ms, resolve));
}
