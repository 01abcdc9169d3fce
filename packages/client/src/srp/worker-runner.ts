import { PoolgateError } from '../transport/poolgate-error.ts';
import type { SrpRunner } from './srp-runner.ts';
import type { WorkerReply } from './worker-messages.ts';

interface PendingTask {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: PoolgateError) => void;
  /** Computes the task elsewhere if the worker cannot. */
  readonly fallback: () => Promise<unknown>;
}

/**
 * Computes in a worker, so that the page never blocks. If workers are forbidden or the file is missing, `fallback` computes it, including
 * pending tasks.
 */
export function createWorkerRunner(startWorker: () => Worker, fallback: SrpRunner): SrpRunner {
  const waiting = new Map<number, PendingTask>();
  let worker: Worker | null | undefined;
  let next = 0;
  const giveUp = (): void => {
    worker?.terminate();
    worker = null;
    for (const { resolve, reject, fallback: instead } of waiting.values()) instead().then(resolve, reject);
    waiting.clear();
  };
  const started = (): Worker | null => {
    if (worker !== undefined) return worker;
    try {
      worker = startWorker();
      worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => settleTask(waiting, data);
      worker.onerror = (event) => {
        event.preventDefault();
        giveUp();
      };
    } catch {
      worker = null;
    }
    return worker;
  };
  return (task, input) => {
    const to = started();
    if (to === null) return fallback(task, input);
    const id = next++;
    return new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject, fallback: () => fallback(task, input) });
      to.postMessage({ id, task, input });
    }) as ReturnType<typeof fallback<typeof task>>;
  };
}

function settleTask(waiting: Map<number, PendingTask>, { id, output, fault }: WorkerReply): void {
  const found = waiting.get(id);
  waiting.delete(id);
  if (fault === undefined) found?.resolve(output);
  else found?.reject(new PoolgateError({ code: 'unexpected_answer', detail: fault }));
}
