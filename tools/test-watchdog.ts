/**
 * Imported first by the process of every test file. The test runner ends a hanging process with a signal that it can catch, and the process
 * may hang again in its handler. So the watchdog kills it after this time, and every run ends.
 */
import { isMainThread } from 'node:worker_threads';

const LONGEST_FILE_MS = Number(process.env.POOLGATE_TEST_FILE_MS ?? 600_000);

let timer: NodeJS.Timeout | undefined;

/** Kills the process after this time unless it is called again before. */
export function restartWatchdog(ms = LONGEST_FILE_MS): void {
  clearTimeout(timer);
  timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), ms).unref();
}

if (isMainThread) restartWatchdog();
