import { Worker } from 'node:worker_threads';
import type { TaskRequest, TaskResponse } from './tasks.ts';

/** Beside the sources it is a source, in the published bundle a file of its own. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './threads-worker.js', import.meta.url);

/** What a thread reports of itself. */
export interface ThreadEvents {
  onOnline(): void;
  onResponse(answer: TaskResponse): void;
  /** It ended, whether it was told to or not. */
  onEnd(reason: string): void;
}

/** A computing thread. */
export interface Thread {
  send(request: TaskRequest): void;
  end(): Promise<unknown>;
}

/** Starts a computing thread. */
export type StartThread = (events: ThreadEvents) => Thread;

/**
 * Starts a worker thread. It gets neither environment nor flags of this process: it needs none, and none is meant for it.
 * @param program its module; a parameter for tests of threads that fail
 */
export function startWorkerThread(events: ThreadEvents, program: URL = PROGRAM): Thread {
  const worker = new Worker(program, { env: {}, execArgv: [], name: 'poolgate-computing' });
  let reason = 'it ended by itself';
  worker.on('online', () => events.onOnline());
  worker.on('message', (answer: TaskResponse) => events.onResponse(answer));
  worker.on('error', (error) => {
    reason = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  });
  worker.on('exit', () => events.onEnd(reason));
  return { send: (request) => worker.postMessage(request), end: () => worker.terminate() };
}
