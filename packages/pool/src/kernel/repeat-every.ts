import type { Timer } from './clock.ts';

/** A part of the background work that failed. The next run tries it again. */
export interface BackgroundFailure {
  readonly task: 'due_deletions' | 'factor_censuses';
  /** Absent: the whole run failed, for example because the database was not available. */
  readonly userPoolId?: string;
  /** Absent: it concerns no single user. */
  readonly sub?: string;
  readonly error: unknown;
}

export type ReportBackgroundFailure = (failure: BackgroundFailure) => void;

/** What a task does in every run. */
export interface BackgroundTask {
  readonly name: BackgroundFailure['task'];
  readonly intervalMs: number;
  readonly run: () => Promise<void>;
}

/**
 * Runs a task now and then regularly, but never twice at the same time. Failures are reported, and the next run tries again. Returns a
 * function that stops it once nothing is running.
 */
export function repeatEvery(
  timer: Timer,
  { name: task, intervalMs, run }: BackgroundTask,
  report: ReportBackgroundFailure,
): () => Promise<void> {
  let callOff = (): void => {};
  let running: Promise<void> | undefined;
  const start = (): void => {
    callOff = timer.after(intervalMs, start);
    running ??= run()
      .catch((error: unknown) => report({ task, error }))
      .finally(() => {
        running = undefined;
      });
  };
  start();
  return async () => {
    callOff();
    await running;
  };
}
