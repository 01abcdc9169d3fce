/**
 * Imported first by the process of every test file. What hangs in such a process is asked to end by the test runner, with a signal
 * that it may catch, and may then hang in catching it: after this time it is killed, so that a run always ends.
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
