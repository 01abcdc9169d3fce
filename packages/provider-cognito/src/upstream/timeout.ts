import type { Timer } from '../options/cognito-options.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/**
 * Runs a function that may hang, with a timeout in milliseconds. After that it is aborted, and its result is ignored.
 * @throws {UpstreamFailure} `slow` at the timeout
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
