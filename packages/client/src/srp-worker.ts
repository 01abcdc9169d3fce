import { bigIntEngine, secureRandom } from '@poolgate/srp';
import { toUnexpectedAnswerError } from './srp/srp-runner.ts';
import { SRP_TASKS, type SrpTask, type SrpTasks } from './srp/srp-tasks.ts';

/** A task for the worker. */
export type WorkerRequest = {
  readonly [Task in SrpTask]: { readonly id: number; readonly task: Task; readonly input: SrpTasks[Task]['input'] };
}[SrpTask];

/** What the worker says of a task. */
export interface WorkerReply {
  readonly id: number;
  readonly output?: unknown;
  /** Why there is no output. */
  readonly fault?: string;
}

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(reply: WorkerReply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { id, task, input } }) => {
  try {
    const compute = SRP_TASKS[task] as (means: unknown, input: unknown) => unknown;
    scope.postMessage({ id, output: compute({ engine: bigIntEngine, random: secureRandom }, input) });
  } catch (error) {
    scope.postMessage({ id, fault: String((toUnexpectedAnswerError(error) as Error).message) });
  }
};
