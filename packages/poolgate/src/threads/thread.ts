import { Worker } from 'node:worker_threads';
import type { TaskRequest, TaskResponse } from './tasks.ts';

/** The sources contain it as a source; the published bundle contains it as a separate file. */
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './threads-worker.js', import.meta.url);

/** The events of a thread. */
export interface ThreadEvents {
  onOnline(): void;
  onResponse(answer: TaskResponse): void;
  /** The thread ended, whether it was stopped or not. */
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
 * Starts a worker thread. It gets neither the environment nor the flags of this process, because it needs none.
 * @param program its module; tests use it for threads that fail
 */
export function startWorkerThread(events: ThreadEvents, program: URL = PROGRAM): Thread {
  const worker = new Worker(program, { env: {}, execArgv: [], name: 'poolgate-computing' });
  let reason = 'it exited unexpectedly';
  worker.on('online', () => events.onOnline());
  worker.on('message', (answer: TaskResponse) => events.onResponse(answer));
  worker.on('error', (error) => {
    reason = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  });
  worker.on('exit', () => events.onEnd(reason));
  return { send: (request) => worker.postMessage(request), end: () => worker.terminate() };
}
