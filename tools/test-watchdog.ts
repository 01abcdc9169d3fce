/**
 * Imported first by the process of every test file, with `?ms=` in its address. What hangs in such a process is asked to end by the
 * test runner, with a signal that it may catch, and may then hang in catching it: after this time it is killed, so that a run
 * always ends.
 */
import { isMainThread } from 'node:worker_threads';

const lifeMs = Number(new URL(import.meta.url).searchParams.get('ms'));
if (isMainThread && lifeMs > 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), lifeMs).unref();
