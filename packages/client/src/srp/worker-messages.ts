import type { SrpTask, SrpTasks } from './srp-tasks.ts';

/** A task for the worker. */
export type WorkerRequest = {
  readonly [Task in SrpTask]: { readonly id: number; readonly task: Task; readonly input: SrpTasks[Task]['input'] };
}[SrpTask];

/** The worker's reply to a task. */
export interface WorkerReply {
  readonly id: number;
  readonly output?: unknown;
  /** Why the output is missing. */
  readonly fault?: string;
}
