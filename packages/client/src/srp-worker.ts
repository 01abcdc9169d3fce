import { bigIntEngine, secureRandom } from '@poolgate/srp';
import { toUnexpectedResponseError } from './srp/srp-runner.ts';
import { SRP_TASKS } from './srp/srp-tasks.ts';
import type { WorkerReply, WorkerRequest } from './srp/worker-messages.ts';

/** The parts of a worker's global scope that this file uses. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(reply: WorkerReply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { id, task, input } }) => {
  try {
    const compute = SRP_TASKS[task] as (dependencies: unknown, input: unknown) => unknown;
    scope.postMessage({ id, output: compute({ engine: bigIntEngine, random: secureRandom }, input) });
  } catch (error) {
    scope.postMessage({ id, fault: String((toUnexpectedResponseError(error) as Error).message) });
  }
};
